import { describe, expect, it } from "vitest"
import { bytes, count, duration, moment, period } from "../../src/terminal/Figures.ts"

describe("figures", () => {
  it("are counted with their noun", () => {
    expect([0, 1, 12_345].map((number) => count(number, "page", "pages"))).toEqual([
      "0 pages",
      "1 page",
      "12,345 pages",
    ])
  })

  it("stay short in every size", () => {
    expect([0, 999, 1_000, 999_499, 999_500, 12_340_000].map(bytes)).toEqual([
      "0 B",
      "999 B",
      "1 kB",
      "999 kB",
      "1.0 MB",
      "12.3 MB",
    ])
    expect([1, 420, 949, 950, 90_000, 900_000].map(duration)).toEqual([
      "0.1 s",
      "0.4 s",
      "0.9 s",
      "1 s",
      "90 s",
      "15 min",
    ])
  })

  it("are times of day on a screen, with date and zone in a log", () => {
    const [start, end] = [new Date(2026, 2, 1, 9, 3, 10), new Date(2026, 2, 1, 9, 3, 18)].map((at) =>
      at.toISOString(),
    ) as [string, string]
    const nextDay = new Date(2026, 2, 2, 0, 0, 4).toISOString()
    const zone = moment(start, true).slice(-6)
    expect(zone).toMatch(/^[+-]\d\d:\d\d$/)
    expect([moment(start, false), moment(start, true)]).toEqual(["09:03:10", `2026-03-01 09:03:10 ${zone}`])
    expect([period(start, end, false), period(start, end, true), period(start, nextDay, true)]).toEqual([
      "09:03:10-09:03:18",
      `2026-03-01 09:03:10-09:03:18 ${zone}`,
      `2026-03-01 09:03:10 ${zone} to 2026-03-02 00:00:04 ${moment(nextDay, true).slice(-6)}`,
    ])
  })
})
