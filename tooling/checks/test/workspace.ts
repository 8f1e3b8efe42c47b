/** Trees to try rules on: this workspace, and small made-up ones with the manifests of real packages. */
import * as Tree from "../src/Tree.ts"

export const here = Tree.read(Tree.root)

const manifest = (name: string, ...entries: ReadonlyArray<string>): string =>
  JSON.stringify({
    name: `@deedkit/${name}`,
    exports: Object.fromEntries(
      entries.map((entry) => [
        entry === "index" ? "." : `./${entry}`,
        { "@deedkit/source": `./src/${entry}.ts`, default: `./dist/${entry}.js` },
      ]),
    ),
  })

const manifests = {
  "packages/core/package.json": manifest("core", "index", "node"),
  "packages/export/package.json": manifest("export", "index", "run"),
  "packages/export-csv/package.json": manifest("export-csv", "index"),
}

type Rule = (tree: Tree.Tree) => ReadonlyArray<Tree.Finding>

/** What a rule finds in a made-up workspace of these files. */
export const tried = (rule: Rule, files: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Tree.lines(rule(Tree.of({ ...manifests, ...files })))

/** What a rule finds in this workspace. */
export const found = (rule: Rule): ReadonlyArray<string> => Tree.lines(rule(here))
