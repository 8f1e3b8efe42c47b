/**
 * The listings of the web site: every listing that a contract of the store embeds, and between them some that have no contract, because most
 * listings of a real site have none. Depends only on the store. Does not know HTML.
 */
import type { Store } from "../store/Store.ts"
import type { Contract, Listing } from "../wire/Wire.ts"

/** One in this many listings has no contract. */
const vacantEvery = 4
const firstVacantId = 800_000_000

/** The listings of the site, in the order in which the store lists their contracts. */
export interface Listings {
  readonly all: ReadonlyArray<Listing>
  /** Spec: Contract, embedded listing summary. */
  readonly bySlug: (slug: string) => Listing | undefined
  readonly byId: (id: number) => Listing | undefined
}

const known = new WeakMap<ReadonlyArray<Contract>, Listings>()

/** The listings as the store has them now; the same ones for as long as no contract changes. */
export const of = ({ contracts }: Pick<Store, "contracts">): Listings => {
  const before = known.get(contracts)
  if (before !== undefined) return before
  const listings = make(contracts)
  known.set(contracts, listings)
  return listings
}

const make = (contracts: ReadonlyArray<Contract>): Listings => {
  const bySlug = new Map<string, Listing>()
  for (const { listing } of contracts) {
    if (listing == null || listing.slug === "" || bySlug.has(listing.slug)) continue
    bySlug.set(listing.slug, listing)
    if (bySlug.size % vacantEvery === 0) {
      const vacant = vacantBeside(listing, bySlug.size / vacantEvery)
      bySlug.set(vacant.slug, vacant)
    }
  }
  const all = [...bySlug.values()]
  const byId = new Map(all.map((listing) => [listing.id, listing]))
  return { all, bySlug: (slug) => bySlug.get(slug), byId: (id) => byId.get(id) }
}

/** A listing that no contract names, in the same area as a listing with contracts. */
const vacantBeside = ({ area, city }: Listing, number: number): Listing => ({
  id: firstVacantId + number,
  slug: `vacant-home-${number}`,
  title: `Vacant home no. ${number}`,
  city,
  area,
})
