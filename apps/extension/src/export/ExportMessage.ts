/**
 * The messages between the export page and its worker. Everything here can be posted between them; nothing here is a secret. Only the worker has the
 * tables, so that the page is small; a worker makes one file at a time. Cancelling ends the worker and discards everything that was made so far.
 */
import type { ReadSummary } from "@deedkit/core"
import type { Cell, Column, Manifest, Verdict } from "@deedkit/export"
import type { MessageName } from "../BrowserNames.ts"

/** The source of the records. The worker reads contracts itself; API keys are never stored, so they are part of the request. */
type Source =
  | { readonly _tag: "Contracts" }
  | {
      readonly _tag: "ApiKeys"
      /** JSON text of an array of records in wire format. */
      readonly json: string
      /** ISO 8601 UTC. */
      readonly readAt: string
      readonly sync: ReadSummary | null
    }

/** What is exported. */
export type TableName = "contracts" | "keys"

/** Columns, rows and their order. */
export interface Choices {
  /** Names of columns in their order, at least one. */
  readonly columns: ReadonlyArray<string>
  /** Conditions such as `status=active`, all of which must hold. */
  readonly filters: ReadonlyArray<string>
  /** A column to order by, with `-` before it for descending; null for the order of the ids. */
  readonly order: string | null
  /** A name of the IANA database, or `UTC`. */
  readonly timeZone: string
  /** Only the records with these ids; null for all. */
  readonly ids: ReadonlyArray<number> | null
}

export interface ExportRequest extends Choices {
  readonly source: Source
  /** The name of a format; null for rows on the clipboard instead of a file. */
  readonly format: string | null
  readonly headings: Column.Headings
  /** Name of the file without its extension, such as `contracts-2026-11-21`. */
  readonly name: string
  /** The address of the service. */
  readonly origin: string
  /** The user's name for the account; null if it has none. */
  readonly profile: string | null
  /** The program that makes the file, such as `Deedkit extension 1.2.0`. */
  readonly madeBy: string
}

export type WorkerRequest =
  /** Requests the available columns and formats. */
  | { readonly _tag: "Describe" }
  /** Asks whether a choice is valid, before anything is read for it. */
  | { readonly _tag: "Check"; readonly table: TableName; readonly choices: Choices }
  | { readonly _tag: "Make"; readonly request: ExportRequest }

/** A column that can be chosen. */
export interface ColumnFacts {
  /** Path on the wire, such as `listing.city`. */
  readonly name: string
  /** The heading for people. */
  readonly label: string
  readonly kind: Cell.CellKind
  /** Whether a file has it by default. */
  readonly isUsual: boolean
}

export type TableFacts = { readonly [Name in TableName]: ReadonlyArray<ColumnFacts> }

/** A format that can be chosen. */
export interface FormatFacts {
  readonly name: string
  readonly label: MessageName
  readonly meaning: MessageName
  /** Maximum rows of one sheet, without headings; null if a format never needs another sheet. */
  readonly sheetRows: number | null
  /** Approximate bytes per cell. */
  readonly cellBytes: number
}

/** The available choices for the page. */
export interface ExportFacts {
  readonly tables: TableFacts
  /** The default format comes first. */
  readonly formats: ReadonlyArray<FormatFacts>
}

interface Described extends ExportFacts {
  readonly _tag: "Described"
}

/** The choice is valid. */
interface Checked {
  readonly _tag: "Checked"
}

/** The progress of an export. */
export interface Progress {
  readonly _tag: "Progress"
  /** If an order is requested, records are sorted first and then read again in that order. */
  readonly step: "ordering" | "writing"
  /** Records read so far in this step. */
  readonly read: number
  /** Records that will be read in this step. */
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
}

export type Failure =
  /** The choice is invalid. The message is a sentence of the export library that says what would be correct. */
  | { readonly _tag: "ChoiceInvalid"; readonly message: string }
  /** The rows exceed the limit for the clipboard. */
  | { readonly _tag: "TooMuchToCopy" }
  /** The index could not be read. */
  | { readonly _tag: "Storage" }
  /** The browser ran out of memory. */
  | { readonly _tag: "Memory" }
  | { readonly _tag: "Unexpected" }

export interface Failed {
  readonly _tag: "Failed"
  readonly failure: Failure
}

export type ExportNotice = Described | Checked | Progress | Done | Copied | Failed
