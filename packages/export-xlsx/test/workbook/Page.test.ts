import { describe, expect, it } from "vitest"
import * as Page from "../../src/workbook/Page.ts"

const pagesOf = (width: number, lines: number, isOne = false): number | undefined =>
  Page.setup({ paper: "a4", width, lines, isOne }).fitToHeight

describe("the pages that a sheet is fitted to", () => {
  it.each([
    [1, 1],
    [42, 1],
    [50, 1],
    [51, 2],
    [251, 6],
    [5_001, 119],
  ])("are for %i lines across: %i", (lines, pages) => {
    expect(pagesOf(150, lines)).toBe(pages)
  })

  it.each([
    [62, 1],
    [74, 1],
    [75, 2],
    [124, 2],
  ])("are for %i lines upright: %i", (lines, pages) => {
    expect(pagesOf(60, lines)).toBe(pages)
  })

  it.each([
    [60, 1],
    [250, 1],
    [251, 2],
    [2_000, 8],
  ])("are %i characters wide on %i across", (width, pages) => {
    expect(Page.setup({ paper: "a4", width, lines: 10 }).fitToWidth).toBe(pages)
  })

  it("is one for a cover, and for very many lines left to the program", () => {
    expect(pagesOf(100, 500, true)).toBe(1)
    expect(pagesOf(150, 1_000_000)).toBe(0)
  })
})
