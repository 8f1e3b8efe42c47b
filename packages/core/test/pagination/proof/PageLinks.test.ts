import { describe, expect, it } from "vitest"
import { PageLinks } from "../../../src/pagination/proof/PageLinks.ts"

const of = (ids: ReadonlyArray<number>, version = 1) => ids.map((id) => ({ id, version }))

describe("PageLinks", () => {
  it("are gapless when every page has a record in common with an earlier one", () => {
    const links = new PageLinks()
    expect(links.isGapless).toBe(false)
    expect(links.add(of([9, 8, 7]), true)).toBe(false)
    expect(links.add(of([7, 6, 5]), false)).toBe(true)
    expect(links.add(of([5, 4]), false)).toBe(true)
    expect(links.isGapless).toBe(true)
  })

  it("are not gapless over a boundary that no page crosses", () => {
    const links = new PageLinks()
    links.add(of([9, 8]), true)
    links.add(of([7, 6]), false)
    expect(links.add(of([6, 5]), false)).toBe(true)
    expect(links.isGapless).toBe(false)
  })

  it("are made across the boundaries of one reading by the pages of another, in whatever order they come", () => {
    const links = new PageLinks()
    links.add(of([9, 8]), true)
    links.add(of([7, 6]), false)
    links.add(of([5]), false)
    expect(links.isGapless).toBe(false)
    links.add(of([9]), true)
    links.add(of([8, 7]), false)
    links.add(of([6, 5]), false)
    expect(links.isGapless).toBe(true)
  })

  it("are gapless from the first page of any reading, whatever page another one began with", () => {
    const links = new PageLinks()
    links.add(of([19, 18]), true)
    links.add(of([9, 8]), true)
    links.add(of([8, 7]), false)
    expect(links.isGapless).toBe(true)
  })

  it("are not made by a record that changed, nor by two copies on one page", () => {
    const links = new PageLinks()
    links.add(of([9, 8]), true)
    expect(links.add(of([8], 2), false)).toBe(false)
    expect(links.add(of([4, 4]), false)).toBe(false)
    expect(links.isGapless).toBe(false)
  })

  it("lead to the page taken last, the end of the latest reading: updates may have moved records behind an earlier one", () => {
    const links = new PageLinks()
    links.add(of([9, 8]), true)
    links.add(of([8, 7]), false)
    expect(links.isGapless).toBe(true)
    links.add(of([3, 2]), false)
    expect(links.isGapless).toBe(false)
  })
})
