/**
 * The index in memory: what badges say of each contract and, once somebody searches, its text. Listings and groups are objects that their contracts
 * share. Pure.
 */
import { isNumber } from "../address/LinkPattern.ts"
import * as SlugForm from "../address/SlugForm.ts"
import type { BadgeFact, ContractGroup } from "../messages/ListingMessage.ts"
import type { Row } from "./Row.ts"
import { textOf } from "./SearchText.ts"
import { summaryOf } from "./Summary.ts"

interface Listing {
  readonly id: number
  /** Null for one that is known by its id only. */
  readonly slug: string | null
}

/** A status and a kind. */
export type Group = Pick<ContractGroup, "status" | "kind">

interface Entry {
  readonly id: number
  readonly listing: Listing | null
  readonly group: Group
  /** Epoch milliseconds. */
  readonly updated: number
}

/** The texts of contracts, in the form that is searched, by their ids. */
type Texts = Map<number, string>

/**
 * Entries as the database keeps them. A woken background waits for them before it answers a page: of 100,000 entries, objects take three times as
 * long to read as columns.
 */
export interface EntriesRecord {
  readonly ids: Float64Array
  readonly updated: Float64Array
  /** For each entry, the place of its group, and that of its listing; -1 for none. */
  readonly groupOf: Int32Array
  readonly listingOf: Int32Array
  readonly groups: ReadonlyArray<Group>
  readonly listingIds: Float64Array
  /** In the order of their ids, between line feeds; empty for none. */
  readonly slugs: string
}

/** Texts as the database keeps them: between line feeds, in the order of their ids. */
export interface TextsRecord {
  readonly ids: Float64Array
  readonly texts: string
}

export interface Hits {
  /** Ids, the latest update first. */
  readonly ids: ReadonlyArray<number>
  /** Number of all that were found, including those that are not returned. */
  readonly total: number
}

/** The objects that entries share, and how many contracts each listing has. Only writes need them. */
interface Shared {
  readonly listings: Map<string, Listing>
  readonly groups: Map<string, Group>
  readonly counts: Map<number, number>
}

/** What a reference can name. Only lookups need it. */
interface Names {
  readonly byId: Map<number, ReadonlyArray<Listing>>
  /** Null for a slug that several listings have. */
  readonly bySlug: Map<string, Listing | null>
  /** Listings by the form of slugs that differ from their form; null if several have it. */
  readonly byForm: Map<string, Listing | null>
  readonly entries: Map<Listing, Array<Entry>>
}

const wordCharacters = 80

const wordOf = (text: string): string => {
  const line = text.replaceAll("\n", " ")
  return line.length > wordCharacters ? `${line.slice(0, wordCharacters)}…` : line
}

const shared = <A>(known: Map<string, A>, key: string, value: A): A => {
  const there = known.get(key) ?? value
  known.set(key, there)
  return there
}

/** The place of a value, which is added if it has none. */
const placeOf = <A>(places: Map<A, number>, value: A): number => {
  const place = places.get(value) ?? places.size
  places.set(value, place)
  return place
}

const listingKey = ({ id, slug }: Listing): string => `${id} ${slug ?? ""}`
const groupKey = ({ kind, status }: Group): string => `${status}\n${kind}`

/** The latest of many entries, without sorting all of them. Those with the id `first` come before the others. */
const latest = (lists: ReadonlyArray<ReadonlyArray<Entry>>, limit: number, first = Number.NaN): Hits => {
  const found: Array<readonly [id: number, updated: number]> = []
  let least = -Infinity
  for (const entries of lists) {
    for (const entry of entries) {
      const updated = entry.id === first ? Infinity : entry.updated
      if (updated <= least) continue
      let at = found.length
      while (at > 0 && found[at - 1]![1] < updated) at -= 1
      found.splice(at, 0, [entry.id, updated])
      if (found.length > limit) found.pop()
      if (found.length === limit) least = found[limit - 1]![1]
    }
  }
  return { ids: found.map(([id]) => id), total: lists.reduce((sum, { length }) => sum + length, 0) }
}

/** How many entries there are of each status and kind. */
const grouped = (entries: Iterable<Entry>): ReadonlyArray<ContractGroup> => {
  const counts = new Map<Group, number>()
  for (const { group } of entries) counts.set(group, (counts.get(group) ?? 0) + 1)
  return [...counts].map(([{ kind, status }, count]) => ({ count, status, kind }))
}

export const textsOf = ({ ids, texts }: TextsRecord): Texts => {
  const lines = texts.split("\n")
  return new Map(Array.from(ids, (id, at) => [id, lines[at]!]))
}

export const textsRecord = (texts: Texts): TextsRecord => ({
  ids: Float64Array.from(texts.keys()),
  texts: [...texts.values()].join("\n"),
})

export class Entries {
  /** By id. */
  readonly known = new Map<number, Entry>()
  /** Null until they are read. */
  texts: Texts | null = null
  #shared: Shared | null = null
  #names: Names | null = null

  constructor(record?: EntriesRecord) {
    const { groupOf, groups, ids, listingIds, listingOf, slugs = "", updated } = record ?? {}
    const listings = slugs.split("\n").map((slug, at) => ({ id: listingIds?.[at] ?? 0, slug: slug || null }))
    ids?.forEach((id, at) => {
      const listing = listings[listingOf![at]!] ?? null
      this.known.set(id, { id, listing, group: groups![groupOf![at]!]!, updated: updated![at]! })
    })
  }

  toRecord(): EntriesRecord {
    const entries = [...this.known.values()]
    const [listings, groups] = [new Map<Listing, number>(), new Map<Group, number>()]
    return {
      ids: Float64Array.from(entries, ({ id }) => id),
      updated: Float64Array.from(entries, ({ updated }) => updated),
      groupOf: Int32Array.from(entries, ({ group }) => placeOf(groups, group)),
      listingOf: Int32Array.from(entries, ({ listing }) =>
        listing === null ? -1 : placeOf(listings, listing),
      ),
      groups: [...groups.keys()],
      listingIds: Float64Array.from(listings.keys(), ({ id }) => id),
      slugs: Array.from(listings.keys(), ({ slug }) => slug ?? "").join("\n"),
    }
  }

  /** Listings that have a contract. */
  get listings(): number {
    return this.#share().counts.size
  }

  /** Applies new or newer rows. */
  apply(rows: ReadonlyArray<Row>): void {
    const { groups, listings } = this.#share()
    for (const row of rows) {
      const { contract, id, listingId, slug = null } = row
      const listing = listingId === undefined ? null : { id: listingId, slug }
      const group = { status: wordOf(contract.status), kind: wordOf(contract.kind) }
      this.#set(id, {
        id,
        listing: listing && shared(listings, listingKey(listing), listing),
        group: shared(groups, groupKey(group), group),
        updated: row.updatedAt,
      })
      this.texts?.set(id, textOf(row))
    }
  }

  remove(ids: Iterable<number>): void {
    for (const id of ids) {
      this.#set(id, undefined)
      this.texts?.delete(id)
    }
  }

  /** The fact of the listing that a reference names; undefined when it has no contract. */
  find(reference: string): BadgeFact | undefined {
    const groups = grouped(this.#of(reference))
    return groups.length === 0 ? undefined : summaryOf(groups)
  }

  /** The fact of some contracts; undefined if there are none, or if they are of several listings. */
  ofContracts(ids: ReadonlyArray<number>): BadgeFact | undefined {
    const entries = ids.flatMap((id) => this.known.get(id) ?? [])
    const listings = new Set(entries.map(({ listing }) => listing?.id))
    return listings.size === 1 ? summaryOf(grouped(entries)) : undefined
  }

  /** The contracts with a text like this. */
  having(isFound: (text: string) => boolean): ReadonlyArray<number> {
    const ids: Array<number> = []
    for (const [id, text] of this.texts ?? []) if (isFound(text)) ids.push(id)
    return ids
  }

  /** Contracts of the listing that a reference names, at most `limit`. */
  ofListing(reference: string, limit: number): Hits {
    return latest([this.#of(reference)], limit)
  }

  /**
   * The contracts, among the given ones or all, whose status and kind are asked for: `first` before the others, then the latest, at most `limit`;
   * and how many contracts there are of each status and kind, asked for or not.
   */
  select(
    among: ReadonlyArray<number> | null,
    isAskedFor: (group: Group) => boolean,
    limit: number,
    first: number,
  ): Hits & { readonly groups: ReadonlyArray<ContractGroup> } {
    const byGroup = new Map<Group, Array<Entry>>()
    const add = (entry: Entry): void => {
      const there = byGroup.get(entry.group)
      if (there === undefined) byGroup.set(entry.group, [entry])
      else there.push(entry)
    }
    if (among === null) for (const entry of this.known.values()) add(entry)
    else for (const id of among) if (this.known.has(id)) add(this.known.get(id)!)
    const asked = [...byGroup].flatMap(([group, entries]) => (isAskedFor(group) ? [entries] : []))
    const groups = [...byGroup].map(([{ kind, status }, { length }]) => ({ count: length, status, kind }))
    return { ...latest(asked, limit, first), groups }
  }

  #share(): Shared {
    if (this.#shared !== null) return this.#shared
    this.#shared = { listings: new Map(), groups: new Map(), counts: new Map() }
    for (const { group, listing } of this.known.values()) {
      this.#shared.groups.set(groupKey(group), group)
      if (listing !== null) this.#shared.listings.set(listingKey(listing), listing)
      this.#count(listing, 1)
    }
    return this.#shared
  }

  #count(listing: Listing | null | undefined, difference: 1 | -1): void {
    if (listing == null) return
    const { counts } = this.#share()
    const count = (counts.get(listing.id) ?? 0) + difference
    if (count === 0) counts.delete(listing.id)
    else counts.set(listing.id, count)
  }

  #set(id: number, entry: Entry | undefined): void {
    this.#count(this.known.get(id)?.listing, -1)
    this.#count(entry?.listing, 1)
    if (entry === undefined) this.known.delete(id)
    else this.known.set(id, entry)
    this.#names = null
  }

  #name(): Names {
    if (this.#names !== null) return this.#names
    const names: Names = { byId: new Map(), bySlug: new Map(), byForm: new Map(), entries: new Map() }
    for (const entry of this.known.values()) {
      if (entry.listing === null) continue
      const there = names.entries.get(entry.listing)
      if (there === undefined) names.entries.set(entry.listing, [entry])
      else there.push(entry)
    }
    for (const listing of names.entries.keys()) {
      const { id, slug } = listing
      names.byId.set(id, [...(names.byId.get(id) ?? []), listing])
      if (slug === null) continue
      names.bySlug.set(slug, names.bySlug.has(slug) ? null : listing)
      const form = SlugForm.isForm(slug) ? slug : SlugForm.formOf(slug)
      if (form !== slug) names.byForm.set(form, names.byForm.has(form) ? null : listing)
    }
    this.#names = names
    return names
  }

  /** The contracts of the listing that a reference names: its slug, its id in digits, or the end of an address with its slug. */
  #of(reference: string): ReadonlyArray<Entry> {
    const { byForm, byId, bySlug, entries } = this.#name()
    const exact = bySlug.get(reference)
    const numbered = isNumber(reference) ? (byId.get(Number(reference)) ?? []) : []
    const isOfTwo = exact !== undefined && numbered.length > 0 && exact?.id !== numbered[0]!.id
    if (isOfTwo) return []
    if (numbered.length > 0) return numbered.flatMap((listing) => entries.get(listing)!)
    const named =
      exact !== undefined || isNumber(reference)
        ? exact
        : SlugForm.find(reference, (form) => {
            const [one, other] = [bySlug.get(form), byForm.get(form)]
            return one !== undefined && other !== undefined ? null : one === undefined ? other : one
          })
    if (named == null) return []
    // Contracts may name their listing by its id alone.
    const listings = byId.get(named.id)!.filter((listing) => listing === named || listing.slug === null)
    return listings.flatMap((listing) => entries.get(listing)!)
  }
}
