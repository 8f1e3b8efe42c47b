/**
 * Plain-text formats: encodes text as UTF-8 into one buffer, in one pass over the characters. A table of characters says which texts a format can write
 * unchanged; the format handles every other text itself. Straight-line code, because it runs for every cell of a table. `ofBytes` makes the writer of
 * such a format.
 */
import * as Effect from "effect/Effect"
import type { Headings } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"
import type { Format } from "./Format.ts"
import { harmlessStarts } from "./FormulaGuard.ts"
import type { Sheet, TableWriter, WriteOptions } from "./TableWriter.ts"

const mayStand = 1
const mayBegin = 2
const mayEnd = 4

/** Where each UTF-16 code unit may occur in a text that is written unchanged; 0 for one that a format has to handle. */
export type CharacterKinds = Uint8Array

/**
 * Makes the table of a format. The format has to handle texts that contain a character of `special`, and those that end in one of `notLast`. Only
 * letters and digits that never begin a formula in a spreadsheet may begin a text.
 */
export const kindsOf = (special: string, notLast: string): CharacterKinds => {
  const kinds = new Uint8Array(65_536).fill(mayStand | mayEnd)
  for (const [from, to] of harmlessStarts) kinds.fill(mayStand | mayBegin | mayEnd, from, to + 1)
  for (const character of notLast) kinds[character.charCodeAt(0)] = mayStand
  for (const character of special) kinds[character.charCodeAt(0)] = 0
  return kinds
}

const encoder = new TextEncoder()

export class TextBytes {
  #bytes = new Uint8Array(65_536)
  #length = 0

  /** Number of bytes written since the last `take`. */
  get length(): number {
    return this.#length
  }

  /** Discards the bytes beyond this length. */
  cut(length: number): void {
    this.#length = length
  }

  /** The bytes so far. They are valid only until the next write, which overwrites them. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    return taken
  }

  /** Writes a text that the table allows unchanged. For any other text, including the empty one, writes nothing and returns false. */
  writePlain(text: string, kinds: CharacterKinds): boolean {
    const { length } = text
    if (length === 0 || (kinds[text.charCodeAt(0)]! & mayBegin) === 0) return false
    if ((kinds[text.charCodeAt(length - 1)]! & mayEnd) === 0) return false
    this.#reserve(length * 3)
    const bytes = this.#bytes
    let to = this.#length
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at)
      if (kinds[unit] === 0) return false
      if (unit < 0x80) bytes[to++] = unit
      else if (unit < 0x800) {
        bytes[to++] = 0xc0 | (unit >> 6)
        bytes[to++] = 0x80 | (unit & 0x3f)
      } else if (unit < 0xd800 || unit > 0xdfff) {
        bytes[to++] = 0xe0 | (unit >> 12)
        bytes[to++] = 0x80 | ((unit >> 6) & 0x3f)
        bytes[to++] = 0x80 | (unit & 0x3f)
      } else {
        at += 1
        const low = at < length ? text.charCodeAt(at) : 0
        if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) return false
        const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff)
        bytes[to++] = 0xf0 | (point >> 18)
        bytes[to++] = 0x80 | ((point >> 12) & 0x3f)
        bytes[to++] = 0x80 | ((point >> 6) & 0x3f)
        bytes[to++] = 0x80 | (point & 0x3f)
      }
    }
    this.#length = to
    return true
  }

  /** Writes any text unchanged, except that a lone surrogate becomes U+FFFD. */
  writeText(text: string): void {
    if (text === "") return
    this.#reserve(text.length * 3)
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written
  }

  /** Writes a few bytes that were encoded before. */
  writePiece(piece: Uint8Array): void {
    const { length } = piece
    this.#reserve(length)
    const bytes = this.#bytes
    const to = this.#length
    for (let at = 0; at < length; at++) bytes[to + at] = piece[at]!
    this.#length = to + length
  }

  /** Writes a whole number as JavaScript does. */
  writeInteger(value: number): void {
    if (!(value >= 0 && value < 1_000_000_000)) return this.writeText(String(value))
    this.#reserve(9)
    let digits = 1
    for (let ten = 10; ten <= value; ten *= 10) digits += 1
    let rest = value
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      const tens = (rest / 10) | 0
      this.#bytes[at] = 0x30 + rest - tens * 10
      rest = tens
    }
    this.#length += digits
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/** Writes a table in a plain-text format. If a call writes nothing, no chunk is passed on. */
export interface SheetBytes<in A> {
  /** Writes the records of a page. On the first page, it first writes the beginning of the file. */
  readonly page: (records: ReadonlyArray<A>) => void
  /** Writes the end of the file after the last page; for a table without pages, the whole file. */
  readonly end: () => void
}

export interface SheetTextOptions {
  readonly headings: Headings
  readonly onTextsChanged: WriteOptions<never>["onTextsChanged"]
}

/** A writer of a plain-text format in UTF-8 that holds one table: the chunks are what `make` writes to `bytes`. */
export const ofBytes = (
  format: Omit<Format, "sheets">,
  make: <A>(table: Table<A>, options: SheetTextOptions, bytes: TextBytes) => SheetBytes<A>,
): TableWriter => ({
  format: { ...format, sheets: "one" },
  open: <E>({ headings = "labels", onTextsChanged, write }: WriteOptions<E>) => {
    const sheet = <A>(table: Table<A>): Effect.Effect<Sheet<A, E>> =>
      Effect.sync(() => {
        const bytes = new TextBytes()
        const { end, page } = make(table, { headings, onTextsChanged }, bytes)
        const written = (work: () => void) =>
          Effect.suspend(() => {
            work()
            return bytes.length === 0 ? Effect.void : write(bytes.take())
          })
        return { add: (records) => written(() => page(records)), end: written(end) }
      })
    return Effect.succeed({ sheet, end: Effect.void })
  },
})
