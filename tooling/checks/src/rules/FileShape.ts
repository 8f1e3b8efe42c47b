/**
 * The shape of a source file: it begins with its purpose, it is short or says why not, and its name says what it holds. A file over the limit
 * justifies its length in its header, in a sentence that begins with `Length:`.
 */
import type { Finding } from "../tree/Finding.ts"
import type { Tree } from "../tree/Tree.ts"
import { modules } from "../tree/Workspace.ts"

const longest = 250
const emptyNames = /^(?:utils?|helpers?|common|managers?|misc)$/i

/** The text of the comment that begins a file, without its stars; null if the file begins with something else. */
const header = (text: string): string | null =>
  /^(?:#![^\n]*\n)?\/\*\*([^]*?)\*\//
    .exec(text)?.[1]
    ?.replaceAll(/\s*\n\s*\*? ?/g, " ")
    .trim() ?? null

export const checkHeaders = (tree: Tree): ReadonlyArray<Finding> =>
  modules(tree)
    .filter(({ area }) => area === "src")
    .filter(({ source }) => !/\S+ \S+ .*[.!?:]/.test(header(source.text) ?? ""))
    .map(({ path }) => ({
      path,
      line: 1,
      message: "has no header: open it with a /** comment */ that says in a sentence what the file is for",
    }))

export const checkLengths = (tree: Tree): ReadonlyArray<Finding> =>
  modules(tree)
    .filter(({ area }) => area === "src")
    .flatMap(({ path, source }) => {
      const length = source.text.trimEnd().split("\n").length
      return length <= longest || /\bLength: \S+ \S+/.test(header(source.text) ?? "")
        ? []
        : [
            {
              path,
              line: longest + 1,
              message: `has ${length} lines, over ${longest}: split it, or argue its length in the header ("Length: ...")`,
            },
          ]
    })

/** The last word of each name decides: `KeyManager.ts` says as little as `manager.ts`. */
export const checkNames = (tree: Tree): ReadonlyArray<Finding> =>
  tree.paths
    .filter((path) =>
      path.split("/").some((part) =>
        emptyNames.test(
          part
            .replace(/(?<=.)\..*$/, "")
            .split(/[-_]|(?=[A-Z])/)
            .at(-1) ?? "",
        ),
      ),
    )
    .map((path) => ({
      path,
      line: null,
      message: "has a name that says nothing: name it after the thing it holds",
    }))
