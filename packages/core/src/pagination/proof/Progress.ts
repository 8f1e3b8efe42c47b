/**
 * Whether the pages of one reading make progress. A service can name a new cursor each time and still repeat its pages, and a correct list can
 * repeat many records when it changes: so a read is stopped only if repeated records outweigh new ones.
 */
import type { Cursor, StallEvidence } from "../Cursor.ts"
import { toText } from "../Cursor.ts"
import type { Model } from "../../answer/envelope.ts"

/** The part of a page by which progress is measured. */
export interface PageTaken<A> {
  readonly records: ReadonlyArray<A>
  /** Those of `records` that came before. */
  readonly known: ReadonlyArray<A>
  readonly size: number
  /** The cursor that the page names; null at the end, or if no further page is needed. */
  readonly next: Cursor | null
}

/** How the page was requested: by the service's cursor (`verbatim`), or by one that leads to known records on purpose. */
export type Asking = "first" | "verbatim" | "retry" | "own"

/** Where a reading is resumed, and what was read before. */
export interface ResumedFrom {
  readonly cursor: Cursor
  readonly pages: number
  readonly records: number
  /** Ids of records beyond the cursor that were already returned. */
  readonly ahead: ReadonlyArray<number>
}

export const nameOf = (cursor: Cursor): string =>
  `${typeof cursor === "string" ? "string" : "integer"} ${toText(cursor)}`

export class Progress<A extends { readonly id: number }> {
  readonly #model: Model<A>
  readonly #names = new Set<string>()
  /** Ids of records beyond the cursor that the reading is resumed from. When such an id comes again, that counts as progress, once. */
  readonly #ahead: Set<number>
  #first: A | null = null
  #rounds = 0
  #pages: number
  /** New records, and records that were repeated without being requested again. */
  #fresh: number
  #again = 0
  /** Pages in a row that had records, but no new one. */
  idle = 0

  constructor(model: Model<A>, from: ResumedFrom | null) {
    this.#model = model
    this.#ahead = new Set(from?.ahead)
    this.#pages = from?.pages ?? 0
    this.#fresh = from?.records ?? 0
    if (from !== null) this.#names.add(nameOf(from.cursor))
  }

  /** Takes a page. Returns the evidence if the pages make no progress. */
  take(asking: Asking, { known, next, records, size }: PageTaken<A>): StallEvidence | null {
    const fresh = records.length - known.length
    const again = known.filter(({ id }) => !this.#ahead.delete(id))
    this.#pages += 1
    this.#first ??= records[0] ?? null
    this.#fresh += fresh
    if (again.length < records.length) this.idle = 0
    else if (size > 0) this.idle += 1
    if (asking === "own") return null
    if (asking === "verbatim") {
      this.#again += again.length
      if (again.some((record) => this.#isFirst(record))) this.#rounds += 1
    }
    const text = this.#repeats()
    if (text !== null) return { kind: "no-new-records", text }
    if (next === null || asking === "retry") return null
    const name = nameOf(next)
    if (this.#names.has(name)) {
      const text = `page ${this.#pages} named a cursor that an earlier page had named`
      return { kind: "cursor-repeated", text }
    }
    this.#names.add(name)
    return null
  }

  #repeats(): string | null {
    if (this.#rounds > 1) return `the first record came again on page ${this.#pages}, for the second time`
    if (this.idle > 4 && this.idle > this.#pages / 2) {
      return `${this.idle} pages in a row had no new record and named a further page`
    }
    return this.#again > 2 * this.#fresh ? `${this.#again} records came again, and ${this.#fresh} once` : null
  }

  /** Whether it is the record that the list began with, unchanged: a changed record may have moved. */
  #isFirst(record: A): boolean {
    // A page with a record has set `#first`.
    const first = this.#first!
    const { version } = this.#model
    return record.id === first.id && version(record) === version(first)
  }
}
