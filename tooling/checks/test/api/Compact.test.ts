import { describe, expect, it } from "vitest"
import { declaration, gist, width } from "../../src/api/Compact.ts"

describe("the gist of a docstring", () => {
  it.each([
    ["Sends e.g. a letter. Fails with `Lost`.", "Sends e.g. a letter."],
    ["Sends a letter; fails with `Lost`.", "Sends a letter."],
    ["Whether a letter was sent: it has a stamp, a text.", "Whether a letter was sent."],
    ["404 or 410: there is no such letter.", "404 or 410: there is no such letter."],
    ["Sends a letter (Spec: Endpoints 5). Fails.", "Sends a letter."],
    ["Why it was lost. - `rain`: it got wet. - `wind`: it flew.", "Why it was lost."],
  ])("%s", (docs, said) => {
    expect(gist(docs)).toBe(said)
  })
})

describe("a declaration", () => {
  it.each([
    ["type A = {\n  readonly a: string;\n  readonly b: string;\n};", "A = { a, b: string }"],
    [
      "interface A {\n  a: string;\n  b?: number | undefined;\n  c?: number | undefined;\n}",
      "A { a: string; b?, c?: number }",
    ],
    ["interface A {\n  a: string;\n  b: number;\n  c: string;\n}", "A { a: string; b: number; c: string }"],
    ['interface A {\n  readonly _tag: "A";\n  a: ReadonlyArray<B.C>;\n}', "A { a: B.C[] }"],
    ['interface A {\n  readonly _tag: "A";\n}', "A {}"],
    ['interface A {\n  readonly _tag: "B";\n}', 'A { _tag: "B" }'],
    [
      "interface A {\n  a: {\n    x: 1;\n    y: 1;\n  };\n  b: {\n    x: 1;\n    y: 1;\n  };\n}",
      "A { a, b: { x, y: 1 } }",
    ],
    [
      "const a: (b: {\n  x: number;\n  y: number;\n}, c: string) => { d: 1; };",
      "a: (b: { x, y: number }, c: string) => { d: 1 }",
    ],
    [
      "type A = {\n  [Name in B]: (b: Extract<B, {\n    readonly _tag: Name;\n  }>) => C;\n};",
      "A = { [Name in B]: (b: Extract<B, { _tag: Name }>) => C }",
    ],
    ["type A =\n  | B\n  | C | undefined;", "A = B | C | undefined"],
    [
      "class A extends B {\n  get a(): string;\n  readonly b: number;\n}",
      "class A extends B { get a(): string; b: number }",
    ],
  ])("%s", (text, shown) => {
    expect(declaration("A", text)).toEqual([shown])
  })

  it("that has functions and is too long for a line has a line for each member", () => {
    const member = `(${"x".repeat(width / 2)}: number) => void`
    expect(declaration("A", `interface A {\n  a: ${member};\n  b: 1;\n  c: ${member};\n}`)).toEqual([
      "A {",
      `  a: ${member}`,
      "  b: 1",
      `  c: ${member}`,
      "}",
    ])
  })

  it("that is too long for a line is broken between its members, and loses nothing", () => {
    const members = Array.from({ length: 60 }, (_, at) => `member${at}: ${at}`)
    const lines = declaration("A", `interface A {\n  ${members.join(";\n  ")};\n}`)
    expect(lines.length).toBeGreaterThan(3)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
    expect(lines.map((line) => line.trim()).join(" ")).toBe(`A { ${members.join("; ")} }`)
  })
})
