/**
 * The contents of the sources zip, relative to the root of the workspace: everything that the extension is built from and nothing else, so that a
 * reviewer can build it in an empty folder and get the same bytes. Tests, pictures and the other programs of the workspace are left out.
 */

/** The workspace's packages whose sources go into the extension. */
export const packages = ["core", "export", "export-csv", "export-xlsx"]

/** What pnpm reads before it installs anything. */
const workspace = ["LICENSE", "package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "tsconfig.base.json"]

/** Their sources are not needed; the lockfile names them, so their names must be there. */
const namesOnly = ["packages/emulator/package.json", "tooling/config/package.json"]

const extension = [
  "package.json",
  "README.md",
  "tsconfig.json",
  "wxt.config.ts",
  "Sources.ts",
  "bundling/*.ts",
  "public/**",
  "src/**",
  "store/*.md",
]

/** Patterns, as WXT takes them. */
export const sources: ReadonlyArray<string> = [
  ...workspace,
  ...namesOnly,
  ...packages.flatMap((name) =>
    ["package.json", "tsconfig.json", "src/**"].map((part) => `packages/${name}/${part}`),
  ),
  ...extension.map((part) => `apps/extension/${part}`),
]
