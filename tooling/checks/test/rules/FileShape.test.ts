import { describe, expect, it } from "vitest"
import * as FileShape from "../../src/rules/FileShape.ts"
import { found, tried } from "../workspace.ts"

const path = "packages/core/src/X.ts"
const long = "\n".repeat(250) + "export {}"

describe("FileShape", () => {
  it("every source file opens with a header that says what it is for", () => {
    expect(found(FileShape.checkHeaders)).toEqual([])
  })

  it.each([
    "export {}",
    "/* Not a header. */",
    "// Says what it is for.",
    "/** */",
    "/** Pages */",
    "\n/** Too late, this. */",
  ])("finds no header in %j", (text) => {
    expect(tried(FileShape.checkHeaders, path, text)).toHaveLength(1)
  })

  it.each([
    "/** Lists what is public. */",
    "#!/usr/bin/env node\n/** Wires the program. */",
    "/**\n * Pages of\n * records.\n */",
  ])("finds the header in %j", (text) => {
    expect(tried(FileShape.checkHeaders, path, text)).toEqual([])
  })

  it("no source file is over 250 lines without a reason in its header", () => {
    expect(found(FileShape.checkLengths)).toEqual([])
  })

  it("finds the file of 251 lines, and takes 250, or a reason", () => {
    expect(tried(FileShape.checkLengths, path, long)).toEqual([
      expect.stringContaining(`${path}:251 has 251 lines`),
    ])
    expect(tried(FileShape.checkLengths, path, long.slice(1))).toEqual([])
    expect(tried(FileShape.checkLengths, path, `/** A table. Length: one row a country. */${long}`)).toEqual(
      [],
    )
  })

  it("no file or folder has a name that says nothing", () => {
    expect(found(FileShape.checkNames)).toEqual([])
  })

  it.each([
    "src/utils.ts",
    "src/helpers/x.ts",
    "src/KeyManager.ts",
    "src/string-util.test.ts",
    "common/README.md",
  ])("%s says nothing", (name) => {
    expect(tried(FileShape.checkNames, `packages/core/${name}`, "")).toHaveLength(1)
  })

  it.each(["src/Contract.ts", "src/Commonwealth.ts", ".github/workflows/ci.yml"])(
    "%s says something",
    (name) => {
      expect(tried(FileShape.checkNames, `packages/core/${name}`, "")).toEqual([])
    },
  )
})
