import { describe, expect, it } from "vitest"
import * as Doors from "../../src/rules/Doors.ts"
import { found, tried } from "../workspace.ts"

describe("Doors", () => {
  it("packages are entered through their exports, and nothing internal leaves its package", () => {
    expect(found(Doors.check)).toEqual([])
  })

  it.each([
    ["packages/export/src/X.ts", "@deedkit/core/internal/Attempt"],
    ["packages/export/src/X.ts", "@deedkit/core/src/Contract.ts"],
    ["packages/export/src/X.ts", "../../core/src/internal/Attempt.ts"],
    ["packages/export/test/X.test.ts", "../../core/src/Contract.ts"],
    ["packages/core/examples/x.ts", "../src/internal/Attempt.ts"],
    ["packages/core/examples/x.ts", "../../src/index.ts"],
    ["apps/cli/src/X.ts", "@deedkit/core/promise"],
  ])("%s may not enter by %s", (path, specifier) => {
    expect(tried(Doors.check, path, `import "${specifier}"`)).toEqual([
      expect.stringMatching(`^${path}:1 imports ${specifier}, but `),
    ])
  })

  it.each([
    ["packages/export/src/X.ts", "@deedkit/core/node"],
    ["packages/core/src/X.ts", "./internal/Attempt.ts"],
    ["packages/core/test/internal/Attempt.test.ts", "../../src/internal/Attempt.ts"],
    ["packages/core/examples/x.ts", "./contracts.ts"],
    ["packages/core/src/X.ts", "effect/Effect"],
  ])("%s may enter by %s", (path, specifier) => {
    expect(tried(Doors.check, path, `import "${specifier}"`)).toEqual([])
  })
})
