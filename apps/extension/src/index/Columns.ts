/**
 * Contracts as columns of numbers, which a browser copies quickly, however many there are. Rows are found by id; the last row takes the place
 * of a removed one, so there are no holes. `BadgeTable` defines what the numbers stand for.
 */

export interface ColumnsRecord {
  readonly ids: Float64Array
  readonly listings: Int32Array
  readonly kinds: Int32Array
  readonly statuses: Int32Array
  readonly updated: Float64Array
}

const names = ["ids", "listings", "kinds", "statuses", "updated"] as const

/** Stands for "no listing" in its column, and for "no place". */
export const none = -1

/** The rows of each listing: the place of one of them, and after each the next one; `none` after the last. */
export interface Chains {
  readonly first: Int32Array
  readonly next: Int32Array
}

const leastCapacity = 1_024

const resized = <A extends Float64Array | Int32Array>(column: A, capacity: number): A => {
  const larger = new (column.constructor as new (length: number) => A)(capacity)
  larger.set(column.subarray(0, Math.min(column.length, capacity)))
  return larger
}

export class Columns implements ColumnsRecord {
  ids: Float64Array
  listings: Int32Array
  kinds: Int32Array
  statuses: Int32Array
  updated: Float64Array
  /** Rows in use; the columns themselves may be longer. */
  size: number
  /** Places by id; made when a row is first changed, because a lookup needs none. */
  #places: Map<number, number> | null = null

  constructor(record?: ColumnsRecord) {
    this.ids = record?.ids ?? new Float64Array(leastCapacity)
    this.listings = record?.listings ?? new Int32Array(leastCapacity)
    this.kinds = record?.kinds ?? new Int32Array(leastCapacity)
    this.statuses = record?.statuses ?? new Int32Array(leastCapacity)
    this.updated = record?.updated ?? new Float64Array(leastCapacity)
    this.size = record?.ids.length ?? 0
  }

  /** Writes a row; returns whether that changed anything. */
  put(id: number, listing: number, kind: number, status: number, updated: number): boolean {
    const places = this.#known()
    const known = places.get(id)
    const at = known ?? this.size
    if (known === undefined) {
      if (at === this.ids.length) this.#grow()
      places.set(id, at)
      this.size += 1
    } else if (
      this.listings[at] === listing &&
      this.kinds[at] === kind &&
      this.statuses[at] === status &&
      this.updated[at] === updated
    ) {
      return false
    }
    this.ids[at] = id
    this.listings[at] = listing
    this.kinds[at] = kind
    this.statuses[at] = status
    this.updated[at] = updated
    return true
  }

  /** The place of a row; `none` if there is no such row. */
  placeOf(id: number): number {
    return this.#known().get(id) ?? none
  }

  /** The listing of a row; `none` also if there is no such row. */
  listingOf(id: number): number {
    return this.listings[this.placeOf(id)] ?? none
  }

  /** Removes a row; returns whether it was there. */
  remove(id: number): boolean {
    const places = this.#known()
    const at = this.placeOf(id)
    if (at === none) return false
    const last = this.size - 1
    for (const name of names) this[name][at] = this[name][last]!
    places.delete(id)
    if (at !== last) places.set(this.ids[at]!, at)
    this.size = last
    return true
  }

  /** A copy with columns exactly as long as there are rows. */
  toRecord(): ColumnsRecord {
    const { size } = this
    return {
      ids: this.ids.slice(0, size),
      listings: this.listings.slice(0, size),
      kinds: this.kinds.slice(0, size),
      statuses: this.statuses.slice(0, size),
      updated: this.updated.slice(0, size),
    }
  }

  /** The rows by listing, for the first `count` listings. */
  chains(count: number): Chains {
    const first = new Int32Array(count).fill(none)
    const next = new Int32Array(this.size)
    for (let at = 0; at < this.size; at++) {
      const listing = this.listings[at]!
      if (listing === none) continue
      next[at] = first[listing]!
      first[listing] = at
    }
    return { first, next }
  }

  #known(): Map<number, number> {
    if (this.#places !== null) return this.#places
    this.#places = new Map()
    for (let at = 0; at < this.size; at++) this.#places.set(this.ids[at]!, at)
    return this.#places
  }

  #grow(): void {
    const capacity = Math.max(leastCapacity, this.ids.length * 2)
    this.ids = resized(this.ids, capacity)
    this.listings = resized(this.listings, capacity)
    this.kinds = resized(this.kinds, capacity)
    this.statuses = resized(this.statuses, capacity)
    this.updated = resized(this.updated, capacity)
  }
}
