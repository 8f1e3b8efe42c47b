import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { clock, of } from "../../src/table/Instant.ts"

describe("the instant of a timestamp", () => {
  it.each([
    ["2026-03-01T09:30:00Z", 1_772_357_400_000],
    ["2024-02-29T00:00:00Z", 1_709_164_800_000],
    ["2000-02-29T00:00:00+02:00", 951_775_200_000],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000],
    ["0000-01-01T00:00:00Z", -62_167_219_200_000],
    ["2016-12-31T23:59:60Z", 1_483_228_800_000],
  ])("%s is itself, in whatever year", (timestamp, millis) => {
    expect(of(timestamp)).toBe(millis)
  })

  it.each([
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T12:00:00+05:30",
    "2026-11-31 00:00:00",
    "2026-13-01T00:00:00Z",
    "yesterday",
    "",
  ])("%j names none", (timestamp) => {
    expect(of(timestamp)).toBeNull()
  })

  it("is found again from the clock, for every millisecond of the years 0000 to 9999", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (millis) => {
        expect(of(`${clock(millis)}Z`)).toBe(millis)
      }),
    )
  })

  it("has no clock before the year 0000 and after 9999", () => {
    expect([clock(-62_167_219_200_001), clock(253_402_300_800_000)]).toEqual([null, null])
  })
})
