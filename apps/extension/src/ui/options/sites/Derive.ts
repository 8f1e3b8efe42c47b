/**
 * Patterns from an example: where in the address of a listing something stands that the index knows, and what stands around it. Every pattern is
 * tried on its own example before it is proposed. Pure but for the question of what is known.
 */
import { formOf } from "../../../address/SlugForm.ts"
import * as Pattern from "../../../address/LinkPattern.ts"
import type { ListingAnswer } from "../../../messages/PageMessage.ts"
import * as Reference from "../../../page/links/Reference.ts"

/** A pattern, and what it finds in the example. */
export interface Proposal {
  readonly pattern: string
  readonly reference: string
  readonly listing: ListingAnswer
}

/** Asks the index for a listing, a contract or a unit by its reference. */
export type Lookup = (reference: string) => Promise<ListingAnswer | null>

/** Questions that one example is worth, and proposals that anyone looks through. */
const mostQuestions = 200
const mostProposals = 5

/** A part of an address: a segment, or the value of a parameter. */
interface Part {
  readonly text: string
  /** The whole pattern with something in place of the part. */
  readonly patternWith: (part: string) => string
}

const hasDigit = (text: string): boolean => /\d/.test(text)

/** A segment beside the one with the place, as it may be for another listing: a star for a language and for what has a number. */
const beside = (segment: string): string =>
  hasDigit(segment) || /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(segment) ? "*" : encodeURIComponent(segment)

const partsOf = (address: string): ReadonlyArray<Part> => {
  const [segments, query] = Reference.cut(address)
  const path = segments.map(beside)
  const inPath = segments.map((text, at) => ({
    text,
    patternWith: (part: string) => `/${path.with(at, part).join("/")}`,
  }))
  const inQuery = [...query].map(([name, text]) => ({
    text,
    patternWith: (part: string) =>
      `${path.length === 0 ? "" : `/${path.join("/")}`}?${encodeURIComponent(name)}=${part}`,
  }))
  // What stands last in a path names the listing most often.
  return [...inPath.toReversed(), ...inQuery]
}

interface Place {
  readonly kind: "slug" | "id" | "contract" | "unit"
  readonly reference: string
  readonly from: number
  readonly to: number
}

/** What a text may name: the longest runs of words as slugs first, then numbers, then the whole of it as a unit. */
const placesOf = (text: string): ReadonlyArray<Place> => {
  const words = [...text.matchAll(/[^-_\s.,~+]+/g)].slice(0, 16)
  const slugs = words.flatMap((first, one) =>
    words.slice(one).map((last) => {
      const [from, to] = [first.index, last.index + last[0].length]
      return { kind: "slug" as const, reference: text.slice(from, to), from, to }
    }),
  )
  const numbers = [...text.matchAll(/\d+/g)].flatMap((found): ReadonlyArray<Place> => {
    const range = { from: found.index, to: found.index + found[0].length }
    return [
      { kind: "id", reference: found[0], ...range },
      { kind: "contract", reference: `:contract/${found[0]}`, ...range },
    ]
  })
  return [
    ...slugs
      .filter(({ reference }) => !Pattern.isNumber(reference))
      .toSorted((one, other) => other.reference.length - one.reference.length),
    ...numbers,
    { kind: "unit", reference: `:unit/${text.toLowerCase()}`, from: 0, to: text.length },
  ]
}

/** Texts that may stand for one before or behind a place: itself, or a star for what differs from listing to listing. */
const around = (text: string, isBefore: boolean): ReadonlyArray<string> => {
  const mark = isBefore ? /[-_\s.,~+]+$/.exec(text)?.[0] : /^[-_\s.,~+]+/.exec(text)?.[0]
  const ending = isBefore ? "" : (/\.[a-z]+$/i.exec(text)?.[0] ?? "")
  if (mark === undefined || text === mark || text === ending) return [text]
  const starred = isBefore ? `*${mark}` : `${mark}*`
  const isPlain = !hasDigit(text) && text.split(/[-_\s.,~+]+/).filter(Boolean).length === 1
  return isPlain ? [text, starred] : [starred, text]
}

const isNamed = ({ kind, reference }: Place, { rows }: ListingAnswer): boolean =>
  kind !== "slug" || rows.some(({ slug }) => slug !== null && formOf(slug) === formOf(reference))

/** Patterns for an address of a listing's page, from its root on: the likeliest first, none where nothing in it is known. */
export const propose = async (
  address: string,
  base: string,
  lookup: Lookup,
): Promise<ReadonlyArray<Proposal>> => {
  const proposals: Array<Proposal> = []
  let questions = 0
  for (const { patternWith, text } of partsOf(address)) {
    for (const place of placesOf(text)) {
      if (proposals.length >= mostProposals || questions++ >= mostQuestions) return proposals
      const listing = await lookup(place.reference)
      if (listing === null || !isNamed(place, listing)) continue
      const forms = around(text.slice(0, place.from), true).flatMap((before) =>
        around(text.slice(place.to), false).map((after) => `${before}:${place.kind}${after}`),
      )
      const found =
        place.kind === "unit" || place.kind === "slug" ? place.reference.toLowerCase() : place.reference
      const right = forms
        .map(patternWith)
        .find(
          (pattern) =>
            Pattern.parse(pattern) !== null &&
            Reference.reader([pattern, Pattern.onlyPatterns], base)(address).includes(found),
        )
      if (right === undefined) continue
      proposals.push({ pattern: right, reference: place.reference, listing })
      // A part of a known slug is no other listing.
      if (place.kind === "slug") break
    }
  }
  return proposals
}

/** The pattern that excludes an address and no other one; null for an address that no pattern can say. */
export const exclusionOf = (address: string): string | null => {
  const [segments, query] = Reference.cut(address)
  const search = query.toString()
  const pattern = `!/${segments.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`
  return Pattern.parse(pattern) === null ? null : pattern
}
