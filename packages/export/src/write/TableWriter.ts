/**
 * What a file format must offer: tables go in page by page, bytes come out.
 *
 * A new format is a package with a `TableWriter` and a `FileFormat` that describes it. A writer knows no file, no network and no service, so it
 * runs in a browser as well. It is pushed, not pulled, so that one read can fill several files.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Headings } from "../table/Column.ts"
import type { ExportError } from "../error/ExportError.ts"
import type { Table } from "../table/Table.ts"
import type { Cover } from "./Cover.ts"
import type { Limits } from "./Limits.ts"
import { TextBytes } from "./TextBytes.ts"

export type { Limits } from "./Limits.ts"
export { unlimited } from "./Limits.ts"

export interface Format<Name extends string = string> {
  /** The name that a user gives, such as `csv`. */
  readonly name: Name
  /** The file name extensions of the format, without the dot, the usual one first. */
  readonly extensions: readonly [string, ...ReadonlyArray<string>]
  /** The media type of the bytes, such as `text/csv; charset=utf-8`. */
  readonly mediaType: string
  /** Whether a file holds one table or several, each on a sheet of its own. */
  readonly sheets: "one" | "many"
  readonly limits: Limits
  /** What a schema beside a file describes; undefined where the file has types itself. */
  readonly schema?: SchemaSubject | undefined
}

/** Columns of text, with the form of their times in Frictionless's words; or records, one a line or all in a list. */
export type SchemaSubject =
  | { readonly _tag: "Columns"; readonly datetime: string }
  | { readonly _tag: "Records"; readonly isList: boolean }

/** A change that a writer had to make to the texts of one page and column, because no file can hold them as they came. */
export interface TextsChanged {
  /** The column's name. */
  readonly column: string
  readonly cells: number
}

/** Properties of a file, such as where its records are from, as texts by name. */
export type FileProperties = { readonly [name: string]: string }

/** What a file says of itself, in formats that hold it. */
export interface FileDocument {
  /** What is in it and whose it is, such as `Contracts of office`. */
  readonly title: string
  /** The program that made it, such as `deedkit 1.2.0`. */
  readonly madeBy: string
  /** When: ISO 8601 UTC. */
  readonly createdAt: string
}

export interface WriteOptions<E> {
  /**
   * Takes the bytes of the file in their order. The writer waits until they are taken, which is the back-pressure of a run. A chunk is lent until then:
   * what is needed later has to be copied.
   */
  readonly write: (chunk: Uint8Array) => Effect.Effect<void, E>
  /** Default `labels`. */
  readonly headings?: Headings | undefined
  /** Called with changed texts, at most once a page and column. Must not throw. */
  readonly onTextsChanged?: ((changed: TextsChanged) => void) | undefined
  /** For formats that hold properties; called when the file ends. Default: none. */
  readonly properties?: (() => FileProperties) | undefined
  /** For formats that can begin with a cover; called when the file ends, and the cover is still what readers see first. Default: none. */
  readonly cover?: (() => Cover) | undefined
  /** For formats that say of themselves what they are; called when the file ends. Default: nothing is said. */
  readonly document?: (() => FileDocument) | undefined
}

/** A table on its way into a file. */
export interface Sheet<in A, out E> {
  /** Takes the records of a page. At most the bytes of a few pages are buffered. */
  readonly add: (records: ReadonlyArray<A>) => Effect.Effect<void, E | ExportError>
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
export interface OpenFile<out E> {
  /** Begins a table. The one before must have ended, and a format of one sheet takes one only. */
  readonly begin: <A>(table: Table<A>, options?: SheetOptions) => Effect.Effect<Sheet<A, E>, E | ExportError>
  /** Ends the file. */
  readonly end: Effect.Effect<void, E | ExportError>
}

export interface TableWriter {
  readonly format: Format
  /**
   * Opens a file. Nothing is written before the first page or the end of a table, so that a read that fails at once leaves no bytes.
   * The same tables, pages and options always give the same bytes.
   */
  readonly open: <E>(options: WriteOptions<E>) => Effect.Effect<OpenFile<E>, E | ExportError, Scope.Scope>
}

/**
 * The bytes of a file that holds one table, as a stream. The element of both streams is a page, never a record: no page is asked for
 * before the bytes of the one before were taken. Each run of the stream is a whole file.
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
      const sheet = yield* file.begin(table)
      return pages.pipe(
        Stream.mapEffect((records) => Effect.map(sheet.add(records), take)),
        Stream.concat(Stream.fromEffect(Effect.map(Effect.andThen(sheet.end, file.end), take))),
        Stream.flattenIterable,
      )
    }),
  )

/** Writes a table of a format of plain text. Where nothing is written, no chunk leaves. */
export interface SheetBytes<in A> {
  /** Writes the records of a page, and before those of the first page what comes before them. */
  readonly page: (records: ReadonlyArray<A>) => void
  /** Writes what follows the last page; for a table without pages everything. */
  readonly end: () => void
}

export interface SheetTextOptions {
  readonly headings: Headings
  readonly onTextsChanged: WriteOptions<never>["onTextsChanged"]
}

/** A writer of a format of plain text in UTF-8 that holds one table: `make` writes to `bytes`, and the chunks are what it wrote. */
export const ofBytes = (
  format: Omit<Format, "sheets">,
  make: <A>(table: Table<A>, options: SheetTextOptions, bytes: TextBytes) => SheetBytes<A>,
): TableWriter => ({
  format: { ...format, sheets: "one" },
  open: <E>({ headings = "labels", onTextsChanged, write }: WriteOptions<E>) => {
    const begin = <A>(table: Table<A>): Effect.Effect<Sheet<A, E>> =>
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
    return Effect.succeed({ begin, end: Effect.void })
  },
})

/** What a format of plain text makes of a table. An empty text writes nothing. */
export interface SheetText<in A> {
  /** The text of a page's records; for the first page with what comes before them. */
  readonly page: (records: ReadonlyArray<A>) => string
  /** The text after the last page; for a table without pages all that there is. */
  readonly end: () => string
}

/** The same for formats that make strings, which are simpler and slower. */
export const ofText = (
  format: Omit<Format, "sheets">,
  make: <A>(table: Table<A>, options: SheetTextOptions) => SheetText<A>,
): TableWriter =>
  ofBytes(format, (table, options, bytes) => {
    const { end, page } = make(table, options)
    return { page: (records) => bytes.text(page(records)), end: () => bytes.text(end()) }
  })
