/** Answers a page from the database of one account. */
import { referencesOf, resolved } from "../address/PageAddress.ts"
import type { ChangesAnswer, Links } from "../messages/AppState.ts"
import type { ContractDetail, ListingAnswer, SearchAnswer } from "../messages/PageMessage.ts"
import type { NamedSite } from "./AccountList.ts"
import * as ContractReads from "./ContractReads.ts"
import type { Asked } from "./ContractSearch.ts"
import type { Database } from "./Database.ts"
import { rowOf } from "./FirstRows.ts"
import * as Memory from "./Memory.ts"
import { detailOf } from "./RowViews.ts"

export const make = (database: Database) => {
  const memory = Memory.make(database)
  let last: Promise<unknown> = Promise.resolve()

  /** Reads one after the other what is kept in memory, as it is now: rows that come while texts are read would be missing among them. */
  const inTurn = <A>(get: () => Promise<A>): (() => Promise<A>) => {
    const answer = async (before: Promise<unknown>): Promise<A> => {
      await before.catch(() => {})
      await memory.follow()
      return get()
    }
    return () => {
      const next = answer(last)
      last = next
      return next
    }
  }
  const withTexts = inTurn(memory.withTexts)
  const reads = ContractReads.make(database, { entries: inTurn(memory.entries), withTexts })

  /** The first listing with contracts among some references. */
  const listing = async (references: ReadonlyArray<string>): Promise<ListingAnswer | null> => {
    const [reference] = (await reads.lookup(references)).keys()
    if (reference === undefined) return null
    const { rows, total } = await reads.ofListing(reference)
    return { rows: rows.map(rowOf), title: rows[0]?.contract.listing?.title ?? null, total }
  }

  return {
    search: async (asked: Asked): Promise<SearchAnswer> => {
      const found = await reads.search(asked)
      // Whoever sees the latest updates may type next. A worker, which has no such callback, is not typed into.
      if (asked.text.trim() === "") globalThis.requestIdleCallback?.(() => void withTexts().catch(() => {}))
      return { ...found, rows: found.rows.map(rowOf) }
    },
    listing,
    listingAt: (url: string, sites: ReadonlyArray<NamedSite>, links: Links) => {
      const origin = URL.canParse(url) ? new URL(url).origin : null
      const named = sites.find((site) => site.origin === origin)
      const references = referencesOf(url, named?.patterns ?? [], Object.keys(links).length > 0)
      return listing(references.flatMap((reference) => resolved(reference, origin ?? "", links) ?? []))
    },
    known: async (references: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => [
      ...(await reads.lookup(references)).keys(),
    ],
    contract: async (id: number): Promise<ContractDetail | null> => {
      const row = await reads.get(id)
      return row === undefined ? null : detailOf(row)
    },
    changes: (): Promise<ChangesAnswer> => reads.changes(),
  }
}
