/**
 * The messages between the export page and its worker. Everything here can be posted between them; nothing here is a secret. Only the worker has the
 * table and the formats, so that the page is small; a worker makes one file at a time. Cancelling ends the worker and discards everything that was
 * made so far.
 */
import type { Manifest, Verdict } from "@deedkit/export"

/** Which contracts of the index are exported. */
export interface Chosen {
  /** What the popup's search would find by this text; empty for all. */
  readonly search: string
  /** Only the contracts with these ids; null for all. */
  readonly ids: ReadonlyArray<number> | null
}

export interface ExportRequest extends Chosen {
  /** The name of a preset; null for rows on the clipboard instead of a file. */
  readonly preset: string | null
  /** Name of the file without its extension, such as `contracts-2026-11-21`. */
  readonly name: string
  /** The address of the service. */
  readonly origin: string
  /** The user's name for the account; null if it has none. */
  readonly profile: string | null
  /** The language of headings and of what is printed: the locale of the messages, such as `pt-PT`. */
  readonly language: string
  /** The program that makes the file, such as `Deedkit extension 1.2.0`. */
  readonly madeBy: string
}

export type WorkerRequest =
  /** Requests the first rows of a file. */
  | {
      readonly _tag: "Preview"
      readonly chosen: Chosen
      readonly preset: string
      readonly language: string
    }
  | { readonly _tag: "Make"; readonly request: ExportRequest }

/** The first rows of a file, as text. */
export interface Preview {
  readonly _tag: "Preview"
  readonly headings: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** The progress of an export. */
export interface Progress {
  readonly _tag: "Progress"
  /** Records read so far. */
  readonly read: number
  /** Records that will be read. */
  readonly expected: number
  /** Rows written so far. */
  readonly rows: number
  readonly bytes: number
}

/** A complete file. */
export interface MadeFile {
  readonly name: string
  readonly content: Blob
}

export interface Done {
  readonly _tag: "Done"
  readonly file: MadeFile
  readonly manifest: Manifest.Manifest
  /** Texts that are too long for a cell, one JSON object per line; null if there were none. */
  readonly texts: MadeFile | null
  /** Number of sheets with rows. */
  readonly sheets: number
}

/** Rows for the clipboard. */
export interface Copied {
  readonly _tag: "Copied"
  readonly text: string
  readonly rows: number
  readonly verdict: Verdict.Verdict
  readonly reasons: ReadonlyArray<string>
  /** What selected the rows, in words; empty for all. */
  readonly filters: ReadonlyArray<string>
}

export interface Failed {
  readonly _tag: "Failed"
  /** The rows exceed the limit for the clipboard, the index could not be read, the browser ran out of memory, or something else. */
  readonly failure: "TooMuchToCopy" | "Storage" | "Memory" | "Unexpected"
}

export type ExportNotice = Preview | Progress | Done | Copied | Failed
