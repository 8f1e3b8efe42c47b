import { describe, expect, it } from "vitest"
import { isAskedAbout } from "../../src/index/SyncEnd.ts"

describe("removing contracts after a complete read", () => {
  const table: ReadonlyArray<readonly [saved: number, left: number, isAsked: boolean]> = [
    [0, 0, false],
    [1, 0, true],
    [2, 1, false],
    [2, 0, true],
    [10, 1, false],
    [11, 1, true],
    [20, 10, false],
    [21, 10, true],
    [21, 11, false],
    [412, 412, false],
    [412, 206, false],
    [412, 205, true],
    [412, 0, true],
    [100_000, 50_000, false],
    [100_000, 49_999, true],
  ]
  it.each(table)("from %d to %d is asked about: %s", (saved, left, isAsked) => {
    expect(isAskedAbout(left, saved - left)).toBe(isAsked)
  })

  it("is asked about whenever nothing would be left, and never where nothing goes", () => {
    for (let count = 1; count < 500; count++) {
      expect(isAskedAbout(0, count)).toBe(true)
      expect(isAskedAbout(count, 0)).toBe(false)
    }
  })

  it("stays unasked while a removal that was not asked about continues in parts", () => {
    for (let left = 1; left < 60; left++) {
      for (let gone = 1; gone < 60; gone++) {
        if (isAskedAbout(left, gone)) continue
        expect(isAskedAbout(left, gone - 1)).toBe(false)
      }
    }
  })
})
