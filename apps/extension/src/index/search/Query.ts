/**
 * What people type to find contracts: words that stand anywhere, and terms such as `unit:4b` or `status:"on hold"` that stand in one field. The
 * background reads it to search, the popup to show which letters matched. Pure.
 */

export type QueryField = "unit" | "city" | "listing" | "status" | "kind"

export interface Term {
  readonly field: QueryField
  readonly text: string
  /** Whether it was quoted: then it is the whole value, where others are how the value begins. A listing may hold either anywhere. */
  readonly isWhole: boolean
}

export interface Query {
  readonly words: ReadonlyArray<string>
  readonly terms: ReadonlyArray<Term>
}

/** Characters of a text that are looked at for searching. */
const searchedCharacters = 300

/** A text as it is searched: lower case, no accents, one line. */
export const plain = (text: string): string => {
  const cut = text.slice(0, searchedCharacters)
  const decomposed = /^[\x20-\x7e]*$/.test(cut) ? cut : cut.normalize("NFD").replace(/\p{M}/gu, "")
  return decomposed.toLowerCase().replace(/\p{Cc}+/gu, " ")
}

/** Reads what was typed. A field whose value is still to come asks for nothing. */
export const parse = (typed: string): Query => {
  const words: Array<string> = []
  const terms: Array<Term> = []
  const part = /(unit|city|listing|status|kind):(?:"([^"]*)"?|(\S*))|(\S+)/gi
  for (const [, field, whole, start, word] of typed.matchAll(part)) {
    const text = plain((whole ?? start ?? word)!)
    if (text === "") continue
    if (field === undefined) words.push(...text.split(" "))
    else terms.push({ field: field.toLowerCase() as QueryField, text, isWhole: whole !== undefined })
  }
  return { words, terms }
}

/** Whether a value is what a term of its field asks for. No term can hold a quotation mark, so that it does not count. */
export const isValue = (value: string, { isWhole, text }: Term): boolean => {
  const known = plain(value.replaceAll('"', ""))
  return isWhole ? known === text : known.startsWith(text)
}
