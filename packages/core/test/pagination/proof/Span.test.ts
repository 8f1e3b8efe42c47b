import { describe, expect, it } from "vitest"
import { Span } from "../../../src/pagination/proof/Span.ts"

const page = (...ids: ReadonlyArray<number>) => ids.map((id) => ({ id }))

describe("Span", () => {
  it.each([
    ["descending", [9, 8, 7], [6, 5]],
    ["ascending", [1, 2, 3], [4, 5]],
    ["with pages turned round", [7, 8, 9], [4, 5, 6]],
    ["from above, where something was created", [9, 8, 7], [12, 11, 6]],
    ["nothing at all", [9, 8, 7], []],
  ])("sees nothing wrong with a list by id: %s", (_, first, second) => {
    const span = new Span()
    expect(span.add(page(...first), [])).toBe(false)
    expect(span.add(page(...second), [])).toBe(false)
  })

  it("sees a new record between those of earlier pages: the pages are sorted, the list is not", () => {
    const span = new Span()
    span.add(page(3, 7, 20), [])
    expect(span.add(page(1, 8, 30), [])).toBe(true)
  })

  it("does not take records of one page for each other's, nor one that came again for a new one", () => {
    const span = new Span()
    expect(span.add(page(5, 9, 7), [])).toBe(false)
    const again = page(7)
    expect(span.add(again, again)).toBe(false)
    expect(span.add(page(9, 5), [])).toBe(false)
    expect(span.add(page(6), [])).toBe(true)
  })

  it("remembers the pages before the last one", () => {
    const span = new Span()
    span.add(page(30, 20), [])
    span.add(page(10, 5), [])
    expect(span.add(page(25), [])).toBe(true)
  })
})
