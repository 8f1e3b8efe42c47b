/**
 * What a file format must offer: a table goes in, bytes come out.
 *
 * This is the one seam for a new format: a package that makes a `TableWriter` is all it takes. A writer knows no file, no network
 * and no service; it is a function from a stream of pages to a stream of bytes, and so it runs in a browser as well.
 */
import type * as Stream from "effect/Stream"
import type { Headings } from "./Column.ts"
import type { ExportError } from "./ExportError.ts"
import type { Table } from "./Table.ts"

/** What a format can hold; null where the format itself has no limit. */
export interface Limits {
  /** Rows of records that one sheet or file can hold, headings not counted. */
  readonly maxRows: number | null
  readonly maxColumns: number | null
  /** UTF-16 code units in one cell. */
  readonly maxTextLength: number | null
}

/** No limits. */
export const unlimited: Limits = { maxRows: null, maxColumns: null, maxTextLength: null }

export interface Format {
  /** The name that a user gives, such as `csv`. */
  readonly name: string
  /** The usual end of a file name, without the dot. */
  readonly extension: string
  /** The media type of the bytes, such as `text/csv; charset=utf-8`. */
  readonly mediaType: string
  readonly limits: Limits
}

/** A change that a writer had to make to the texts of one page and column, because no file can hold them as they came. */
export interface TextsChanged {
  /** The column's name. */
  readonly column: string
  readonly cells: number
}

export interface WriteOptions {
  /** Default `labels`. */
  readonly headings?: Headings | undefined
  /** Hears of changed texts, at most once a page and column. Must not throw. */
  readonly onTextsChanged?: ((changed: TextsChanged) => void) | undefined
}

export interface TableWriter {
  readonly format: Format
  /**
   * The bytes of a file that holds the table. The element of both streams is a page, never a record: one page in, at most one chunk
   * out, and no page is asked for before the chunk of the one before was taken. Headings are written even when there is no record;
   * they travel with the first page, so that a walk that fails at once writes nothing. Each run of the stream is a whole file.
   */
  readonly write: <A, E, R>(
    table: Table<A>,
    pages: Stream.Stream<ReadonlyArray<A>, E, R>,
    options?: WriteOptions,
  ) => Stream.Stream<Uint8Array, E | ExportError, R>
}
