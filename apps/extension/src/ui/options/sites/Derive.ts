/**
 * Derives patterns from an example: finds the part of a listing's address that the index knows, and the text around it. Every pattern is tested on
 * its own example before it is proposed. Pure except for the index queries.
 */
import type { ListingAnswer } from "../../../index/PageIndex.ts"
import * as Reference from "../../../address/Reference.ts"

/** A pattern with the reference and listing that it finds in the example. */
export interface Proposal {
  readonly pattern: string
  readonly reference: string
  readonly listing: ListingAnswer
}

/** Asks the index for a listing, a contract or a unit by its reference. */
export type Lookup = (reference: string) => Promise<ListingAnswer | null>

/** Maximum number of index queries for one example, and of proposals to show. */
const mostQuestions = 200
const mostProposals = 5

/** A part of an address: a segment, or the value of a parameter. */
interface Part {
  readonly text: string
  /** The whole pattern with `part` in place of this part. */
  readonly patternWith: (part: string) => string
}

const hasDigit = (text: string): boolean => /\d/.test(text)

/** Whether two segments may name listings in the same way: `41.html` and `42.html`, but not `41`, which is another kind of page. */
const isAlike = (one: string, other: string): boolean =>
  hasDigit(one) === hasDigit(other) && Reference.ending.exec(one)?.[0] === Reference.ending.exec(other)?.[0]

/** The pattern for another segment of the address: a star for a language code and for a segment with digits, which can differ for other listings. */
const beside = (segment: string): string =>
  hasDigit(segment) || /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(segment) ? "*" : encodeURIComponent(segment)

/**
 * Whether the segment `at` of an address differs between listings, which are named by the segment `named`: between two that are known, or in a
 * link that is otherwise the same. The first segment says what is shown, so that one such link is not enough.
 */
const isFree = (
  segments: ReadonlyArray<string>,
  at: number,
  named: number,
  links: ReadonlyArray<ReadonlyArray<string>>,
  known: ReadonlyArray<ReadonlyArray<string>>,
): boolean => {
  const differs = (other: ReadonlyArray<string>, place: number): boolean => other[place] !== segments[place]
  const isOther = (other: ReadonlyArray<string>): boolean =>
    other.length === segments.length &&
    differs(other, at) &&
    differs(other, named) &&
    isAlike(other[named]!, segments[named]!)
  return (
    known.some(isOther) ||
    (at > 0 &&
      links.some(
        (other) =>
          isOther(other) &&
          segments.every((_, place) => place === at || place === named || !differs(other, place)),
      ))
  )
}

const partsOf = (
  address: string,
  links: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
): ReadonlyArray<Part> => {
  const [segments, query] = Reference.cut(address)
  const path = segments.map(beside)
  const [others, listings] = [links, known].map((all) => all.map((link) => Reference.cut(link)[0]))
  const inPath = segments.map((text, named) => ({
    text,
    patternWith: (part: string) => {
      const around = path.map((segment, at) =>
        at === named ? part : isFree(segments, at, named, others!, listings!) ? "*" : segment,
      )
      return `/${around.join("/")}`
    },
  }))
  const inQuery = [...query].map(([name, text]) => ({
    text,
    patternWith: (part: string) =>
      `${path.length === 0 ? "" : `/${path.join("/")}`}?${encodeURIComponent(name)}=${part}`,
  }))
  // The last segments of a path are the most likely to name the listing.
  return [...inPath.toReversed(), ...inQuery]
}

interface Place {
  readonly kind: "slug" | "id" | "contract" | "unit"
  readonly reference: string
  readonly from: number
  readonly to: number
}

/** The possible references in a text: first runs of words as slugs, longest first, then numbers, then the whole text as a unit. */
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
      .filter(({ reference }) => !Reference.isNumber(reference))
      .toSorted((one, other) => other.reference.length - one.reference.length),
    ...numbers,
    { kind: "unit", reference: `:unit/${Reference.plain(text)}`, from: 0, to: text.length },
  ]
}

/** Pattern texts for the part before or after a place: the text itself, or a star if it differs between listings. */
const around = (text: string, isBefore: boolean): ReadonlyArray<string> => {
  const mark = isBefore ? /[-_\s.,~+]+$/.exec(text)?.[0] : /^[-_\s.,~+]+/.exec(text)?.[0]
  const ending = isBefore ? "" : (/\.[a-z]+$/i.exec(text)?.[0] ?? "")
  if (mark === undefined || text === mark || text === ending) return [text]
  const starred = isBefore ? `*${mark}` : `${mark}*`
  const isPlain = !hasDigit(text) && text.split(/[-_\s.,~+]+/).filter(Boolean).length === 1
  return isPlain ? [text, starred] : [starred, text]
}

const isNamed = ({ kind, reference }: Place, { rows }: ListingAnswer): boolean =>
  kind !== "slug" ||
  rows.some(({ slug }) => slug !== null && Reference.slugFormOf(slug) === Reference.slugFormOf(reference))

/**
 * Proposes patterns for the address of a listing's page, from its root on: the likeliest first, none if no part of it is known. The links of its
 * page, and those that lead to known listings, show what differs from listing to listing.
 */
export const propose = async (
  address: string,
  base: string,
  lookup: Lookup,
  links: ReadonlyArray<string> = [],
  known: ReadonlyArray<string> = [],
): Promise<ReadonlyArray<Proposal>> => {
  const proposals: Array<Proposal> = []
  let questions = 0
  for (const { patternWith, text } of partsOf(address, links, known)) {
    for (const place of placesOf(text)) {
      if (proposals.length >= mostProposals || questions++ >= mostQuestions) return proposals
      const listing = await lookup(place.reference)
      if (listing === null || !isNamed(place, listing)) continue
      const forms = around(text.slice(0, place.from), true).flatMap((before) =>
        around(text.slice(place.to), false).map((after) => `${before}:${place.kind}${after}`),
      )
      const found =
        place.kind === "unit" || place.kind === "slug" ? Reference.plain(place.reference) : place.reference
      const right = forms
        .map(patternWith)
        .find(
          (pattern) =>
            Reference.isPattern(pattern) &&
            Reference.reader([pattern, Reference.onlyPatterns], base)(address).includes(found),
        )
      if (right === undefined) continue
      proposals.push({ pattern: right, reference: place.reference, listing })
      // A part of a known slug does not name another listing.
      if (place.kind === "slug") break
    }
  }
  return proposals
}

/** The pattern that excludes only this address; null if no pattern can express it. */
export const exclusionOf = (address: string): string | null => {
  const [segments, query] = Reference.cut(address)
  const search = query.toString()
  const pattern = `!/${segments.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`
  return Reference.isPattern(pattern) ? pattern : null
}
