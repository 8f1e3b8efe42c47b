/** The text of a contract in which words and terms are found. Pure. */
import { formOf } from "./Query.ts"
import type { Query } from "./Query.ts"
import type { Row } from "./Row.ts"

/** Stand after the unit and after the city, and before what names the listing. No text in this form holds them. */
const fieldEnd = "\u0001"
const listingBegin = "\u0002"

/** The searched text of a contract. */
export const textOf = ({ contract, slug, unit, city, listingId }: Row): string => {
  const { listing, status } = contract
  const rest = [
    listing == null ? "" : formOf(listing.area),
    formOf(contract.kind),
    formOf(status),
    contract.id,
  ]
  const naming = [listing == null ? "" : formOf(listing.title), slug?.toLowerCase() ?? "", listingId ?? ""]
  return [unit, city ?? "", ...rest].join(fieldEnd) + listingBegin + naming.join(fieldEnd)
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
