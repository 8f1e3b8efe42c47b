/**
 * The index in memory: what badges say of each contract, by listing, and, once somebody searches, its text. It is read when it is first needed, and
 * stored again from time to time, so that a background that wakes up need not read every row.
 */
import { findSlug, isNumber, isSlugForm, slugFormOf } from "../address/Reference.ts"
import { summaryOf } from "../messages/ListingMessage.ts"
import type { BadgeFact, ContractGroup } from "../messages/ListingMessage.ts"
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import { empty, readIndexMeta } from "./IndexMeta.ts"
import type { IndexMeta } from "./IndexMeta.ts"
import { textOf } from "./Query.ts"
import type { Row } from "./Row.ts"

/** A status and a kind: one object for all contracts that have both. */
export type Group = Pick<ContractGroup, "status" | "kind">

interface Entry {
  readonly id: number
  /** The id of its listing; null for a contract without one. */
  listing: number | null
  slug: string | null
  group: Group
  /** Epoch milliseconds. */
  updated: number
}

/** The texts of contracts, in the form that is searched, by their ids. */
type Texts = Map<number, string>

/**
 * Entries as the database keeps them. A woken background reads all of them before it answers a page, and a browser copies columns many times
 * faster than as many objects.
 */
interface EntriesRecord {
  readonly ids: Float64Array
  /** `NaN` for a contract without a listing. */
  readonly listings: Float64Array
  readonly updated: Float64Array
  /** The places of their groups and of their slugs. */
  readonly groupOf: Int32Array
  readonly slugOf: Int32Array
  readonly groups: ReadonlyArray<Group>
  /** Between line feeds; empty for none. */
  readonly slugs: string
}

/** Texts as the database keeps them: between line feeds, in the order of their ids. */
interface TextsRecord {
  readonly ids: Float64Array
  readonly texts: string
}

export interface Hits {
  /** Ids, the latest update first. */
  readonly ids: ReadonlyArray<number>
  /** Number of all that were found, including those that are not returned. */
  readonly total: number
}

/** Made for the first lookup after a change of them. Null stands for several. */
interface Names {
  /** The listing of each slug. */
  readonly slugs: Map<string, number | null>
  /** The slug of each form, for slugs that differ from their form. */
  readonly forms: Map<string, string | null>
}

const setUnique = <A>(map: Map<string, A | null>, key: string, value: A): void => {
  map.set(key, map.has(key) && map.get(key) !== value ? null : value)
}

const wordCharacters = 80

const wordOf = (text: string): string => {
  const line = text.replaceAll("\n", " ")
  return line.length > wordCharacters ? `${line.slice(0, wordCharacters)}…` : line
}

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

/** The entries of each group. */
const grouped = (entries: Iterable<Entry>): ReadonlyMap<Group, ReadonlyArray<Entry>> => {
  const groups = new Map<Group, Array<Entry>>()
  for (const entry of entries) {
    const there = groups.get(entry.group)
    if (there === undefined) groups.set(entry.group, [entry])
    else there.push(entry)
  }
  return groups
}

const counted = (groups: ReadonlyMap<Group, ReadonlyArray<Entry>>): ReadonlyArray<ContractGroup> =>
  [...groups].map(([{ kind, status }, { length }]) => ({ count: length, status, kind }))

/** The place of a value, which is added if it has none. */
const placeOf = <A>(places: Map<A, number>, value: A): number => {
  const place = places.get(value) ?? places.size
  places.set(value, place)
  return place
}

const textsOf = ({ ids, texts }: TextsRecord): Texts => {
  const lines = texts.split("\n")
  return new Map(Array.from(ids, (id, at) => [id, lines[at]!]))
}

const textsRecord = (texts: Texts): TextsRecord => ({
  ids: Float64Array.from(texts.keys()),
  texts: [...texts.values()].join("\n"),
})

export class Entries {
  /** Null until they are read. */
  texts: Texts | null = null
  /** By the id of the listing. */
  readonly #byListing = new Map<number | null, Array<Entry>>()
  readonly #groups = new Map<string, Group>()
  /** By the id of the contract; made when it is first needed, because no lookup needs it. */
  #byId: Map<number, Entry> | null = null
  #names: Names | null = null

  constructor(record?: EntriesRecord) {
    if (record === undefined) return
    const { groupOf, ids, listings, slugOf, updated } = record
    const slugs = record.slugs.split("\n").map((slug) => slug || null)
    const groups = record.groups.map((group) => this.#groupOf(group))
    for (let at = 0; at < ids.length; at++) {
      const listing = listings[at]!
      this.#add({
        id: ids[at]!,
        listing: Number.isNaN(listing) ? null : listing,
        slug: slugs[slugOf[at]!]!,
        group: groups[groupOf[at]!]!,
        updated: updated[at]!,
      })
    }
  }

  toRecord(): EntriesRecord {
    const entries = [...this.#byListing.values()].flat()
    const [slugs, groups] = [new Map<string, number>(), new Map<Group, number>()]
    return {
      ids: Float64Array.from(entries, ({ id }) => id),
      listings: Float64Array.from(entries, ({ listing }) => listing ?? Number.NaN),
      updated: Float64Array.from(entries, ({ updated }) => updated),
      groupOf: Int32Array.from(entries, ({ group }) => placeOf(groups, group)),
      slugOf: Int32Array.from(entries, ({ slug }) => placeOf(slugs, slug ?? "")),
      groups: [...groups.keys()],
      slugs: [...slugs.keys()].join("\n"),
    }
  }

  get contracts(): number {
    return this.#known().size
  }

  /** Listings that have a contract. */
  get listings(): number {
    return this.#byListing.size - Number(this.#byListing.has(null))
  }

  /** When a contract was last updated, in epoch milliseconds; undefined for one that is not known. */
  updatedAt(id: number): number | undefined {
    return this.#known().get(id)?.updated
  }

  /** Applies new or newer rows. */
  apply(rows: ReadonlyArray<Row>): void {
    const known = this.#known()
    for (const row of rows) {
      const { contract, id, listingId = null, slug = null, updatedAt } = row
      const group = this.#groupOf({ status: wordOf(contract.status), kind: wordOf(contract.kind) })
      const entry = { id, listing: listingId, slug, group, updated: updatedAt }
      this.texts?.set(id, textOf(contract))
      const before = known.get(id)
      if (before?.slug !== slug || before.listing !== listingId) this.#names = null
      if (before?.listing === listingId) Object.assign(before, entry)
      else {
        if (before !== undefined) this.#drop(before.listing, new Set([id]))
        known.set(id, entry)
        this.#add(entry)
      }
    }
  }

  remove(ids: Iterable<number>): void {
    const known = this.#known()
    const gone = new Set(ids)
    const listings = new Set<number | null>()
    for (const id of gone) {
      const entry = known.get(id)
      if (entry !== undefined) listings.add(entry.listing)
      known.delete(id)
      this.texts?.delete(id)
    }
    for (const listing of listings) this.#drop(listing, gone)
    this.#names = null
  }

  /** The fact of the listing that a reference names; undefined when it has no contract. */
  find(reference: string): BadgeFact | undefined {
    const entries = this.#named(reference)
    return entries.length === 0 ? undefined : summaryOf(counted(grouped(entries)))
  }

  /** The id of the listing that a reference names; null when it has no contract. */
  listingNamed(reference: string): number | null {
    return this.#named(reference)[0]?.listing ?? null
  }

  /** The fact of some contracts; undefined if there are none, or if they are of several listings. */
  ofContracts(ids: ReadonlyArray<number>): BadgeFact | undefined {
    const entries = ids.flatMap((id) => this.#known().get(id) ?? [])
    const listings = new Set(entries.map(({ listing }) => listing))
    return listings.size === 1 ? summaryOf(counted(grouped(entries))) : undefined
  }

  /** Contracts of the listing that a reference names, at most `limit`. */
  ofListing(reference: string, limit: number): Hits {
    return latest([this.#named(reference)], limit)
  }

  /** The contracts with a text like this. */
  having(isFound: (text: string) => boolean): ReadonlyArray<number> {
    const ids: Array<number> = []
    for (const [id, text] of this.texts ?? []) if (isFound(text)) ids.push(id)
    return ids
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
    const known = this.#known()
    const entries: Array<Entry> = []
    for (const id of among ?? []) if (known.has(id)) entries.push(known.get(id)!)
    const groups = grouped(among === null ? known.values() : entries)
    const asked = [...groups].flatMap(([group, entries]) => (isAskedFor(group) ? [entries] : []))
    return { ...latest(asked, limit, first), groups: counted(groups) }
  }

  #groupOf(group: Group): Group {
    const key = `${group.status}\n${group.kind}`
    const known = this.#groups.get(key) ?? group
    this.#groups.set(key, known)
    return known
  }

  #add(entry: Entry): void {
    const there = this.#byListing.get(entry.listing)
    if (there === undefined) this.#byListing.set(entry.listing, [entry])
    else there.push(entry)
  }

  #drop(listing: number | null, gone: ReadonlySet<number>): void {
    const others = this.#byListing.get(listing)!.filter(({ id }) => !gone.has(id))
    if (others.length === 0) this.#byListing.delete(listing)
    else this.#byListing.set(listing, others)
  }

  #known(): Map<number, Entry> {
    this.#byId ??= new Map([...this.#byListing.values()].flat().map((entry) => [entry.id, entry]))
    return this.#byId
  }

  #name(): Names {
    if (this.#names !== null) return this.#names
    const names: Names = { slugs: new Map(), forms: new Map() }
    for (const [listing, entries] of this.#byListing) {
      let last: string | null = null
      for (const { slug } of listing === null ? [] : entries) {
        if (slug === null || slug === last) continue
        last = slug
        setUnique(names.slugs, slug, listing)
        const form = isSlugForm(slug) ? slug : slugFormOf(slug)
        if (form !== slug) setUnique(names.forms, form, slug)
      }
    }
    this.#names = names
    return names
  }

  /** The contracts of the listing that a reference names: its slug, its id in digits, or the end of an address with its slug. */
  #named(reference: string): ReadonlyArray<Entry> {
    const { forms, slugs } = this.#name()
    const numbered = isNumber(reference) ? this.#byListing.get(Number(reference)) : undefined
    const isSlug = slugs.has(reference)
    if (numbered !== undefined) {
      return isSlug && slugs.get(reference) !== Number(reference) ? [] : numbered
    }
    const slug =
      isSlug || isNumber(reference)
        ? reference
        : findSlug(reference, (form) => {
            const other = forms.get(form)
            if (slugs.has(form)) return other === undefined ? form : null
            return other
          })
    const listing = slug == null ? null : (slugs.get(slug) ?? null)
    if (listing === null) return []
    const entries = this.#byListing.get(listing)!
    // Contracts may name their listing by its id alone; and a listing may have had other slugs.
    const isOfSlug = (entry: Entry): boolean => entry.slug === slug || entry.slug === null
    return entries.every(isOfSlug) ? entries : entries.filter(isOfSlug)
  }
}

/** A part of the entries as it was after a write: both parts have its number, because they are stored one after the other. */
interface Stored<A> {
  readonly sequence: number
  readonly record: A
}

/** Rows that the stored entries may lack: this many, and a tenth of the index. */
const rowsBeside = 2_000

/** Writes that are read at a time, each a part of a page or one contract. */
const writesAtOnce = 20

/** The entries of a database, and when they are read, written and forgotten. */
export interface Memory {
  readonly entries: () => Promise<Entries>
  /** The entries with their texts. No row may be written meanwhile. */
  readonly withTexts: () => Promise<Entries>
  /** Brings the entries up to date with what the background has written since, where another part of the extension reads them. */
  readonly follow: () => Promise<void>
  /** Applies rows that are being written. If the write fails, `forget` the entries. */
  readonly apply: (rows: ReadonlyArray<Row>) => void
  /** Stores the entries, if enough rows were written since they were last stored. */
  readonly keepIfDue: () => Promise<void>
  /** Stores the entries without these contracts. */
  readonly keepWithout: (ids: ReadonlyArray<number>) => Promise<void>
  /** Forgets the entries in memory. */
  readonly forget: () => void
}

export const makeMemory = (database: Database): Memory => {
  let reading: Promise<Entries> | null = null
  let current: Entries | null = null
  let beside = 0
  /** The index record that the entries were read with. */
  let readAt: IndexMeta = empty

  const stored = async <A>(name: "known" | "texts"): Promise<Stored<A> | undefined> =>
    (await database.get("compact", name)) as Stored<A> | undefined

  /** Gives the rows of later writes, some pages at a time. Returns the index record up to which they were given. */
  const eachAfter = async (
    sequence: number,
    take: (rows: ReadonlyArray<Row>) => void,
  ): Promise<IndexMeta> => {
    const meta = await readIndexMeta(database)
    for (let from = sequence + 1; from <= meta.sequence; from += writesAtOnce) {
      const range = IDBKeyRange.bound(from, from + writesAtOnce - 1)
      const contracts = (await database.reading("contracts")).objectStore("contracts")
      const rows: ReadonlyArray<Row> = await answered(contracts.index("seen").getAll(range))
      take(rows)
    }
    return meta
  }
  const read = async (): Promise<Entries> => {
    const before = await stored<EntriesRecord>("known")
    const entries = new Entries(before?.record)
    beside = 0
    readAt = await eachAfter(before?.sequence ?? 0, (rows) => {
      entries.apply(rows)
      beside += rows.length
    })
    current = entries
    return entries
  }
  const readTexts = async () => {
    const before = await stored<TextsRecord>("texts")
    const texts = before === undefined ? new Map<number, string>() : textsOf(before.record)
    await eachAfter(before?.sequence ?? 0, (rows) => {
      for (const row of rows) texts.set(row.id, textOf(row.contract))
    })
    return texts
  }
  const forget = (): void => {
    reading = null
    current = null
  }
  const entries = (): Promise<Entries> => {
    reading ??= read()
    reading.catch(forget)
    return reading
  }
  const withTexts = async (): Promise<Entries> => {
    const known = await entries()
    known.texts ??= await readTexts()
    return known
  }
  const keep = async (): Promise<void> => {
    const entries = await withTexts()
    const { sequence } = await readIndexMeta(database)
    await database.put("compact", "texts", { sequence, record: textsRecord(entries.texts ?? new Map()) })
    await database.put("compact", "known", { sequence, record: entries.toRecord() })
    beside = 0
  }

  return {
    entries,
    withTexts,
    follow: async () => {
      if (reading === null) return
      const known = await reading
      const { completedAt, contracts, sequence } = await readIndexMeta(database)
      // A complete read removes contracts, and so does the user; rows that are gone have no write of their own.
      if (completedAt !== readAt.completedAt || contracts < readAt.contracts || sequence < readAt.sequence)
        forget()
      else if (sequence > readAt.sequence)
        readAt = await eachAfter(readAt.sequence, (rows) => known.apply(rows))
    },
    apply: (rows) => {
      current?.apply(rows)
      beside += rows.length
    },
    keepIfDue: async () => {
      if (beside > Math.max(rowsBeside, (current?.contracts ?? 0) / 10)) await keep()
    },
    keepWithout: async (ids) => {
      ;(await withTexts()).remove(ids)
      await keep()
    },
    forget,
  }
}
