/**
 * A change of a package's exports needs a changeset that names the package. The current state is compared with two others: that of the last release
 * and that of the main branch. Docstrings can change without a changeset.
 */
import type { Finding } from "../tree/Finding.ts"
import type { Tree } from "../tree/Tree.ts"
import { manifest } from "../tree/Workspace.ts"

/** The declarations of an `api.md`, without the text around them. */
const declarations = (document: string): string =>
  [...document.matchAll(/^```ts\n(?<code>[^]*?)^```$/gm)]
    .flatMap(({ groups }) => (groups?.["code"] ?? "").split("\n"))
    .map((line) => line.replace(/(?:^|  )\/\/ .*$/, ""))
    .filter((line) => line !== "")
    .join("\n")

const isChangeset = (path: string): boolean => /^\.changeset\/(?!README\.md$)[^/]+\.md$/.test(path)

/** Whether the front matter of a changeset names the package. */
const names = (changeset: string, name: string): boolean =>
  (/^---\n(?<front>[^]*?)^---$/m.exec(changeset)?.groups?.["front"] ?? "")
    .split("\n")
    .some((line) => /^["']?(?<name>[^"':]+)["']?\s*:/.exec(line)?.groups?.["name"] === name)

/** The text of a file at an earlier state; null if it did not exist. */
export type Before = (path: string) => string | null

/** The changesets that are missing since an earlier state, which the message calls `since`. */
export const check = (tree: Tree, folder: string, before: Before, since: string): ReadonlyArray<Finding> => {
  const path = `${folder}/api.md`
  const { name } = manifest(tree, `${folder}/package.json`)
  if (declarations(before(path) ?? "") === declarations(tree.text(path))) return []
  const told = tree.paths.some((changeset) => {
    if (!isChangeset(changeset)) return false
    const text = tree.text(changeset)
    return names(text, name) && before(changeset) !== text
  })
  const message = `differs from ${since}, and no changeset tells users of ${name}: run \`pnpm changeset\``
  return told ? [] : [{ path, line: null, message }]
}
