/**
 * Makes JSON values that every strict reader accepts. A JSON string can hold a lone surrogate, written as an escape such as `\ud800` (RFC 8259,
 * section 8.2). For one of these, jq and DuckDB refuse the whole file, and Python cannot encode the text that it has read.
 */
import { Json } from "@deedkit/core"

/** Whether JSON text may hold an escaped lone surrogate; false only if it holds none. */
export const isSuspicious = (json: string): boolean => json.includes("\\ud")

export interface WellFormed {
  readonly value: Json.Json
  /** Number of texts that were changed, including names of members. */
  readonly texts: number
}

/** The name, with U+FFFD added until no other member of the object has it. */
const unique = (name: string, taken: ReadonlySet<string>): string => {
  let free = name
  while (taken.has(free)) free += "\uFFFD"
  return free
}

/** The names of members without lone surrogates, still distinct, in the same order. */
const namesOf = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (names.every((name) => name.isWellFormed())) return names
  const taken = new Set(names.filter((name) => name.isWellFormed()))
  return names.map((name) => {
    if (name.isWellFormed()) return name
    const free = unique(name.toWellFormed(), taken)
    taken.add(free)
    return free
  })
}

/** A copy in which U+FFFD replaces each lone surrogate, at any depth. */
export const of = (value: Json.Json): WellFormed => {
  let texts = 0
  const count = (text: string): void => void (texts += Number(!text.isWellFormed()))
  const copy = Json.mapTexts(
    value,
    (text) => {
      count(text)
      return text.toWellFormed()
    },
    (names) => {
      names.forEach(count)
      return namesOf(names)
    },
  )
  return { value: copy, texts }
}

/** JSON text without lone surrogates, and the number of texts that were changed for it. For `indent` see `Json.stringify`. */
export const stringify = (
  value: Json.Json,
  indent?: number,
): { readonly json: string; readonly texts: number } => {
  const json = Json.stringify(value, indent)
  if (!isSuspicious(json)) return { json, texts: 0 }
  const { texts, value: whole } = of(value)
  return texts === 0 ? { json, texts } : { json: Json.stringify(whole, indent), texts }
}
