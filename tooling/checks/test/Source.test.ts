import { describe, expect, it } from "vitest"
import * as Source from "../src/Source.ts"

const code = (text: string) => Source.read("a.ts", text).code
const imported = (text: string) => Source.read("a.ts", text).imports

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
  })

  it("tells a division from a regular expression, and the text of an element from code", () => {
    expect(code(`a / b / "c"`)).toBe(`a / b / " "`)
    expect(Source.read("a.tsx", `x = <p title="// a">// b {y}</p>`).code).toBe(
      `x = <p title="    ">     {y}</p>`,
    )
  })

  it.each([
    `import "x"`,
    `import * as A from "x"`,
    `import type { A } from "x"`,
    `import a, { b, type C as $d } from "x"`,
    `export * from "x"`,
    `export { a, b as c } from "x"`,
    `export type { A } from "x"`,
    "const a = await import(`x`)",
    `type A = import("x").A`,
  ])("finds the module of %s", (text) => {
    expect(imported(text)).toEqual([{ specifier: "x", line: 1 }])
  })

  it.each([
    `// import "x"`,
    `const text = 'import a from "x"'`,
    `export const a = "x"`,
    `conditions.import\n"x"`,
    "import(`./${name}.ts`)",
  ])("finds none in %s", (text) => {
    expect(imported(text)).toEqual([])
  })

  it("says on which line the specifier stands", () => {
    expect(imported(`import {\n  a,\n} from "x"\nimport "y"`)).toEqual([
      { specifier: "x", line: 3 },
      { specifier: "y", line: 4 },
    ])
  })
})
