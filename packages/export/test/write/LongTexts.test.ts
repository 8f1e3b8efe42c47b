import { expect, it } from "vitest"
import { cut, LongTexts } from "../../src/write/Fit.ts"

const text = (content: string, row = 1) => ({ table: "contracts", row, column: "extra", text: content })

it("gives each text a line of its own, and the cell says which", () => {
  const texts = new LongTexts("a.xlsx.texts.ndjson")
  expect(texts.take(text("one\ntwo"))).toBe("[7 characters: see line 1 of a.xlsx.texts.ndjson]")
  expect(texts.take(text('"\u{1F3E0}\ud800', 2))).toBe("[4 characters: see line 2 of a.xlsx.texts.ndjson]")
  const lines = texts.drain().split("\n")
  expect(lines.pop()).toBe("")
  expect(lines.map((line) => JSON.parse(line))).toEqual([text("one\ntwo"), text('"\u{1F3E0}\ud800', 2)])
  expect(texts.drain()).toBe("")
  expect(texts.take(text("three"))).toContain("line 3")
  expect(texts.drain().split("\n")).toHaveLength(2)
  expect(texts.count).toBe(3)
})

it("cuts a text where no file can hold the rest, and no character in two", () => {
  expect(cut(text("x".repeat(40_000)))).toBe(`${"x".repeat(32_000)}…`)
  const houses = cut(text(`x${"\u{1F3E0}".repeat(20_000)}`))
  expect(houses.isWellFormed()).toBe(true)
  expect(houses.length).toBeLessThan(32_767)
})
