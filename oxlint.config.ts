/**
 * The linter's rules. They include the architecture: which package may import which, and what has one owner. A rule of an override replaces the same rule above it,
 * so each list of restricted imports is whole.
 */
import { defineConfig } from "oxlint"

interface Restricted {
  readonly regex?: string
  readonly group?: Array<string>
  readonly message: string
}

const readsEnvironment =
  "Only Environment.ts and bin.ts of the command line read the environment: take the setting as an argument."
const opensKey =
  "Only the client's configuration and call, and the stores of keys, open a key: pass the Redacted on."
const runsInBrowser = "Only apps/extension runs as an extension: pass in what is needed."

/** Modules that one package uses, with what the others do instead. */
const owned: ReadonlyArray<readonly [owner: string, module: string, instead: string]> = [
  ["export-csv", "papaparse", "Only @deedkit/export-csv reads and writes CSV: use its writer."],
  ["export-xlsx", "exceljs", "Only @deedkit/export-xlsx writes workbooks: use its writer."],
  ["sync", "node:sqlite", "Only @deedkit/sync keeps records in SQLite: use its mirror."],
  ["sync-postgres", "@effect/sql-pg", "Only @deedkit/sync-postgres uses PostgreSQL: use its mirror."],
]

/** For all code: no barrels, and no path into another package. */
const everywhere: ReadonlyArray<Restricted> = [
  {
    regex: "^(effect|@effect/platform-node)$",
    message: 'A barrel loads everything that it lists: import the module itself, such as "effect/Stream".',
  },
  {
    regex: String.raw`^(\.\./)+[\w-]+/(src|test)/`,
    message: "This leaves the package: import the other package by its name.",
  },
]

const environment: Restricted = { regex: "^(node:)?process$", message: readsEnvironment }

const modulesOfOthers = (folder?: string): ReadonlyArray<Restricted> =>
  owned
    .filter(([owner]) => owner !== folder)
    .map(([, module, message]) => ({ regex: `^${module}(/|$)`, message }))

const packagesBut = (known: ReadonlyArray<string>, message: string): Restricted => ({
  group: ["@deedkit/**", ...known.flatMap((name) => [`!@deedkit/${name}`, `!@deedkit/${name}/**`])],
  message,
})

const restrict = (...patterns: ReadonlyArray<Restricted>) => ({
  "no-restricted-imports": ["error", { patterns: [...patterns] }] as ["error", object],
})

/** The packages that the sources of each package import. */
const directions: { readonly [folder: string]: ReadonlyArray<string> } = {
  core: [],
  export: ["core"],
  "export-csv": ["export"],
  "export-parquet": ["export"],
  "export-xlsx": ["export"],
  sync: ["core"],
  "sync-postgres": ["core", "sync"],
}

const direction = ([folder, known]: readonly [string, ReadonlyArray<string>]) => ({
  files: [`packages/${folder}/src/**`],
  rules: restrict(
    ...everywhere,
    environment,
    ...modulesOfOthers(folder),
    packagesBut(
      known,
      `Sources of @deedkit/${folder} import ${known.length === 0 ? "no package of ours" : `of ours only ${known.join(" and ")}`}.`,
    ),
  ),
})

const environmentProperties = [
  { object: "process", property: "env", message: readsEnvironment },
  { object: "globalThis", property: "process", message: readsEnvironment },
]
const keyProperty = { object: "Redacted", property: "value", message: opensKey }

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "node", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "warn" },
  rules: {
    "no-underscore-dangle": "off",
    "no-await-in-loop": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-unassigned-import": "off",
    "no-shadow": "off",
    "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }],
    "unicorn/consistent-function-scoping": "off",
    "promise/valid-params": "off",
    "promise/always-return": "off",
    "typescript/consistent-return": "off",
    "vitest/no-standalone-expect": [
      "error",
      {
        additionalTestBlockFunctions: [
          "it",
          "it.for",
          "it.effect",
          "it.live",
          "it.effect.prop",
          "it.effect.runIf",
          "it.live.runIf",
        ],
      },
    ],
    "unicorn/require-post-message-target-origin": "off",
    "vitest/no-conditional-expect": "off",
    ...restrict(...everywhere, environment, ...modulesOfOthers()),
    "no-restricted-properties": ["error", ...environmentProperties, keyProperty],
    "no-restricted-globals": [
      "error",
      {
        globals: [
          { name: "browser", message: runsInBrowser },
          { name: "chrome", message: runsInBrowser },
        ],
        checkGlobalObject: true,
      },
    ],
  },
  overrides: [
    {
      files: ["packages/*/src/**"],
      rules: restrict(
        ...everywhere,
        environment,
        ...modulesOfOthers(),
        packagesBut([], "Write in oxlint.config.ts, under directions, which packages this one may import."),
      ),
    },
    ...Object.entries(directions).map(direction),
    {
      files: ["packages/emulator/**"],
      rules: restrict(
        ...everywhere,
        environment,
        ...modulesOfOthers(),
        {
          regex: "^@?effect(/|$)",
          message:
            "The emulator reads the specification without the client's tools: write it in plain TypeScript.",
        },
        packagesBut(["emulator", "config"], "The emulator imports no package of ours."),
      ),
    },
    // Tests read back what a package wrote, with the library that another program would use.
    {
      files: ["**/test/**", "tooling/bench/**"],
      excludeFiles: ["packages/emulator/**"],
      rules: restrict(...everywhere),
    },
    {
      files: ["packages/*/examples/**"],
      rules: restrict(...everywhere, environment, {
        regex: String.raw`^(\.\./)+src/`,
        message: "An example shows what a user writes: import the package by its name.",
      }),
    },
    {
      files: [
        "apps/cli/prepack.ts",
        "apps/cli/src/bin.ts",
        "apps/cli/src/**/Environment.ts",
        "tooling/config/src/**",
        "*.config.ts",
      ],
      rules: {
        ...restrict(...everywhere, ...modulesOfOthers()),
        "no-restricted-properties": ["error", keyProperty],
      },
    },
    {
      files: [
        "packages/core/src/**/{ClientConfig,operations,call}.ts",
        "packages/sync-postgres/src/Address.ts",
        "apps/cli/src/**/KeyStore.ts",
        "apps/extension/src/background/Account.ts",
      ],
      rules: { "no-restricted-properties": ["error", ...environmentProperties] },
    },
    { files: ["**/test/**"], rules: { "no-restricted-properties": "off" } },
    { files: ["apps/extension/**"], rules: { "no-restricted-globals": "off" } },
  ],
  ignorePatterns: ["**/dist/**"],
})
