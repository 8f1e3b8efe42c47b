import { describe, expect, it } from "vitest"
import * as Folders from "../../src/rules/Folders.ts"
import * as Finding from "../../src/tree/Finding.ts"
import { found, madeUp } from "../workspace.ts"

const cycles = (files: Readonly<Record<string, string>>) => Finding.lines(Folders.checkCycles(madeUp(files)))
const wide = (files: Readonly<Record<string, string>>) => Finding.lines(Folders.checkWidths(madeUp(files)))
const numbered = (count: number, folder: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/F${at}.ts`, ""]))

describe("Folders", () => {
  it("have at most 14 entries", () => {
    expect(found(Folders.checkWidths)).toEqual([])
  })

  it("do not import each other", () => {
    expect(found(Folders.checkCycles)).toEqual([])
  })

  it("of 14 entries pass, and of 15 do not, folders counted", () => {
    expect(wide(numbered(14, "packages/core/src/a"))).toEqual([])
    expect(wide({ ...numbered(14, "packages/core/src/a"), "packages/core/src/a/b/X.ts": "" })).toEqual([
      expect.stringContaining("packages/core/src/a has 15 entries, over 14"),
    ])
  })

  it("may import downwards, and their own files", () => {
    expect(
      cycles({
        "packages/core/src/index.ts": `export * from "./a/A.ts"`,
        "packages/core/src/a/A.ts": `import "./B.ts"\nimport "../b/C.ts"`,
        "packages/core/src/a/B.ts": "",
        "packages/core/src/b/C.ts": "",
      }),
    ).toEqual([])
  })

  it.each([
    ["values", `import "../b/B.ts"`, `import "../a/A.ts"`],
    ["types", `import type { B } from "../b/B.ts"`, `import type { A } from "../a/A.ts"`],
    ["types in place", `type X = import("../b/B.ts").B`, `import type { A } from "../a/C.ts"`],
    ["what is loaded later", `void import("../b/B.ts")`, `export { A } from "../a/C.ts"`],
  ])("that import each other are found: %s", (_, a, b) => {
    const files = {
      "packages/core/src/a/A.ts": a,
      "packages/core/src/a/C.ts": "",
      "packages/core/src/b/B.ts": b,
    }
    expect(cycles(files)).toEqual([
      expect.stringContaining("packages/core/src/a/A.ts:1 imports ../b/B.ts"),
      expect.stringContaining("packages/core/src/b/B.ts:1 imports ../a/"),
    ])
  })

  it("that lead back over a third one are found with the way", () => {
    const files = {
      "packages/core/src/a/A.ts": `import "../b/B.ts"`,
      "packages/core/src/b/B.ts": `import "../c/C.ts"`,
      "packages/core/src/c/C.ts": `import "../a/A.ts"`,
    }
    const [first] = cycles(files)
    expect(first).toContain("packages/core/src/b -> packages/core/src/c -> packages/core/src/a")
    expect(cycles(files)).toHaveLength(3)
  })

  it("of tests are not looked at for cycles", () => {
    expect(
      cycles({
        "packages/core/test/a/A.ts": `import "../b/B.ts"`,
        "packages/core/test/b/B.ts": `import "../a/A.ts"`,
      }),
    ).toEqual([])
  })
})
