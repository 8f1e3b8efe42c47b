/** The linter's configuration knows which package may import which, and what has one owner: tried on made-up files that break each rule and that keep it. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Tree from "../src/Tree.ts"

const broken: ReadonlyArray<readonly [folder: string, code: string, advice: string]> = [
  ["packages/core/src", `import "@deedkit/export"`, "Sources of @deedkit/core import no package of ours."],
  ["packages/core/src", `import "@deedkit/emulator"`, "Sources of @deedkit/core"],
  ["packages/export/src", `import "@deedkit/export-csv"`, "import of ours only core."],
  ["packages/export-csv/src", `import "@deedkit/core/node"`, "import of ours only export."],
  ["packages/sync/src", `import type { Table } from "@deedkit/export"`, "import of ours only core."],
  ["packages/mail/src", `import "@deedkit/core"`, "Write in oxlint.config.ts"],
  ["packages/emulator/src", `import "@deedkit/core"`, "The emulator imports no package of ours."],
  ["packages/emulator/test", `import "@deedkit/core"`, "The emulator imports no package of ours."],
  ["packages/emulator/src", `import * as Schema from "effect/Schema"`, "write it in plain TypeScript"],
  ["packages/emulator/test", `import { it } from "@effect/vitest"`, "write it in plain TypeScript"],
  ["packages/export/src", `import Papa from "papaparse"`, "Only @deedkit/export-csv"],
  ["apps/cli/src", `export const excel = await import("exceljs")`, "Only @deedkit/export-xlsx"],
  ["apps/cli/src", `import { DatabaseSync } from "node:sqlite"`, "Only @deedkit/sync "],
  ["apps/cli/src", `import * as PgClient from "@effect/sql-pg/PgClient"`, "Only @deedkit/sync-postgres"],
  ["packages/core/src", `import { Effect } from "effect"`, "A barrel loads everything"],
  ["packages/core/test", `import { Effect } from "effect"`, "A barrel loads everything"],
  ["apps/cli/src", `import { NodeRuntime } from "@effect/platform-node"`, "A barrel loads everything"],
  ["packages/export/test", `import "../../core/src/index.ts"`, "import the other package by its name"],
  ["packages/core/examples", `import "../src/index.ts"`, "An example shows what a user writes"],
  ["packages/core/src", "export const key = process.env.DEEDKIT_API_KEY", "read the environment"],
  ["apps/cli/src", `export const home = process["env"]`, "read the environment"],
  ["packages/core/src", "export const read = globalThis.process?.env", "read the environment"],
  ["packages/core/src", "export const { env } = process", "read the environment"],
  ["apps/cli/src", `import { env } from "node:process"`, "read the environment"],
  ["packages/core/src", "export const kept = chrome.storage.local", "Only apps/extension runs"],
  ["packages/core/src", "export const kept = globalThis.browser", "Only apps/extension runs"],
  ["apps/cli/src", "export const text = Redacted.value(key)", "open a key"],
  ["apps/cli/src", "export const texts = keys.map(Redacted.value)", "open a key"],
]

const kept: ReadonlyArray<readonly [folder: string, code: string]> = [
  ["packages/core/src", `import * as Effect from "effect/Effect"`],
  ["packages/core/test", `import "@deedkit/emulator"`],
  ["packages/export/src", `import "@deedkit/core/node"`],
  ["packages/export-csv/src", `import Papa from "papaparse"\nimport "@deedkit/export/run"`],
  ["packages/export-csv/test", `import "@deedkit/core"`],
  ["packages/export-xlsx/src", `import Excel from "exceljs"`],
  ["packages/export/test", `import Papa from "papaparse"\nimport "../src/index.ts"`],
  ["packages/sync/src", `import { DatabaseSync } from "node:sqlite"`],
  [
    "packages/sync-postgres/src",
    `import * as PgClient from "@effect/sql-pg/PgClient"\nimport "@deedkit/sync"`,
  ],
  ["packages/core/examples", `import "@deedkit/core"\nimport { DatabaseSync } from "node:sqlite"`],
  ["apps/cli/src", `import "@deedkit/emulator"`],
  ["apps/cli/src/terminal/Environment", "export const home = process.env.HOME"],
  ["apps/extension/src", "browser.runtime.sendMessage()"],
  ["packages/core/src", "export const name = options.browser.name"],
  ["packages/core/src/ClientConfig", "export const text = Redacted.value(key)"],
  ["packages/core/test", "export const text = Redacted.value(process.env.KEY)"],
]

const folder = mkdtempSync(join(tmpdir(), "deedkit-lint-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** What the linter says of each file. */
const advice = new Map<string, Array<string>>()
const fileOf = (kind: string, at: number, place: string): string =>
  /\/[A-Z]\w+$/.test(place) ? `${place}.ts` : `${place}/${kind}${at}.ts`

beforeAll(async () => {
  cpSync(join(Tree.root, "oxlint.config.ts"), join(folder, "oxlint.config.ts"))
  symlinkSync(join(Tree.root, "node_modules"), join(folder, "node_modules"))
  const files = [
    ...broken.map(([place, code], at) => [fileOf("Broken", at, place), code] as const),
    ...kept.map(([place, code], at) => [fileOf("Kept", at, place), code] as const),
  ]
  for (const [path, code] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${code}\n`)
  }
  const program = join(Tree.root, "node_modules/.bin/oxlint")
  const { stdout } = await promisify(execFile)(program, ["--format=json", "apps", "packages"], {
    cwd: folder,
  }).catch((failed: { readonly stdout: string }) => failed)
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: ReadonlyArray<{ code: string; filename: string; help: string; message: string }>
  }
  for (const { code, filename, help, message } of diagnostics)
    if (code.includes("no-restricted"))
      advice.set(filename, [...(advice.get(filename) ?? []), `${message} ${help}`])
}, 60_000)

describe("the linter", () => {
  it.each(broken.map(([place, code, expected], at) => [place, code, expected, at] as const))(
    "refuses in %s: %s",
    (place, _, expected, at) => {
      expect(advice.get(fileOf("Broken", at, place))).toEqual([expect.stringContaining(expected)])
    },
  )

  it.each(kept.map(([place, code], at) => [place, code, at] as const))("allows in %s: %s", (place, _, at) => {
    expect(advice.get(fileOf("Kept", at, place))).toBeUndefined()
  })
})
