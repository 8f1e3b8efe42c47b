/**
 * Previews what patterns would find among the links of a page, before any of them is added: each link with its listing. Reads addresses by the rules
 * of the content script. Pure except for the index queries.
 */
import * as Pattern from "../../address/LinkPattern.ts"
import type { ListingAnswer } from "../../messages/PageMessage.ts"
import * as Reference from "../../page/links/Reference.ts"
import type { Lookup } from "../options/sites/Derive.ts"

/** A link that is found, with its listing; null if no contract belongs to it. */
export interface Found {
  readonly address: string
  readonly listing: ListingAnswer | null
}

/** Queries each reference only once, however many links have it. */
export const once = (lookup: Lookup): Lookup => {
  const known = new Map<string, Promise<ListingAnswer | null>>()
  return (reference) => {
    const asked = known.get(reference) ?? lookup(reference)
    known.set(reference, asked)
    return asked
  }
}

/** The links that the patterns find. `links` are addresses of one site, from its root on. */
export const find = (
  patterns: ReadonlyArray<string>,
  links: ReadonlyArray<string>,
  origin: string,
  lookup: Lookup,
): Promise<ReadonlyArray<Found>> => {
  const read = Reference.reader(patterns, `${origin}/`)
  const listingOf = async (references: ReadonlyArray<string>): Promise<ListingAnswer | null> => {
    for (const reference of references) {
      const listing = await lookup(reference)
      if (listing !== null) return listing
    }
    return null
  }
  return Promise.all(
    links.flatMap((address) => {
      const references = read(address)
      return references.length === 0
        ? []
        : [listingOf(references).then((listing): Found => ({ address, listing }))]
    }),
  )
}

/** The links that one additional pattern alone would find, without those that the site excludes. */
export const findBy = (
  pattern: string,
  patterns: ReadonlyArray<string>,
  links: ReadonlyArray<string>,
  origin: string,
  lookup: Lookup,
): Promise<ReadonlyArray<Found>> =>
  find(
    [...patterns.filter((known) => known.startsWith("!")), pattern, Pattern.onlyPatterns],
    links,
    origin,
    lookup,
  )

/** How many of the links lead to contracts. */
export const knownOf = (found: ReadonlyArray<Found>): number =>
  found.filter(({ listing }) => listing !== null).length
