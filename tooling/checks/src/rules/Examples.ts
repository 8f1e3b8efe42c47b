/**
 * Examples and what they print. An example ends in the line `// Output:` and then its output, each line behind `// => `.
 * Line ends and blanks at the end of a line do not count, since formatters and terminals change both.
 */
import type { Tree } from "../tree/Tree.ts"
import { modules } from "../tree/Workspace.ts"

export const paths = (tree: Tree): ReadonlyArray<string> =>
  modules(tree)
    .filter(({ area }) => area === "examples")
    .map(({ path }) => path)

/** What stands on the screen: lines without blanks at their end, and none empty at the end of it all. */
export const shown = (output: string): string =>
  output
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd()

/** The output that an example promises; null when it promises none. */
export const promised = (text: string): string | null => {
  const block = /(?:^|\n)\/\/ Output:\n(?<lines>(?:\/\/ =>[^\n]*(?:\n|$))+)\s*$/.exec(text)?.groups?.["lines"]
  return block === undefined ? null : shown(block.replaceAll(/^\/\/ => ?/gm, ""))
}
