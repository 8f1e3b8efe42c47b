import { describe, expect, it } from "vitest"
import * as Dependencies from "../../src/rules/Dependencies.ts"
import { found, madeUp, tried } from "../workspace.ts"

describe("Dependencies", () => {
  it("every import is declared in the manifest of its own package", () => {
    expect(found(Dependencies.checkDeclared)).toEqual([])
  })

  it.each([
    ["packages/core/src/X.ts", "papaparse"],
    ["packages/core/src/X.ts", "@deedkit/emulator"],
    ["packages/core/src/X.ts", "vitest"],
    ["packages/core/test/X.test.ts", "papaparse"],
    ["packages/core/src/X.ts", "fs"],
    ["apps/cli/src/X.ts", "@deedkit/export"],
  ])("%s may not import %s without declaring it", (path, specifier) => {
    expect(tried(Dependencies.checkDeclared, path, `import "${specifier}"`)).toEqual([
      expect.stringMatching(`^${path}:1 imports ${specifier}; declare it `),
    ])
  })

  it.each([
    ["packages/core/src/X.ts", "effect/Stream"],
    ["packages/core/src/X.ts", "node:fs"],
    ["packages/core/test/X.test.ts", "@deedkit/emulator"],
    ["packages/core/test/X.test.ts", "vitest"],
    ["packages/core/examples/x.ts", "@deedkit/core"],
    ["apps/cli/src/X.ts", "@deedkit/core"],
  ])("%s imports %s, which is declared", (path, specifier) => {
    expect(tried(Dependencies.checkDeclared, path, `import "${specifier}"`)).toEqual([])
  })

  it("versions stand in the catalog only", () => {
    expect(found(Dependencies.checkVersions)).toEqual([])
  })

  it("finds a version that stands in a manifest, and its line", () => {
    const text = `{\n  "name": "x",\n  "dependencies": { "effect": "catalog:",\n    "papaparse": "^5.0.0" }\n}`
    expect(Dependencies.checkVersions(madeUp({ "packages/x/package.json": text }))).toMatchObject([
      { path: "packages/x/package.json", line: 4, message: expect.stringContaining("papaparse") },
    ])
  })
})
