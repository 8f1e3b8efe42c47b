/**
 * Things that have one owner in the workspace: a library, a global, the unwrapped key. Each row says what it is, which files own it, and what all
 * other files use instead.
 */
import type { Finding } from "../tree/Finding.ts"
import { packageOf } from "../tree/Imports.ts"
import type { Tree } from "../tree/Tree.ts"
import type { Module } from "../tree/Workspace.ts"
import { modules } from "../tree/Workspace.ts"

interface Owned {
  readonly what: string
  /** The lines on which a module uses it. */
  readonly uses: (module: Module) => ReadonlyArray<number>
  readonly isHome: (module: Module) => boolean
  readonly advice: string
}

const imported =
  (matches: (specifier: string) => boolean) =>
  ({ source }: Module): ReadonlyArray<number> =>
    source.imports.filter(({ specifier }) => matches(specifier)).map(({ line }) => line)

/** The lines that read a chain of names that matches the pattern. */
const named =
  (pattern: RegExp) =>
  ({ source }: Module): ReadonlyArray<number> => [
    ...new Set(source.chains.filter(({ chain }) => pattern.test(chain)).map(({ line }) => line)),
  ]

const under =
  (...folders: ReadonlyArray<string>) =>
  ({ path }: Module): boolean =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`))

const isTest = ({ area }: Module): boolean => area === "test"
const isMeasure = under("tooling/bench")

const environment = "apps/cli/src/terminal/Environment.ts"
const keyHolders = under(
  "packages/core/src/call/ClientConfig.ts",
  "packages/core/src/client/Operations.ts",
  "packages/core/src/call/Attempt.ts",
  "apps/cli/src/store/KeyStore.ts",
  "apps/cli/src/sync/changes/notify/Signature.ts",
  "apps/extension/src/background/accounts/KeyStore.ts",
  "apps/extension/src/background/lock/Passphrase.ts",
)

const table: ReadonlyArray<Owned> = [
  {
    what: "papaparse",
    uses: imported((specifier) => packageOf(specifier) === "papaparse"),
    isHome: (module) => under("packages/export-csv")(module) || isTest(module) || isMeasure(module),
    advice: "only @deedkit/export-csv writes CSV; use its writer (tests may read back with it)",
  },
  {
    what: "exceljs",
    uses: imported((specifier) => packageOf(specifier) === "exceljs"),
    isHome: (module) => under("packages/export-xlsx")(module) || isTest(module) || isMeasure(module),
    advice: "only @deedkit/export-xlsx writes workbooks; use its writer (tests may read back with it)",
  },
  {
    what: "node:sqlite",
    uses: imported((specifier) => specifier === "node:sqlite"),
    isHome: (module) =>
      under("packages/sync")(module) || isTest(module) || isMeasure(module) || module.area === "examples",
    advice: "only @deedkit/sync keeps records in SQLite; use its mirror (tests may read one with it)",
  },
  {
    what: "PostgreSQL",
    uses: imported((specifier) => packageOf(specifier) === "@effect/sql-pg"),
    isHome: (module) => under("packages/sync-postgres")(module) || isTest(module) || isMeasure(module),
    advice:
      "only @deedkit/sync-postgres keeps records in PostgreSQL; use its mirror (tests may read one with it)",
  },
  {
    what: "the environment",
    uses: (module) => [
      ...named(/^(?:globalThis\.)?process\.env\b/)(module),
      ...imported((specifier) => /^(?:node:)?process$/.test(specifier))(module),
    ],
    // turbo takes its telemetry switch only from the environment, and its launcher passes on the rest unread; the server is for tests.
    // The compile cache has to be found before anything else is loaded.
    isHome: (module) =>
      under(environment, "apps/cli/src/bin.ts", "tooling/config/src")(module) || isTest(module),
    advice: `only ${environment} reads it; take the setting as an argument`,
  },
  {
    what: "the browser's extension API",
    uses: named(/^(?:globalThis\.)?(?:browser|chrome)\.[a-zA-Z]/),
    isHome: under("apps/extension"),
    advice: "only apps/extension runs in an extension; pass in what is needed from there",
  },
  {
    what: "the opened key",
    uses: named(/^Redacted\.(?:value|getRedacted)\b/),
    isHome: (module) => keyHolders(module) || isTest(module),
    advice:
      "only the client's configuration, fingerprint and attempt, the stores of keys, and the signature of a webhook, open one; pass the Redacted on",
  },
  {
    what: "effect",
    uses: imported((specifier) => /^(?:effect|@effect\/[^/]+)(?:\/|$)/.test(specifier)),
    isHome: (module) => !under("packages/emulator")(module),
    advice: "the emulator reads the specification without the client's tools; write it in plain TypeScript",
  },
  {
    what: "an Effect barrel",
    uses: imported((specifier) => /^(?:effect|@effect\/platform-node)$/.test(specifier)),
    isHome: () => false,
    advice: 'barrels load everything they list; import the module itself, such as "effect/Stream"',
  },
]

export const check = (tree: Tree): ReadonlyArray<Finding> =>
  modules(tree).flatMap((module) =>
    table
      .filter(({ isHome }) => !isHome(module))
      .flatMap(({ what, uses, advice }) =>
        uses(module).map((line) => ({ path: module.path, line, message: `uses ${what}: ${advice}` })),
      ),
  )
