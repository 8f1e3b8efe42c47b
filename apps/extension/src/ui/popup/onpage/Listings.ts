/**
 * The listings of a page with their contracts. What the page says of them is a title and what may name each; whether a listing has contracts
 * is asked of the index. Also which of them a filter leaves, and their orders.
 */
import { rankOf } from "../../../index/Summary.ts"
import type { ContractRow } from "../../../messages/PageMessage.ts"
import type { PageCard } from "../../../messages/TabMessage.ts"
import type { Background } from "../../state/Background.ts"
import type { Filter } from "../search/Filters.tsx"

export interface Listing {
  /** Its number on the page. */
  readonly id: number
  /** As the service calls it, else as the page does. */
  readonly title: string
  readonly city: string | null
  /** Its contracts that are shown: active ones first, then drafts, each the latest update first. */
  readonly rows: ReadonlyArray<ContractRow>
  /** How many it has; more than these rows where a choice leaves some out, and for a listing with very many. */
  readonly total: number
}

/** The listing that a card leads to; without contracts where nothing that may name it has any. */
const listingOf = async (background: Background, { id, references, title }: PageCard): Promise<Listing> => {
  const name = title || (references[0] ?? "")
  for (const reference of references) {
    const found = await background.ask({ type: "page.listing", reference })
    if (found === null || found.rows.length === 0) continue
    const { rows, total } = found
    return { id, title: found.title?.trim() || name, city: rows[0]?.city ?? null, rows, total }
  }
  return { id, title: name, city: null, rows: [], total: 0 }
}

/** The listings of some cards in their order, each once, whatever it was named by. Rejects when the background does not answer. */
export const load = async (
  background: Background,
  cards: ReadonlyArray<PageCard>,
): Promise<ReadonlyArray<Listing>> => {
  const listings = await Promise.all(cards.map((card) => listingOf(background, card)))
  const seen = new Set<number>()
  return listings.filter(({ rows: [first] }) => {
    if (first === undefined) return true
    const isNew = !seen.has(first.id)
    seen.add(first.id)
    return isNew
  })
}

/** What is shown: contracts of a status and a kind, or the listings without contracts; everything unless chosen. */
export interface Choice extends Filter {
  readonly isWithout: boolean
}

export const everything: Choice = { status: null, kind: null, isWithout: false }

/** The listings that a choice leaves, each with the contracts that it leaves. */
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

/** A moment in milliseconds; one that cannot be read is before all others. */
const millisOf = (iso: string): number => Date.parse(iso) || 0

/** When the latest of its contracts was updated; empty without one. */
export const updatedAt = ({ rows }: Listing): string =>
  rows.reduce((latest, row) => (millisOf(row.updatedAt) > millisOf(latest) ? row.updatedAt : latest), "")

const rank = ({ rows: [first] }: Listing): number => (first === undefined ? 3 : rankOf(first.status))

/** In the order of the page, or by the leading status, or the latest update first; those without contracts last, and equals as on the page. */
export const sorted = (listings: ReadonlyArray<Listing>, order: Order): ReadonlyArray<Listing> => {
  if (order === "page") return listings
  if (order === "updated")
    return listings.toSorted((one, other) => millisOf(updatedAt(other)) - millisOf(updatedAt(one)))
  return listings.toSorted(
    (one, other) =>
      rank(one) - rank(other) || (one.rows[0]?.status ?? "").localeCompare(other.rows[0]?.status ?? ""),
  )
}
