import { describe, expect, it } from "vitest"
import * as SourceText from "../../src/tree/SourceText.ts"

const code = (text: string) => SourceText.read(text).code

describe("SourceText", () => {
  it.each([
    ["a line comment", "a // b\nc", "a     \nc"],
    ["a block comment over two lines", "a /* b\n b */ c", "a     \n      c"],
    ["the inside of a string", `x = "a // b" // c`, `x = "      "     `],
    ["an escaped quote", String.raw`'it\'s' + y`, `'     ' + y`],
    ["a regular expression with quotes and slashes", `x = /["'/]\\//g.y`, `x = ${" ".repeat(10)}.y`],
    ["a template, but not the value in it", "`a ${b + `c ${d}`} e` + f", "`  ${b + `  ${d}`}  ` + f"],
    ["a comment that nobody closed", "a /* b", "a     "],
  ])("blanks %s and keeps every position", (_, text, expected) => {
    expect(code(text)).toBe(expected)
    expect(code(text)).toHaveLength(text.length)
  })

  it("tells a division from a regular expression", () => {
    expect(code(`a / b / "c"`)).toBe(`a / b / " "`)
    expect(code("(a) / 2 // half")).toBe("(a) / 2        ")
    expect(code("return /'/")).toBe("return    ")
  })

  it("lets a string end at the end of its line, so that a stray quote spoils one line only", () => {
    expect(code("don't\nstop // here")).toBe("don't\nstop        ")
  })

  it("keeps comments with their places", () => {
    const { comments, text } = SourceText.read(`x = "// no"\n// yes\n/* and */`)
    expect(comments.map(({ text }) => text)).toEqual(["// yes", "/* and */"])
    expect(comments.map(({ start }) => SourceText.lineAt(text, start))).toEqual([2, 3])
  })
})
