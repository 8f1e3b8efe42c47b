import { expect, it } from "vitest"
import { cut, line, noteFor } from "../../src/write/LongText.ts"

const text = (content: string, row = 1) => ({ table: "contracts", row, column: "extra", text: content })

it("gives each text a line of its own, and the cell says which", () => {
  const note = noteFor("a.xlsx.texts.ndjson")
  expect(note(text("one\ntwo"), 1)).toBe("[7 characters: see line 1 of a.xlsx.texts.ndjson]")
  const lines = [text("one\ntwo"), text('"\u{1F3E0}\ud800', 2)].map(line)
  expect(lines.map((each) => each.split("\n").length)).toEqual([2, 2])
  expect(lines.map((each) => JSON.parse(each))).toEqual([text("one\ntwo"), text('"\u{1F3E0}\ud800', 2)])
})

it("cuts a text where no file can hold the rest, and no character in two", () => {
  expect(cut(text("x".repeat(40_000)), 1)).toBe(`${"x".repeat(32_000)}…`)
  const houses = cut(text(`x${"\u{1F3E0}".repeat(20_000)}`), 1)
  expect(houses.isWellFormed()).toBe(true)
  expect(houses.length).toBeLessThan(32_767)
})
