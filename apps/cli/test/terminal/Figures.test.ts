import { describe, expect, it } from "vitest"
import { bytes, count, duration } from "../../src/terminal/Figures.ts"

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
})
