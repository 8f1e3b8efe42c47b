/**
 * Examples and their output. An example ends with the line `// Output:` and then its output, each line after `// => `. Line endings and trailing
 * spaces do not count, because formatters and terminals change both.
 */
import type { Tree } from "../Tree.ts"
import { modules } from "../Tree.ts"

export const paths = (tree: Tree): ReadonlyArray<string> =>
  modules(tree)
    .filter(({ area }) => area === "examples")
    .map(({ path }) => path)

/** The visible output: lines without trailing spaces, and no empty lines at the end. */
export const shown = (output: string): string =>
  output
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd()

/** The output that an example promises; null if it promises none. */
export const promised = (text: string): string | null => {
  const block = /(?:^|\n)\/\/ Output:\n(?<lines>(?:\/\/ =>[^\n]*(?:\n|$))+)\s*$/.exec(text)?.groups?.["lines"]
  return block === undefined ? null : shown(block.replaceAll(/^\/\/ => ?/gm, ""))
}
