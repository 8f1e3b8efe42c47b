/**
 * What is read from the saved contracts: badges of listings, contracts by their ids, searches, changes. It writes nothing, and so works in the
 * background and in the extension's own pages alike.
 */
import type { ChangesAnswer, Watched } from "../messages/AppState.ts"
import type { BadgeFact } from "../messages/ListingMessage.ts"
import * as ChangeList from "./ChangeList.ts"
import * as ContractSearch from "./ContractSearch.ts"
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import * as IndexMeta from "./IndexMeta.ts"
import type { Memory } from "./Memory.ts"
import { formOf } from "./Query.ts"
import * as Row from "./Row.ts"
import { rankOf } from "./Summary.ts"
import * as Watch from "./Watched.ts"

/** Contracts of a listing, and how many it has, which is more than these if it has very many. */
export interface Rows {
  readonly rows: ReadonlyArray<Row.Row>
  readonly total: number
}

export interface ContractReads {
  readonly meta: () => Promise<IndexMeta.IndexMeta>
  /** What has changed since the first complete read. */
  readonly changes: () => Promise<ChangesAnswer>
  readonly watched: () => Promise<Watched>
  /** The facts of the listings, contracts and units that have a contract, in the order in which they were asked for; the others are left out. */
  readonly lookup: (references: ReadonlyArray<string>) => Promise<ReadonlyMap<string, BadgeFact>>
  readonly get: (id: number) => Promise<Row.Row | undefined>
  /** Contracts by a reference of a listing, a contract or a unit; active ones first, then drafts, each the latest update first. */
  readonly ofListing: (reference: string) => Promise<Rows>
  /** The contracts that match what was typed: see `ContractSearch.ts`. */
  readonly search: (asked: ContractSearch.Asked) => Promise<ContractSearch.Found>
}

/** Most contracts of one listing that are read. */
const listingRows = 500

/** Rows by status, in the order of badges; within a status, the latest update first. */
const inOrder = (rows: ReadonlyArray<Row.Row>): ReadonlyArray<Row.Row> =>
  rows.toSorted(
    (one, other) =>
      rankOf(one.contract.status) - rankOf(other.contract.status) || other.updatedAt - one.updatedAt,
  )

export const make = (
  database: Database,
  { entries, withTexts }: Pick<Memory, "entries" | "withTexts">,
): ContractReads => {
  /** The contracts that a reference of a pattern names, at most as many as are read of a listing; null for a listing's reference. */
  const idsOf = async (reference: string): Promise<ReadonlyArray<number> | null> => {
    const [, kind, name = ""] = /^:(contract|unit)\/(.+)$/s.exec(reference) ?? []
    if (kind === undefined) return null
    if (kind === "contract") return [Number(name)]
    const units = (await database.reading("contracts")).objectStore("contracts").index("unit")
    return answered(units.getAllKeys(formOf(name), listingRows)) as Promise<ReadonlyArray<number>>
  }

  return {
    meta: () => IndexMeta.readIndexMeta(database),
    changes: () => ChangeList.read(database),
    watched: () => Watch.read(database),
    lookup: async (references) => {
      const known = await entries()
      const facts = new Map<string, BadgeFact>()
      for (const reference of references) {
        const ids = await idsOf(reference)
        const fact = ids === null ? known.find(reference) : known.ofContracts(ids)
        if (fact !== undefined) facts.set(reference, fact)
      }
      return facts
    },
    get: async (id) => (await database.get("contracts", id)) as Row.Row | undefined,
    ofListing: async (reference) => {
      const known = await entries()
      const named = await idsOf(reference)
      const count = named === null ? 0 : (known.ofContracts(named)?.count ?? 0)
      const { ids, total } =
        named === null
          ? known.ofListing(reference, listingRows)
          : { ids: count === 0 ? [] : named, total: count }
      return { rows: inOrder(await Row.read(database, ids)), total }
    },
    search: (asked) => ContractSearch.search(database, entries, withTexts, asked),
  }
}
