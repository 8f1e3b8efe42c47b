/**
 * The saved contracts as the extension's own pages, its menus and the address bar read them: from the database of the account in use, without a
 * message to the background, which is the only part that writes. What it has written since is read before each answer.
 */
import type { ChangesAnswer } from "../messages/AppState.ts"
import type { ContractGroup } from "../messages/ListingMessage.ts"
import * as AccountList from "./AccountList.ts"
import * as Database from "./Database.ts"
import { readIndexMeta } from "./IndexMeta.ts"
import type { Row } from "./Row.ts"

/** What was typed, whether the answer has `groups`, and the most rows of it. */
export interface Asked {
  readonly text: string
  readonly counts: boolean
  readonly limit: number
}

export interface ContractRow {
  readonly id: number
  readonly kind: string
  readonly status: string
  readonly unitLabel: string
  /** Of the listing; null if there is none. */
  readonly listingId: number | null
  readonly title: string | null
  readonly city: string | null
  readonly slug: string | null
  readonly updatedAt: string
}

export interface SearchAnswer {
  readonly rows: ReadonlyArray<ContractRow>
  /** Matches in the index, `rows` included. */
  readonly total: number
  /** How many match of each status and kind, whatever status and kind were asked for; null if that was not asked for, or there are very many. */
  readonly groups: ReadonlyArray<ContractGroup> | null
}

export interface ListingAnswer {
  readonly rows: ReadonlyArray<ContractRow>
  readonly title: string | null
  /** How many there are; more than these rows for a listing with very many. */
  readonly total: number
}

/** A contract with everything the record has: names of members as on the wire, values as text, JSON kept whole. */
export interface ContractDetail {
  readonly row: ContractRow
  readonly fields: ReadonlyArray<{ readonly name: string; readonly value: string | null }>
  readonly seenAt: string
}

export interface PageIndex {
  /** Rows for what was typed: see `Query.ts`. An empty text gives the latest updates, faster without `counts`. */
  readonly search: (asked: Asked) => Promise<SearchAnswer>
  /** The contracts of the listing that an address shows, if it is one. */
  readonly listingAt: (url: string) => Promise<ListingAnswer | null>
  /** The contracts of a listing by its slug, or by its id in digits. */
  readonly listing: (reference: string) => Promise<ListingAnswer | null>
  /** The references among these that name a listing with contracts. */
  readonly known: (references: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
  readonly contract: (id: number) => Promise<ContractDetail | null>
  /** What has changed since the first complete read. */
  readonly changes: () => Promise<ChangesAnswer>
}

/** Up to `limit` rows, the latest update first. */
export const latest = async (database: Database.Database, limit: number): Promise<ReadonlyArray<Row>> => {
  const index = (await database.reading("contracts")).objectStore("contracts").index("updatedAt")
  const rows: Array<Row> = []
  const request = index.openCursor(null, "prev")
  for (;;) {
    const cursor = await Database.answered(request)
    if (cursor === null || rows.push(cursor.value as Row) >= limit) return rows
    cursor.continue()
  }
}

/** A row as pages list it. */
export const rowOf = ({ contract, id, listingId }: Row): ContractRow => ({
  id,
  kind: contract.kind,
  status: contract.status,
  unitLabel: contract.unit_label,
  listingId: listingId ?? null,
  title: contract.listing?.title ?? null,
  city: contract.listing?.city ?? null,
  slug: contract.listing?.slug ?? null,
  updatedAt: contract.updated_at,
})

/** Everything but the first rows is loaded when it is first needed. */
const loaded = () => import("./ContractReads.ts")

type Reads = ReturnType<Awaited<ReturnType<typeof loaded>>["forPages"]>

export const make = (databaseOf = Database.each(indexedDB, true)): PageIndex => {
  let open: { readonly key: string; readonly reads: Promise<Reads> } | null = null

  const accountInUse = async () => {
    const list = AccountList.read(await databaseOf(Database.firstAccount).get("settings", AccountList.key))
    const account = AccountList.find(list, list.current)
    return { sites: list.sites, links: account?.links ?? {}, baseUrl: account?.baseUrl, id: list.current }
  }

  /** Reads the account in use; gives `none` if nothing was saved yet. */
  const read = async <A>(
    work: (reads: Reads, account: Awaited<ReturnType<typeof accountInUse>>) => Promise<A>,
    none: A,
  ): Promise<A> => {
    try {
      const account = await accountInUse()
      // Another address has other contracts, even in the same database.
      const key = `${account.id} ${account.baseUrl}`
      if (open?.key !== key) {
        open = { key, reads: loaded().then(({ forPages }) => forPages(databaseOf(account.id))) }
      }
      return await work(await open.reads, account)
    } catch (cause) {
      if (Database.isAbsent(cause)) return none
      throw cause
    }
  }

  const first = async (limit: number): Promise<SearchAnswer> => {
    try {
      const database = databaseOf((await accountInUse()).id)
      const { contracts } = await readIndexMeta(database)
      return { rows: (await latest(database, limit)).map(rowOf), total: contracts, groups: null }
    } catch (cause) {
      if (Database.isAbsent(cause)) return { rows: [], total: 0, groups: null }
      throw cause
    }
  }

  return {
    search: (asked) =>
      asked.text.trim() === "" && !asked.counts
        ? first(asked.limit)
        : read((reads) => reads.search(asked), { rows: [], total: 0, groups: asked.counts ? [] : null }),
    listingAt: (url) => read((reads, { links, sites }) => reads.listingAt(url, sites, links), null),
    listing: (reference) => read((reads) => reads.listing([reference]), null),
    known: (references) => read((reads) => reads.known(references), []),
    contract: (id) => read((reads) => reads.contract(id), null),
    changes: () => read((reads) => reads.changes(), { last: 0, changes: [] }),
  }
}
