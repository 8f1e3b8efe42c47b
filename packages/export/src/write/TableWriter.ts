/**
 * The interface of a file format: it takes tables page by page and writes bytes. `withinLimits` splits a table that is too large for a sheet.
 *
 * A new format is a package with a `TableWriter` and a `FileFormat` that describes it. A writer knows no file, no network and no service, so it
 * runs in a browser as well. Records are pushed to it, so that one read can fill several files.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Headings } from "../table/Column.ts"
import { ExportError } from "../error/ExportError.ts"
import type { Table } from "../table/Table.ts"
import type { Language } from "../Texts.ts"
import type { Cover } from "./Cover.ts"
import type { Format } from "./Format.ts"
import type { CellNote, LongText } from "./LongText.ts"
import * as LongTexts from "./LongText.ts"

export type { Format, Limits } from "./Format.ts"
export { unlimited } from "./Format.ts"

/** A change that a writer had to make to the texts of one page and column, because no file can hold them unchanged. */
export interface TextsChanged {
  /** The column's name. */
  readonly column: string
  readonly cells: number
}

/** Properties of a file, such as where its records are from, as texts by name. */
export type FileProperties = { readonly [name: string]: string }

/** What a file says about itself, in formats that can hold it. */
export interface FileDocument {
  /** What the file holds and whose data it is, such as `Contracts of office`. */
  readonly title: string
  /** The program that made it, such as `deedkit 1.2.0`. */
  readonly madeBy: string
  /** When it was made, ISO 8601 UTC. */
  readonly createdAt: string
}

export interface WriteOptions<E> {
  /**
   * Takes the bytes of the file in their order. The writer waits until they are taken, which gives a run its back-pressure. A chunk is valid only
   * until then: copy bytes that are needed later.
   */
  readonly write: (chunk: Uint8Array) => Effect.Effect<void, E>
  /** Default `labels`. */
  readonly headings?: Headings | undefined
  /** The language of the format's own words, such as the number of a page. Default `en`. */
  readonly language?: Language | undefined
  /** Called with changed texts, at most once per page and column. Must not throw. */
  readonly onTextsChanged?: ((changed: TextsChanged) => void) | undefined
  /** For formats that hold properties; called when the file ends. Default: none. */
  readonly properties?: (() => FileProperties) | undefined
  /** For formats that can begin with a cover; called when the file ends, although readers see the cover first. Default: none. */
  readonly cover?: (() => Cover) | undefined
  /** For formats that can describe themselves; called when the file ends. Default: no description. */
  readonly document?: (() => FileDocument) | undefined
}

/** A table that is being written to a file. */
export interface Sheet<in A, out E> {
  /** Takes the records of a page. At most the bytes of a few pages are buffered. */
  readonly add: (records: ReadonlyArray<A>) => Effect.Effect<void, E | ExportError>
  /** For limits that show only while a table is written: whether it has to go on in a further sheet. Default: it never has to. */
  readonly isFull?: (() => boolean) | undefined
  /** Ends the table. Headings are written even when there was no record. */
  readonly end: Effect.Effect<void, E | ExportError>
}

export interface SheetOptions {
  /** Whether this is the sheet that a reader sees first. Default: the first sheet is. */
  readonly opened?: boolean | undefined
  /** A line about the table for formats that print one on its pages, such as when it was read; called when the table ends. Default: none. */
  readonly note?: (() => string) | undefined
}

/** A file that is being written. Its scope may close at any time: its resources are then released, and nothing more is written. */
export interface FileWriter<out E> {
  /** Starts a sheet with a table. The previous sheet must have ended, and a format with one sheet takes only one table. */
  readonly sheet: <A>(table: Table<A>, options?: SheetOptions) => Effect.Effect<Sheet<A, E>, E | ExportError>
  /** Ends the file. */
  readonly end: Effect.Effect<void, E | ExportError>
}

export interface TableWriter {
  readonly format: Format
  /**
   * Opens a file. Nothing is written before the first page or the end of a table, so that a read that fails at once leaves no bytes.
   * The same tables, pages and options always give the same bytes.
   */
  readonly open: <E>(options: WriteOptions<E>) => Effect.Effect<FileWriter<E>, E | ExportError, Scope.Scope>
}

/** A table that is being written to as many sheets as it needs. */
export interface Sheets<in A, out E> {
  /**
   * Takes the records of a page, and returns the texts that were too long for a cell. `longTexts` is how many there were before, in all that is
   * written.
   */
  readonly add: (
    records: ReadonlyArray<A>,
    longTexts: number,
  ) => Effect.Effect<ReadonlyArray<LongText>, E | ExportError>
  readonly end: Effect.Effect<void, E | ExportError>
  /** How many sheets there are so far. */
  readonly count: () => number
}

const noTexts: ReadonlyArray<LongText> = []

const numbered = <A>(table: Table<A>, part: number): Table<A> =>
  part === 1 ? table : { ...table, title: `${table.title} (${part})` }

/**
 * Starts a table in a file so that everything fits: `cellNote` stands for texts that are too long for a cell, and rows beyond the limit of a sheet go
 * to a further one. Fails with `TooManyRows` if the format has no further sheets. Formats only declare their limits; this is the one place that acts
 * on them.
 */
export const withinLimits = Effect.fnUntraced(function* <A, E>(
  file: FileWriter<E>,
  { limits, name, sheets }: Format,
  table: Table<A>,
  { cellNote, note, opened }: SheetOptions & { readonly cellNote: CellNote },
): Effect.fn.Return<Sheets<A, E>, E | ExportError> {
  const { maxRows, maxTextLength } = limits
  const { find, table: shortened } =
    maxTextLength === null
      ? { table, find: () => noTexts }
      : LongTexts.shorten(table, maxTextLength, cellNote)
  let part = 1
  let rows = 0
  let sheet = yield* file.sheet(shortened, { note, opened })
  const nextSheet = Effect.gen(function* () {
    if (sheets === "one") {
      return yield* new ExportError({
        reason: { _tag: "TooManyRows", format: name, maxRows: maxRows ?? 0 },
      })
    }
    yield* sheet.end
    part += 1
    rows = 0
    sheet = yield* file.sheet(numbered(shortened, part), { note })
  })
  const split = Effect.fnUntraced(function* (records: ReadonlyArray<A>, most: number) {
    let left = records
    while (rows + left.length > most) {
      const room = most - rows
      if (room > 0) yield* sheet.add(left.slice(0, room))
      left = left.slice(room)
      yield* nextSheet
    }
    rows += left.length
    if (left.length > 0) yield* sheet.add(left)
  })
  const write = (records: ReadonlyArray<A>): Effect.Effect<void, E | ExportError> => {
    if (maxRows !== null && rows + records.length > maxRows) return split(records, maxRows)
    rows += records.length
    return sheet.add(records)
  }
  return {
    add: Effect.fnUntraced(function* (records, longTexts) {
      const texts = find(records, longTexts)
      if (records.length > 0 && sheet.isFull?.() === true) yield* nextSheet
      yield* write(records)
      return texts
    }),
    end: Effect.suspend(() => sheet.end),
    count: () => part,
  }
})

/**
 * The bytes of a file that holds one table, as a stream. The element of both streams is a page, never a record: no page is requested before the
 * bytes of the previous page were taken. Each run of the stream is a whole file.
 */
export const bytes = <A, E, R>(
  writer: TableWriter,
  table: Table<A>,
  pages: Stream.Stream<ReadonlyArray<A>, E, R>,
  options: Omit<WriteOptions<never>, "write"> = {},
): Stream.Stream<Uint8Array, E | ExportError, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      let chunks: Array<Uint8Array> = []
      const take = (): ReadonlyArray<Uint8Array> => {
        const taken = chunks
        chunks = []
        return taken
      }
      const file = yield* writer.open<never>({
        ...options,
        write: (chunk) => Effect.sync(() => void chunks.push(new Uint8Array(chunk))),
      })
      const sheet = yield* file.sheet(table)
      return pages.pipe(
        Stream.mapEffect((records) => Effect.map(sheet.add(records), take)),
        Stream.concat(Stream.fromEffect(Effect.map(Effect.andThen(sheet.end, file.end), take))),
        Stream.flattenIterable,
      )
    }),
  )
