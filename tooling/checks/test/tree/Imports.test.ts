import { describe, expect, it } from "vitest"
import * as Imports from "../../src/tree/Imports.ts"
import * as Source from "../../src/tree/Source.ts"

const found = (text: string) => Source.read("a.ts", text).imports.map(({ specifier }) => specifier)

describe("Imports", () => {
  it.each([
    `import "x"`,
    `import a from 'x'`,
    `import * as A from "x"`,
    `import type { A } from "x"`,
    `import a, { b, type C as $d } from "x"`,
    `import {\n  a,\n} from "x"`,
    `export * from "x"`,
    `export * as A from "x"`,
    `export { a, b as c } from "x"`,
    `export type { A } from "x"`,
    `const a = await import("x")`,
    "const a = import(`x`)",
    `type A = import("x").A`,
    `const a = require("x")`,
    `const a = import.meta.resolve("x")`,
  ])("finds the module of %s", (text) => {
    expect(found(text)).toEqual(["x"])
  })

  it.each([
    `// import "x"`,
    `const text = 'import a from "x"'`,
    `const from = import.meta.dirname\nconst a = "x"`,
    `export const a = "x"`,
    `export { a }\nconst from = "x"`,
    `important("x")`,
    `conditions.import\n"x"`,
    "import(`./${name}.ts`)",
  ])("finds none in %s", (text) => {
    expect(found(text)).toEqual([])
  })

  it("says on which line the specifier stands", () => {
    expect(Source.read("a.ts", `import {\n  a,\n} from "x"\nimport "y"`).imports).toEqual([
      { specifier: "x", line: 3 },
      { specifier: "y", line: 4 },
    ])
  })

  it.each([
    ["effect", "effect"],
    ["effect/Stream", "effect"],
    ["@deedkit/core/node", "@deedkit/core"],
    ["./Contract.ts", null],
    ["..", null],
    ["node:fs/promises", null],
  ])("reads the package of %s as %s", (specifier, name) => {
    expect(Imports.packageOf(specifier)).toBe(name)
  })
})
