/**
 * Finds the letters of a row that match the typed text. A text of the service is shown unchanged; it is normalized only for comparison, letter by
 * letter, so that every highlight has the right position. Loaded when the user types.
 */
import type { Query, QueryField } from "../../../index/Query.ts"
import { parse, formOf } from "../../../index/Query.ts"
import type { Mark } from "../detail/Words.tsx"

const wantedIn = ({ terms, words }: Query, field: QueryField | "id") => [
  ...words.map((text) => ({
    text: field === "id" ? text.replace("#", "") : text,
    isStart: false,
  })),
  ...terms.filter((term) => term.field === field).map(({ text }) => ({ text, isStart: field !== "listing" })),
]

/** Splits a text at whole letters into parts that are highlighted or not. */
export const partsOf = (
  text: string,
  query: Query,
  field: QueryField | "id",
): ReadonlyArray<readonly [part: string, isMarked: boolean]> => {
  const letters = Array.from(text)
  // For each unit of the normalized text, the letter that it comes from.
  const from: Array<number> = []
  let compared = ""
  letters.forEach((letter, at) => {
    const known = formOf(letter)
    compared += known
    for (let unit = 0; unit < known.length; unit++) from.push(at)
  })
  const marked = new Set<number>()
  for (const { isStart, text: wanted } of wantedIn(query, field)) {
    if (wanted === "") continue
    for (let at = compared.indexOf(wanted); at >= 0; at = compared.indexOf(wanted, at + wanted.length)) {
      if (isStart && at > 0) break
      for (let unit = at; unit < at + wanted.length; unit++) marked.add(from[unit]!)
    }
  }
  const parts: Array<[string, boolean]> = []
  letters.forEach((letter, at) => {
    const last = parts.at(-1)
    const isMarked = marked.has(at)
    // A character that is not a letter of its own, such as an accent, belongs to the letter before it.
    if (last !== undefined && (last[1] === isMarked || formOf(letter) === "")) last[0] += letter
    else parts.push([letter, isMarked])
  })
  return parts
}

/** Highlights the typed text. */
export const markOf = (typed: string): Mark => {
  const query = parse(typed)
  return (text, field) =>
    partsOf(text, query, field).map(([part, isMarked]) => (isMarked ? <mark>{part}</mark> : part))
}
