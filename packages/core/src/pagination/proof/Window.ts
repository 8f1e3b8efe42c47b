/**
 * The last records of a reading, in the order of their first occurrence: ids and versions. Overlapping pages are compared with them. Places
 * count from the start of the reading; those of dropped records are unknown.
 */
const kept = 1_000

/** Marks the place of a record that has moved; no documented id is negative. */
const nobody = -1

export class Window {
  #ids: Array<number>
  #versions: Array<string>
  #dropped = 0

  constructor(ids: ReadonlyArray<number> = [], versions: ReadonlyArray<string> = []) {
    this.#ids = [...ids]
    this.#versions = [...versions]
  }

  /** The place of the first record that is held, and the place after the last. */
  get start(): number {
    return this.#dropped
  }
  get end(): number {
    return this.#dropped + this.#ids.length
  }

  /**
   * Adds the records of a page. A known record that changed may have moved: it gets a new place at the end. So does a dropped one.
   */
  add<A extends { readonly id: number }>(
    records: ReadonlyArray<A>,
    known: ReadonlyArray<A>,
    version: (record: A) => string,
  ): void {
    const repeated = new Set(known)
    for (const record of records) {
      const text = version(record)
      if (repeated.has(record) && this.#stays(record.id, text)) continue
      this.#ids.push(record.id)
      this.#versions.push(text)
    }
    if (this.#ids.length <= 2 * kept) return
    const over = this.#ids.length - kept
    this.#ids = this.#ids.slice(over)
    this.#versions = this.#versions.slice(over)
    this.#dropped += over
  }

  /** Whether a record keeps its place. The place of a changed one becomes empty; the places of other records do not change. */
  #stays(id: number, version: string): boolean {
    const at = this.#ids.lastIndexOf(id)
    if (at < 0) return false
    if (this.#versions[at] === version) return true
    this.#ids[at] = nobody
    return false
  }

  /** The place of a record; -1 where it is not held. */
  placeOf(id: number): number {
    const at = this.#ids.lastIndexOf(id)
    return at < 0 ? -1 : this.#dropped + at
  }

  /** The id of the record at a place, or of the nearest one before it; null where none is held. */
  idAt(place: number): number | null {
    for (let at = place - this.#dropped; at >= 0; at--) {
      const id = this.#ids[at]
      if (id !== undefined && id !== nobody) return id
    }
    return null
  }

  versionAt(place: number): string | null {
    return this.#versions[place - this.#dropped] ?? null
  }

  idsFrom(place: number, count: number): ReadonlyArray<number> {
    const at = Math.max(0, place - this.#dropped)
    return this.#ids.slice(at, at + count).filter((id) => id !== nobody)
  }

  /** The ids and versions of the last `count` places. */
  last(count: number): { readonly ids: ReadonlyArray<number>; readonly versions: ReadonlyArray<string> } {
    const from = Math.max(0, this.#ids.length - count)
    return { ids: this.#ids.slice(from), versions: this.#versions.slice(from) }
  }
}
