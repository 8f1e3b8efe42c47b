/**
 * What users type to find contracts: words that may be anywhere, and terms such as `unit:4b` or `status:"on hold"` for one field. The
 * search uses it, and the popup to show which letters matched. Pure.
 */
import { TextForm } from "@deedkit/export"

export type QueryField = "unit" | "city" | "listing" | "status" | "kind"

export interface Term {
  readonly field: QueryField
  readonly text: string
  /** Whether it was quoted: then it is the whole value; otherwise it is the beginning of the value. A listing may hold either anywhere. */
  readonly isWhole: boolean
}

export interface Query {
  readonly words: ReadonlyArray<string>
  readonly terms: ReadonlyArray<Term>
}

/** Most characters of a text that are searched: the service states no length for any of them. */
const searchedCharacters = 300

/** A text in the form that is searched, in one line. */
export const formOf = (text: string): string =>
  TextForm.search(text.slice(0, searchedCharacters)).replace(/\p{Cc}+/gu, " ")

/** Parses what was typed. A field without a value yet is ignored. */
export const parse = (typed: string): Query => {
  const words: Array<string> = []
  const terms: Array<Term> = []
  const part = /(unit|city|listing|status|kind):(?:"([^"]*)"?|(\S*))|(\S+)/gi
  for (const [, field, whole, start, word] of typed.matchAll(part)) {
    const text = formOf((whole ?? start ?? word)!)
    if (text === "") continue
    if (field === undefined) words.push(...text.split(" "))
    else terms.push({ field: field.toLowerCase() as QueryField, text, isWhole: whole !== undefined })
  }
  return { words, terms }
}

/** Whether a value matches a term of its field. No term can hold a quotation mark, so those of the value do not count. */
export const isValue = (value: string, { isWhole, text }: Term): boolean => {
  const known = formOf(value.replaceAll('"', ""))
  return isWhole ? known === text : known.startsWith(text)
}
