/** Trees to try rules on: this workspace, and small made-up ones with the manifests of real packages. */
import * as Finding from "../src/tree/Finding.ts"
import * as Tree from "../src/tree/Tree.ts"

export const here = Tree.read(Tree.root)

const manifest = (name: string, rest: object = {}) => JSON.stringify({ name, ...rest })
const entry = (file: string) => ({ "@deedkit/source": `./src/${file}`, default: `./dist/${file}` })

const manifests = {
  "package.json": manifest("root", { devDependencies: { vitest: "catalog:" } }),
  "packages/core/package.json": manifest("@deedkit/core", {
    exports: { ".": entry("index.ts"), "./node": entry("node.ts") },
    dependencies: { effect: "catalog:" },
    devDependencies: { "@deedkit/emulator": "workspace:^" },
  }),
  "packages/emulator/package.json": manifest("@deedkit/emulator", { exports: { ".": entry("index.ts") } }),
  "packages/export/package.json": manifest("@deedkit/export", {
    exports: { ".": entry("index.ts"), "./run": entry("run.ts") },
    dependencies: { "@deedkit/core": "workspace:^" },
  }),
  "packages/export-csv/package.json": manifest("@deedkit/export-csv", {
    exports: { ".": entry("index.ts") },
    dependencies: { "@deedkit/export": "workspace:^", papaparse: "catalog:" },
  }),
  "apps/cli/package.json": manifest("deedkit", { devDependencies: { "@deedkit/core": "workspace:^" } }),
  "apps/extension/package.json": manifest("@deedkit/extension", { private: true }),
  "tooling/bench/package.json": manifest("@deedkit/bench", { private: true }),
  "tooling/config/package.json": manifest("@deedkit/config", { private: true }),
}

/** A made-up workspace of our packages that holds only these files. */
export const madeUp = (files: Readonly<Record<string, string>>): Tree.Tree =>
  Tree.of({ ...manifests, ...files })

/** What a rule finds in a made-up workspace of one file. */
export const tried = (
  rule: (tree: Tree.Tree) => ReadonlyArray<Finding.Finding>,
  path: string,
  text: string,
): ReadonlyArray<string> => Finding.lines(rule(madeUp({ [path]: text })))

/** What a rule finds in this workspace. */
export const found = (rule: (tree: Tree.Tree) => ReadonlyArray<Finding.Finding>): ReadonlyArray<string> =>
  Finding.lines(rule(here))
