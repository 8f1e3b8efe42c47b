/**
 * What is read from the saved contracts: badges of listings, contracts by their ids, searches, changes. It writes nothing and asks no service, and so
 * works in the background and in the extension's own pages alike. The latest updates are read from their index; everything else is found in the
 * entries in memory, and nothing reads all rows.
 */
import { referencesOf, resolved } from "../address/Reference.ts"
import type { ChangesAnswer, Links, Watched } from "../messages/AppState.ts"
import { rankOf } from "../messages/ListingMessage.ts"
import type { BadgeFact, ContractGroup, ListingContract, ListingDetail } from "../messages/ListingMessage.ts"
import type { NamedSite } from "./AccountList.ts"
import * as ChangeList from "./ChangeList.ts"
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import { makeMemory } from "./Entries.ts"
import type { Group, Memory } from "./Entries.ts"
import * as IndexMeta from "./IndexMeta.ts"
import { latest, rowOf } from "./PageIndex.ts"
import type { Asked, ContractDetail, ListingAnswer, SearchAnswer } from "./PageIndex.ts"
import { finder, formOf, isValue, parse, textOf } from "./Query.ts"
import type { Query, Term } from "./Query.ts"
import * as Watch from "./Watched.ts"
import type { Contract } from "@deedkit/core"
import { Contract as Contracts, Json } from "@deedkit/core"
import * as Row from "./Row.ts"

export interface Found {
  readonly rows: ReadonlyArray<Row.Row>
  /** Matches in the index. */
  readonly total: number
  /** How many there are of each status and kind, whatever status and kind were asked for; null if they were not counted, or there are too many. */
  readonly groups: ReadonlyArray<ContractGroup> | null
}

export interface ContractReads {
  readonly meta: () => Promise<IndexMeta.IndexMeta>
  /** What has changed since the first complete read. */
  readonly changes: () => Promise<ChangesAnswer>
  readonly watched: () => Promise<Watched>
  /** The facts of the listings, contracts and units that have a contract, in the order in which they were asked for; the others are left out. */
  readonly lookup: (references: ReadonlyArray<string>) => Promise<ReadonlyMap<string, BadgeFact>>
  /** The ids of the listings with a contract that are named by a slug or an id. Contracts and units are left out. */
  readonly listingIds: (references: Iterable<string>) => Promise<ReadonlyMap<string, number>>
  readonly get: (id: number) => Promise<Row.Row | undefined>
  /** Contracts by a reference of a listing, a contract or a unit; active ones first, then drafts, each the latest update first. */
  readonly ofListing: (reference: string) => Promise<Row.Rows>
  /** The contracts that match what was typed: see `Query.ts`. */
  readonly search: (asked: Asked) => Promise<Found>
}

/** Where the entries come from. */
type Source = Pick<Memory, "entries" | "withTexts">

/** Statuses and kinds are open sets (Spec: Contract, gaps). If there are more groups than this, none is returned. */
const mostGroups = 500

type GroupTerm = Term & { readonly field: "status" | "kind" }

const isGroupTerm = (term: Term): term is GroupTerm => term.field === "status" || term.field === "kind"

/** Whether a status and a kind are those that the terms for them ask for. */
const isOfGroup = (group: Group, terms: ReadonlyArray<Term>): boolean =>
  terms.every((term) => !isGroupTerm(term) || isValue(group[term.field], term))

/** The number that was typed alone, if any, and whether a hash before it says that it is an id. */
const typedId = ({ words }: Query): { readonly id: number; readonly isSure: boolean } => {
  const [, hash, id] = /^(#?)(\d{1,16})$/.exec(words.join(" ")) ?? []
  return { id: Number(id), isSure: hash === "#" }
}

/** Returns a function that finds among rows what a search of the index would find, in their order. */
export const matching = (text: string): ((rows: ReadonlyArray<Row.Row>) => ReadonlyArray<Row.Row>) => {
  const query = parse(text)
  const { id: wanted, isSure } = typedId(query)
  const isFound = finder(query)
  const isNamed = (row: Row.Row): boolean =>
    isSure ? row.id === wanted : isFound === null || isFound(textOf(row.contract))
  return (rows) => rows.filter((row) => isNamed(row) && isOfGroup(row.contract, query.terms))
}

/** The contracts that match, at most `limit` of them. An empty text gives the latest updates. */
const search = async (
  database: Database,
  { entries, withTexts }: Source,
  { counts, limit, text }: Asked,
): Promise<Found> => {
  const query = parse(text)
  const { terms, words } = query
  const isAll = terms.length + words.length === 0
  if (isAll && !counts) {
    const { contracts } = await IndexMeta.readIndexMeta(database)
    return { rows: await latest(database, limit), total: contracts, groups: null }
  }
  // A number that was typed alone may be an id, whose contract comes first; after a hash it is one.
  const { id, isSure } = typedId(query)
  const isFound = isSure ? null : finder(query)
  const known = await (isFound === null ? entries() : withTexts())
  const { groups, ids, total } = known.select(
    isSure ? [id] : isFound && known.having(isFound),
    (group) => isOfGroup(group, terms),
    limit,
    id,
  )
  return {
    rows: isAll ? await latest(database, limit) : await Row.read(database, ids),
    total,
    groups: groups.length > mostGroups ? null : groups,
  }
}

/** Most contracts of one listing that are read. */
const listingRows = 500

/** A reference of a contract or a unit. */
const inListing = /^:(contract|unit)\/(.+)$/s

/** Rows by status, in the order of badges; within a status, the latest update first. */
const inOrder = (rows: ReadonlyArray<Row.Row>): ReadonlyArray<Row.Row> =>
  rows.toSorted(
    (one, other) =>
      rankOf(one.contract.status) - rankOf(other.contract.status) || other.updatedAt - one.updatedAt,
  )

export const make = (database: Database, source: Source): ContractReads => {
  const { entries } = source
  /** The contracts that a reference of a pattern names, at most as many as are read of a listing; null for a listing's reference. */
  const idsOf = async (reference: string): Promise<ReadonlyArray<number> | null> => {
    const [, kind, name = ""] = inListing.exec(reference) ?? []
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
    listingIds: async (references) => {
      const known = await entries()
      const ids = new Map<string, number>()
      for (const reference of references) {
        const id = inListing.test(reference) ? null : known.listingNamed(reference)
        if (id !== null) ids.set(reference, id)
      }
      return ids
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
    search: (asked) => search(database, source, asked),
  }
}

/** What answers a page from the database of one account. The background alone writes; what it has written since is read before each answer. */
export const forPages = (database: Database) => {
  const memory = makeMemory(database)
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
  const reads = make(database, { entries: inTurn(memory.entries), withTexts })

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

type Field = ContractDetail["fields"][number]

/** A wire value as text: strings as they are, null as null, anything else as JSON with every digit that was received. */
const wireText = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === "string" ? value : Json.stringify(value)

const fieldsOf = (contract: Contract.Contract): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  for (const name of Contracts.members) {
    if (name !== "listing") fields.push({ name, value: wireText(contract[name]) })
  }
  const { listing } = contract
  for (const name of Contracts.listingMembers) {
    fields.push({ name: `listing.${name}`, value: listing == null ? null : wireText(listing[name]) })
  }
  const extra = Object.entries(Contracts.extra(contract))
  return [...fields, ...extra.map(([name, value]) => ({ name, value: wireText(value) }))]
}

/** All members of the record, including those that the specification does not name. */
export const detailOf = (row: Row.Row): ContractDetail => ({
  row: rowOf(row),
  fields: fieldsOf(row.contract),
  seenAt: row.seenAt,
})

const listingContractOf = ({ contract, id, seenAt }: Row.Row): ListingContract => ({
  id,
  kind: contract.kind,
  status: contract.status,
  unitLabel: contract.unit_label,
  createdAt: contract.created_at,
  updatedAt: contract.updated_at,
  seenAt,
})

/** The data for the panel on a listing's page. Null for a listing without a contract: then nothing is shown. */
export const listingOf = ({ rows, total }: Row.Rows): ListingDetail | null => {
  const listing = rows.find((row) => row.contract.listing != null)?.contract.listing
  if (rows.length === 0) return null
  return {
    title: listing?.title ?? null,
    city: listing?.city ?? null,
    contracts: rows.map(listingContractOf),
    total,
  }
}
