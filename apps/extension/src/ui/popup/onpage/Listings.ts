/**
 * The listings of a page with their contracts. The page provides a title and possible references for each; the index says whether a listing has
 * contracts. Also filters and sorts them.
 */
import { rankOf } from "../../../messages/ListingMessage.ts"
import { linkedAddress } from "../../../address/Reference.ts"
import type { ContractRow } from "../../../index/PageIndex.ts"
import type { PageCard } from "../../../messages/TabMessage.ts"
import type { Background } from "../../state/Background.ts"
import type { Filter } from "../search/Filters.tsx"

export interface Listing {
  /** Its number on the page. */
  readonly id: number
  /** The service's title, otherwise that of the page. */
  readonly title: string
  readonly city: string | null
  /** The contracts to show: active ones first, then drafts, each group with the latest update first. */
  readonly rows: ReadonlyArray<ContractRow>
  /** Total number of contracts; more than these rows if a choice excludes some, or if there are very many. */
  readonly total: number
}

/** The listing that a card leads to; without contracts if none of its references has any. */
const listingOf = async (
  background: Background,
  { id, references, title }: PageCard,
  origin: string,
): Promise<Listing> => {
  const name = title || (references.find((reference) => linkedAddress(reference, origin) === null) ?? "")
  for (const reference of references) {
    const url = linkedAddress(reference, origin)
    const found = await (url === null ? background.index.listing(reference) : background.index.listingAt(url))
    if (found === null || found.rows.length === 0) continue
    const { rows, total } = found
    return { id, title: found.title?.trim() || name, city: rows[0]?.city ?? null, rows, total }
  }
  return { id, title: name, city: null, rows: [], total: 0 }
}

/** The listings of these cards of a site's page in order, each only once, whichever reference named it. Rejects when the background does not answer. */
export const load = async (
  background: Background,
  cards: ReadonlyArray<PageCard>,
  origin: string,
): Promise<ReadonlyArray<Listing>> => {
  const listings = await Promise.all(cards.map((card) => listingOf(background, card, origin)))
  const seen = new Set<number>()
  return listings.filter(({ rows: [first] }) => {
    if (first === undefined) return true
    const isNew = !seen.has(first.id)
    seen.add(first.id)
    return isNew
  })
}

/** The filter of the list: contracts of a status and a kind, or listings without contracts. By default everything is shown. */
export interface Choice extends Filter {
  readonly isWithout: boolean
}

export const everything: Choice = { status: null, kind: null, isWithout: false }

/** The listings that match a choice, each with its matching contracts. */
export const chosenOf = (
  listings: ReadonlyArray<Listing>,
  { isWithout, kind, status }: Choice,
): ReadonlyArray<Listing> => {
  if (isWithout) return listings.filter(({ total }) => total === 0)
  if (kind === null && status === null) return listings
  return listings.flatMap((listing) => {
    const rows = listing.rows.filter(
      (row) => (status === null || row.status === status) && (kind === null || row.kind === kind),
    )
    return rows.length === 0 ? [] : [{ ...listing, rows }]
  })
}

export const orders = ["page", "status", "updated"] as const
export type Order = (typeof orders)[number]

/** A moment in milliseconds; one that cannot be parsed sorts before all others. */
const millisOf = (iso: string): number => Date.parse(iso) || 0

/** The latest update among its contracts; empty if it has none. */
export const updatedAt = ({ rows }: Listing): string =>
  rows.reduce((latest, row) => (millisOf(row.updatedAt) > millisOf(latest) ? row.updatedAt : latest), "")

const rank = ({ rows: [first] }: Listing): number => (first === undefined ? 3 : rankOf(first.status))

/**
 * Sorts by the order of the page, by the leading status, or by the latest update first. Listings without contracts come last, and equal ones keep the
 * order of the page.
 */
export const sorted = (listings: ReadonlyArray<Listing>, order: Order): ReadonlyArray<Listing> => {
  if (order === "page") return listings
  if (order === "updated")
    return listings.toSorted((one, other) => millisOf(updatedAt(other)) - millisOf(updatedAt(one)))
  return listings.toSorted(
    (one, other) =>
      rank(one) - rank(other) || (one.rows[0]?.status ?? "").localeCompare(other.rows[0]?.status ?? ""),
  )
}
