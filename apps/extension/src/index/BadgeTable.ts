/**
 * The data for badges: every contract as five numbers, grouped by listing. The whole table is one record of the database, which is read
 * quickly when the background wakes, and a lookup needs no database at all.
 */
import { isNumber } from "../address/LinkPattern.ts"
import type { BadgeFact, ContractGroup } from "../messages/ListingMessage.ts"
import * as Columns from "./Columns.ts"
import type { Row } from "./Row.ts"
import * as SlugForm from "../address/SlugForm.ts"
import { summaryOf } from "./Summary.ts"

interface Hits {
  /** Ids, the latest update first. */
  readonly ids: ReadonlyArray<number>
  /** Number of all that were found, including those that are not returned. */
  readonly total: number
}

/** Collects the latest of many contracts without sorting all of them: the result of a search that finds more than are shown. */
class Latest {
  readonly #most: number
  readonly #found: Array<{ readonly id: number; readonly updated: number }> = []
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  add(id: number, updated: number): void {
    this.#total += 1
    const last = this.#found.at(-1)
    const isFull = this.#found.length >= this.#most
    if (isFull && (last === undefined || updated <= last.updated)) return
    let at = this.#found.length
    while (at > 0 && this.#found[at - 1]!.updated < updated) at -= 1
    this.#found.splice(at, 0, { id, updated })
    if (isFull) this.#found.pop()
  }

  result(): Hits {
    return { ids: this.#found.map(({ id }) => id), total: this.#total }
  }
}

/** The table as the database keeps it. Texts are joined by line feeds, because one text is copied faster than thousands. */
export interface BadgeRecord {
  readonly columns: Columns.ColumnsRecord
  /** A slug for each listing; empty for one that is known by its id only. */
  readonly slugs: string
  /** An id for each listing; `NaN` if it has none. */
  readonly listingIds: Float64Array
  /** Kinds and statuses. */
  readonly words: string
}

interface Selected extends Hits {
  readonly groups: ReadonlyArray<ContractGroup>
}

const wordCharacters = 80

/** The table of a whole index. It is updated with the rows that are applied, and answers for a listing at once. */
export class BadgeTable {
  readonly #columns: Columns.Columns
  readonly #slugs: Array<string> = []
  readonly #listingIds: Array<number> = []
  readonly #bySlug = new Map<string, number>()
  /** Listings by the form of slugs that differ from their form; null if several have it. */
  readonly #byForm = new Map<string, number | null>()
  readonly #byListingId = new Map<number, number>()
  readonly #words: Array<string> = []
  readonly #wordNumbers = new Map<string, number>()
  /** Contracts of each listing, and how many listings have any. */
  readonly #counts: Array<number> = []
  #listings = 0
  /** Positions of each listing's contracts; null when they have to be determined again. */
  #chains: Columns.Chains | null = null
  /** Whether the table differs from the record that it was made from. */
  isChanged = false

  constructor(record?: BadgeRecord) {
    this.#columns = new Columns.Columns(record?.columns)
    if (record === undefined) return
    const slugs = record.slugs.split("\n")
    // One test of all slugs takes a fraction of the time of a test of each.
    const areForms = SlugForm.isForm(record.slugs)
    record.listingIds.forEach((id, listing) => this.#addListing(slugs[listing]!, id, areForms || undefined))
    // If there are contracts, there are words, if only the empty one.
    if (this.#columns.size > 0) for (const word of record.words.split("\n")) this.#word(word)
    for (let at = 0; at < this.#columns.size; at++) this.#count(this.#columns.listings[at]!, 1)
  }

  get contracts(): number {
    return this.#columns.size
  }

  /** Listings that have a contract. */
  get listings(): number {
    return this.#listings
  }

  /** Applies new or newer rows. */
  apply(rows: ReadonlyArray<Row>): void {
    for (const row of rows) {
      const listing = this.#listingOf(row)
      const before = this.#columns.listingOf(row.id)
      if (before !== listing) {
        this.#count(before, -1)
        this.#count(listing, 1)
      }
      const differs = this.#columns.put(
        row.id,
        listing,
        this.#word(row.contract.kind),
        this.#word(row.contract.status),
        row.updatedAt,
      )
      if (!differs) continue
      this.isChanged = true
      this.#chains = null
    }
  }

  /** When a contract was last updated, in epoch milliseconds; undefined for one that is not known. */
  updatedAt(id: number): number | undefined {
    return this.#columns.updated[this.#columns.placeOf(id)]
  }

  remove(ids: Iterable<number>): void {
    for (const id of ids) {
      this.#count(this.#columns.listingOf(id), -1)
      if (!this.#columns.remove(id)) continue
      this.isChanged = true
      this.#chains = null
    }
  }

  /** The fact of the listing that a reference names; undefined when it has no contract. */
  find(reference: string): BadgeFact | undefined {
    const listing = this.#named(reference)
    return listing == null || this.#counts[listing] === 0
      ? undefined
      : summaryOf(this.#grouped(this.#placesOf(listing)))
  }

  /** The fact of some contracts; undefined if there are none, or if they are of several listings. */
  ofContracts(ids: ReadonlyArray<number>): BadgeFact | undefined {
    const places = ids.map((id) => this.#columns.placeOf(id)).filter((place) => place !== Columns.none)
    const listings = new Set(places.map((place) => this.#columns.listings[place]))
    return listings.size === 1 ? summaryOf(this.#grouped(places)) : undefined
  }

  /**
   * The contracts, among the given ones or all, whose status and kind are asked for: `first` before the others, then the latest, at most `limit`;
   * and how many contracts there are of each status and kind, asked for or not.
   */
  select(
    among: ReadonlyArray<number> | null,
    isAskedFor: (group: ContractGroup) => boolean,
    limit: number,
    first: number,
  ): Selected {
    const { ids, size, updated } = this.#columns
    const hits = new Latest(limit)
    const asked = new Set<ContractGroup>()
    const places = among?.map((id) => this.#columns.placeOf(id)).filter((at) => at !== Columns.none)
    const groups = this.#grouped(places ?? Array(size).keys(), (at, group) => {
      if (group.count === 1 && isAskedFor(group)) asked.add(group)
      if (asked.has(group)) hits.add(ids[at]!, ids[at] === first ? Infinity : updated[at]!)
    })
    return { ...hits.result(), groups }
  }

  /** Contracts of a listing by a reference, at most `limit`; by its id also those that name it by another slug. */
  ofListing(reference: string, limit: number): Hits {
    const { ids, listings, size, updated } = this.#columns
    const byId = isNumber(reference) && !this.#bySlug.has(reference)
    const known = byId ? undefined : this.#named(reference)
    const id = Number(reference)
    const hits = new Latest(limit)
    for (let at = 0; at < size; at++) {
      const listing = listings[at]!
      if (byId ? this.#listingIds[listing] === id : listing === known) {
        hits.add(ids[at]!, updated[at]!)
      }
    }
    return hits.result()
  }

  toRecord(): BadgeRecord {
    return {
      columns: this.#columns.toRecord(),
      slugs: this.#slugs.join("\n"),
      listingIds: Float64Array.from(this.#listingIds),
      words: this.#words.join("\n"),
    }
  }

  #word(text: string): number {
    const line = text.replaceAll("\n", " ")
    const word = line.length > wordCharacters ? `${line.slice(0, wordCharacters)}…` : line
    const known = this.#wordNumbers.get(word)
    if (known !== undefined) return known
    this.#wordNumbers.set(word, this.#words.length)
    return this.#words.push(word) - 1
  }

  #count(listing: number, difference: 1 | -1): void {
    if (listing === Columns.none) return
    const count = this.#counts[listing]! + difference
    this.#counts[listing] = count
    if (count === (difference === 1 ? 1 : 0)) this.#listings += difference
  }

  #addListing(slug: string, id: number, isForm = SlugForm.isForm(slug)): number {
    const listing = this.#slugs.push(slug) - 1
    this.#listingIds.push(id)
    this.#counts.push(0)
    if (slug !== "") this.#bySlug.set(slug, listing)
    const form = isForm ? slug : SlugForm.formOf(slug)
    if (form !== slug) this.#byForm.set(form, this.#byForm.has(form) ? null : listing)
    if (!Number.isNaN(id)) this.#byListingId.set(id, listing)
    return listing
  }

  #listingOf({ listingId, slug }: Row): number {
    const id = listingId ?? Number.NaN
    if (slug === undefined) {
      if (listingId === undefined) return Columns.none
      return this.#byListingId.get(id) ?? this.#addListing("", id)
    }
    const listing = this.#bySlug.get(slug) ?? this.#addListing(slug, id)
    if (listingId !== undefined && this.#byListingId.get(id) !== listing) {
      this.#byListingId.set(id, listing)
      this.#listingIds[listing] = id
      this.isChanged = true
    }
    return listing
  }

  /** A listing by its slug, by its id in digits, or by the end of an address with its slug; null or undefined for none. */
  #named(reference: string): number | null | undefined {
    const exact = this.#bySlug.get(reference)
    if (isNumber(reference)) {
      const numbered = this.#byListingId.get(Number(reference)) ?? exact
      return exact === undefined || exact === numbered ? numbered : null
    }
    if (exact !== undefined) return exact
    return SlugForm.find(reference, (form) => {
      const [one, other] = [this.#bySlug.get(form), this.#byForm.get(form)]
      return one !== undefined && other !== undefined ? null : (one ?? other)
    })
  }

  /** How many contracts there are of each status and kind. `visit` is called for each, with its group as counted so far. */
  #grouped(
    places: Iterable<number>,
    visit?: (at: number, group: ContractGroup) => void,
  ): ReadonlyArray<ContractGroup> {
    const { kinds, statuses } = this.#columns
    const groups = new Map<number, { count: number; readonly status: string; readonly kind: string }>()
    for (const at of places) {
      const status = statuses[at]!
      const kind = kinds[at]!
      const number = status * this.#words.length + kind
      const group = groups.get(number) ?? { count: 0, status: this.#words[status]!, kind: this.#words[kind]! }
      group.count += 1
      groups.set(number, group)
      visit?.(at, group)
    }
    return [...groups.values()]
  }

  *#placesOf(listing: number): Iterable<number> {
    const { first, next } = (this.#chains ??= this.#columns.chains(this.#slugs.length))
    for (let at = first[listing]!; at !== Columns.none; at = next[at]!) yield at
  }
}
