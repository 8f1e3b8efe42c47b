import { describe, expect, it } from "vitest"
import * as Directions from "../../src/rules/Directions.ts"
import { found, madeUp, tried } from "../workspace.ts"

describe("Directions", () => {
  it("imports between packages go only where the architecture lets them", () => {
    expect(found(Directions.check)).toEqual([])
  })

  it.each([
    ["packages/core/src/X.ts", "@deedkit/export"],
    ["packages/core/src/X.ts", "@deedkit/emulator"],
    ["packages/core/test/X.test.ts", "@deedkit/export"],
    ["packages/emulator/src/X.ts", "@deedkit/core"],
    ["packages/emulator/test/X.test.ts", "@deedkit/core"],
    ["packages/export/src/X.ts", "@deedkit/export-csv"],
    ["packages/export-csv/src/X.ts", "@deedkit/core/node"],
    ["packages/export-csv/src/X.ts", "@deedkit/emulator"],
    ["packages/core/src/Y.ts", "@deedkit/config"],
    ["apps/extension/src/X.ts", "deedkit"],
  ])("%s may not import %s", (path, specifier) => {
    expect(tried(Directions.check, path, `\nimport "${specifier}"`)).toEqual([
      expect.stringMatching(`^${path}:2 imports ${specifier}, but `),
    ])
  })

  it.each([
    ["packages/core/test/X.test.ts", "@deedkit/emulator"],
    ["packages/core/test/Y.test.ts", "@deedkit/config"],
    ["packages/core/examples/x.ts", "@deedkit/core"],
    ["packages/export/src/X.ts", "@deedkit/core"],
    ["packages/export-csv/src/X.ts", "@deedkit/export/run"],
    ["packages/export-csv/test/X.test.ts", "@deedkit/core"],
    ["apps/cli/src/X.ts", "@deedkit/emulator"],
    ["tooling/bench/src/X.ts", "deedkit"],
  ])("%s may import %s", (path, specifier) => {
    expect(tried(Directions.check, path, `import "${specifier}"`)).toEqual([])
  })

  it("a package without a direction is asked for one", () => {
    const tree = madeUp({ "packages/mail/package.json": `{"name":"@deedkit/mail"}` })
    expect(Directions.check(tree)).toMatchObject([{ path: "packages/mail/package.json" }])
  })
})
