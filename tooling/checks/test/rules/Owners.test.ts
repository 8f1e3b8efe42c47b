import { describe, expect, it } from "vitest"
import * as Owners from "../../src/rules/Owners.ts"
import { found, tried } from "../workspace.ts"

describe("Owners", () => {
  it("libraries, the environment, the browser and the opened key are used by their owners only", () => {
    expect(found(Owners.check)).toEqual([])
  })

  it.each([
    ["packages/export/src/X.ts", `import Papa from "papaparse"`, "papaparse"],
    ["apps/cli/src/X.ts", `const Excel = await import("exceljs")`, "exceljs"],
    ["apps/cli/src/X.ts", `import { DatabaseSync } from "node:sqlite"`, "node:sqlite"],
    ["packages/core/src/X.ts", "const key = process.env.DEEDKIT_API_KEY", "the environment"],
    ["apps/cli/src/bin.ts", `process.env["HOME"]`, "the environment"],
    ["packages/core/src/X.ts", "globalThis.process?.env", "the environment"],
    ["packages/core/src/X.ts", "const { env } = process", "the environment"],
    ["packages/core/src/X.ts", "(globalThis as object)['process'].env", "the environment"],
    ["apps/cli/src/bin.ts", `import { env } from "node:process"`, "the environment"],
    ["packages/core/src/X.ts", "chrome.storage.local", "the browser's extension API"],
    ["apps/cli/src/X.ts", "const text = Redacted.value(key)", "the opened key"],
    ["apps/cli/src/X.ts", "keys.map(Redacted.value)", "the opened key"],
    ["packages/emulator/src/X.ts", `import * as Schema from "effect/Schema"`, "effect"],
    ["packages/emulator/test/X.test.ts", `import { it } from "@effect/vitest"`, "effect"],
    ["packages/core/src/X.ts", `import { Effect } from "effect"`, "an Effect barrel"],
    ["apps/cli/src/bin.ts", `import { NodeRuntime } from "@effect/platform-node"`, "an Effect barrel"],
  ])("%s may not hold: %s", (path, text, what) => {
    expect(tried(Owners.check, path, text)).toEqual([expect.stringContaining(`${path}:1 uses ${what}: `)])
  })

  it.each([
    ["packages/export-csv/src/X.ts", `import Papa from "papaparse"`],
    ["packages/export/test/X.test.ts", `import Papa from "papaparse"`],
    ["packages/export-xlsx/src/X.ts", `import Excel from "exceljs"`],
    ["packages/sync/src/X.ts", `import { DatabaseSync } from "node:sqlite"`],
    ["apps/cli/src/terminal/Environment.ts", "process.env"],
    ["packages/export/test/X.test.ts", "process.env"],
    ["apps/cli/src/bin.ts", "process.exitCode = 1 // never process.env"],
    ["apps/extension/src/X.ts", "browser.runtime.sendMessage()"],
    ["packages/core/src/X.ts", "options.browser.name"],
    ["packages/core/src/call/ClientConfig.ts", "Redacted.value(key)"],
    ["packages/core/test/X.test.ts", "Redacted.value(key)"],
    ["apps/cli/src/X.ts", `import * as NodeRuntime from "@effect/platform-node/NodeRuntime"`],
    ["packages/core/src/X.ts", `import * as Effect from "effect/Effect"`],
  ])("%s may hold: %s", (path, text) => {
    expect(tried(Owners.check, path, text)).toEqual([])
  })
})
