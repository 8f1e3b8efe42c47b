import { describe, expect, it } from "vitest"
import * as Source from "../../src/tree/Source.ts"

const code = (text: string) => Source.read("a.ts", text).code

describe("Source", () => {
  it.each([
    ["a line comment", "a // b\nc", "a     \nc"],
    ["a block comment over two lines", "a /* b\n b */ c", "a     \n      c"],
    ["the inside of a string", `x = "a // b" // c`, `x = "      "     `],
    ["an escaped quote", String.raw`'it\'s' + y`, `'     ' + y`],
    ["a regular expression with quotes and slashes", `x = /["'/]\\//g.y`, `x = ${" ".repeat(10)}.y`],
    ["a template, but not the value in it", "`a ${b + `c ${d}`} e` + f", "`  ${b + `  ${d}`}  ` + f"],
  ])("blanks %s and keeps every position", (_, text, expected) => {
    expect(code(text)).toBe(expected)
    expect(code(text)).toHaveLength(text.length)
  })

  it("tells a division from a regular expression", () => {
    expect(code(`a / b / "c"`)).toBe(`a / b / " "`)
    expect(code("(a) / 2 // half")).toBe("(a) / 2        ")
    expect(code("return /'/")).toBe("return    ")
  })

  it("takes the text of an element for text", () => {
    expect(Source.read("a.tsx", `x = <p title="// a">// b {y}</p>`).code).toBe(
      `x = <p title="    ">     {y}</p>`,
    )
  })

  it.each([
    ["process.env.HOME", ["process.env.HOME", "process.env"]],
    [`process?.["env"]`, ["process.env"]],
    ["(globalThis as object).process!.env", ["globalThis.process.env", "globalThis.process"]],
    ["const { env } = process", ["process.env"]],
    ["new URL(import.meta.url)", ["import.meta.url"]],
    ["a[b].c", ["a.*.c", "a.*"]],
    ["call().env", []],
  ])("reads the names of %s", (text, chains) => {
    expect(Source.read("a.ts", text).chains.map(({ chain }) => chain)).toEqual(chains)
  })

  it("keeps comments with their places", () => {
    const { comments, text } = Source.read("a.ts", `x = "// no"\n// yes\n/* and */`)
    expect(comments.map(({ text }) => text)).toEqual(["// yes", "/* and */"])
    expect(comments.map(({ start }) => Source.lineAt(text, start))).toEqual([2, 3])
  })
})
