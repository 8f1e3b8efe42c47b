/**
 * Additions to texts as pure functions: a line among others, an item of a list, a part beside another. Each finds the place by a pattern and refuses
 * a text in which the pattern does not match. They do not format.
 */
import type { Tree } from "@deedkit/checks"
import { Refused } from "./Refused.ts"

export type Edit = (text: string) => string

const only = (text: string, pattern: RegExp): RegExpExecArray => {
  const found = [...text.matchAll(new RegExp(pattern, `g${pattern.flags}`))]
  const [first] = found
  if (first === undefined || found.length > 1) {
    throw new Refused(`has ${found.length} places that look like ${pattern}, and not one`)
  }
  return first
}

/** Sorts folders before their files, whatever their names. */
const isBefore = (one: string, other: string): boolean =>
  one.replaceAll("/", " ") < other.replaceAll("/", " ")

/**
 * Adds a line among the lines that the pattern finds, before the first with a greater key, otherwise after the last. The key is the pattern's first
 * group. The pattern must also match the new line.
 */
export const line =
  (pattern: RegExp, added: string): Edit =>
  (text) => {
    const key = new RegExp(pattern, "m").exec(added)?.[1] ?? ""
    const found = [...text.matchAll(new RegExp(pattern, "gm"))]
    const last = found.at(-1)
    if (last === undefined) throw new Refused(`has no line that looks like ${pattern}`)
    const next = found.find(([, other = ""]) => isBefore(key, other))
    const at = next === undefined ? last.index + last[0].length + 1 : next.index
    return `${text.slice(0, at)}${added}\n${text.slice(at)}`
  }

/** The items of a list; the pattern's second group holds them. */
const itemsIn = (text: string, list: RegExp): ReadonlyArray<string> =>
  (only(text, list)[2] ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")

/**
 * Adds an item to a list, whose pattern has two groups: the text before the items, and the items. Adds it at its sorted place, after another item, or
 * last.
 */
export const item =
  (list: RegExp, added: string, place: "sorted" | "last" | { readonly after: string }): Edit =>
  (text) => {
    const { 0: whole, 1: before = "", index } = only(text, list)
    const items = itemsIn(text, list)
    const plain = (each: string) => each.replaceAll('"', "")
    const at =
      place === "last"
        ? -1
        : place === "sorted"
          ? items.findIndex((other) => plain(added) < plain(other))
          : items.indexOf(place.after) + 1
    const all = items.toSpliced(at === -1 ? items.length : at, 0, added).join(", ")
    return `${text.slice(0, index)}${before}${all}${text.slice(index + whole.length)}`
  }

/** Inserts a text after the only match of the pattern; before it, if the pattern is a lookahead. */
export const after =
  (pattern: RegExp, added: string): Edit =>
  (text) => {
    const { 0: found, index } = only(text, pattern)
    const end = index + found.length
    return `${text.slice(0, end)}${added}${text.slice(end)}`
  }

/** Applies a function to a file's text. Refuses a file that is missing, in conflict or not in the expected form, and names its path. */
const inFile = <A>(tree: Tree.Tree, path: string, use: (text: string) => A): A => {
  if (!tree.has(path)) throw new Refused(`${path} is missing.`)
  const text = tree.text(path)
  if (/^<{7} /m.test(text)) throw new Refused(`${path} has conflicts. Resolve them first.`)
  try {
    return use(text)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new Refused(`${path} ${error.message}: nothing can be added there.`, { cause: error })
  }
}

/** The text of a file with all additions. */
export const apply = (tree: Tree.Tree, path: string, edits: ReadonlyArray<Edit>): string =>
  inFile(tree, path, (text) => edits.reduce((edited, edit) => edit(edited), text))

/** The items of a file's list, for a pattern as in `item`. */
export const itemsOf = (tree: Tree.Tree, path: string, list: RegExp): ReadonlyArray<string> =>
  inFile(tree, path, (text) => itemsIn(text, list))
