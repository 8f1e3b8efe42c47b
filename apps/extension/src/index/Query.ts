/**
 * What users type to find contracts: words that may be anywhere, and terms such as `unit:4b` or `status:"on hold"` for one field; and the text of a
 * contract, in which they are found. The search uses it, and the popup to show which letters matched. Pure.
 */
import type { Contract } from "@deedkit/core"
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

/** Stand after the unit and after the city, and before what names the listing. No text in this form holds them. */
const fieldEnd = "\u0001"
const listingBegin = "\u0002"

/** The listing that a contract names, by its own member or by the embedded summary; null for none. */
export const listingIdOf = ({ listing, listing_id }: Contract.Contract): number | null =>
  listing_id ?? listing?.id ?? null

/** The searched text of a contract. */
export const textOf = (contract: Contract.Contract): string => {
  const { id, kind, listing, status, unit_label } = contract
  const { area = "", city = "", slug = "", title = "" } = listing ?? {}
  const fields = [unit_label, city, area, kind, status].map(formOf)
  const naming = [formOf(title), formOf(slug), listingIdOf(contract) ?? ""]
  return [...fields, id].join(fieldEnd) + listingBegin + naming.join(fieldEnd)
}

/** Returns whether a contract's text holds every word, and each term in its field; null if nothing is asked of a text. */
export const finder = ({ terms, words }: Query): ((text: string) => boolean) | null => {
  const tests = [
    ...words.map((word) => (text: string) => text.includes(word)),
    ...terms.flatMap(({ field, isWhole, text: wanted }) => {
      const value = isWhole ? wanted + fieldEnd : wanted
      if (field === "unit") return (text: string) => text.startsWith(value)
      if (field === "city") return (text: string) => text.startsWith(value, text.indexOf(fieldEnd) + 1)
      return field === "listing" ? (text: string) => text.includes(wanted, text.indexOf(listingBegin)) : []
    }),
  ]
  return tests.length === 0 ? null : (text) => tests.every((test) => test(text))
}
