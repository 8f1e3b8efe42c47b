/**
 * What the export page and its worker say to each other. Everything here can be posted between them; nothing here is a secret. The worker
 * knows the tables, so that the page is small; a worker makes one file at a time. Who gives up ends the worker, and with it everything that
 * was made so far.
 */
import type { ReadSummary } from "@deedkit/core"
import type { Cell, Column, Manifest, Verdict } from "@deedkit/export"
import type { MessageName } from "../BrowserNames.ts"

/** Where the records are from. Contracts are read by the worker itself; API keys are never kept, so they come along. */
type Source =
  | { readonly _tag: "Contracts" }
  | {
      readonly _tag: "ApiKeys"
      /** JSON text of an array of records as on the wire. */
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
  /** The records of these ids alone; null for all. */
  readonly ids: ReadonlyArray<number> | null
}

export interface ExportRequest extends Choices {
  readonly source: Source
  /** The name of a format; null for rows on the clipboard instead of a file. */
  readonly format: string | null
  readonly headings: Column.Headings
  /** Name of the file without its end, such as `contracts-2026-11-21`. */
  readonly name: string
  /** The address of the service. */
  readonly origin: string
  /** What the user calls the account; null where it has no name. */
  readonly profile: string | null
  /** The program that makes the file, such as `Deedkit extension 1.2.0`. */
  readonly madeBy: string
}

export type WorkerRequest =
  /** Asks for the columns and the formats that there are. */
  | { readonly _tag: "Describe" }
  /** Asks whether a choice can be, before anything is read for it. */
  | { readonly _tag: "Check"; readonly table: TableName; readonly choices: Choices }
  | { readonly _tag: "Make"; readonly request: ExportRequest }

/** A column that can be chosen. */
export interface ColumnFacts {
  /** Path on the wire, such as `listing.city`. */
  readonly name: string
  /** The heading for people. */
  readonly label: string
  readonly kind: Cell.CellKind
  /** Whether a file has it unless others are chosen. */
  readonly isUsual: boolean
}

export type TableFacts = { readonly [Name in TableName]: ReadonlyArray<ColumnFacts> }

/** A format that can be chosen. */
export interface FormatFacts {
  readonly name: string
  readonly label: MessageName
  readonly meaning: MessageName
  /** Rows of one sheet, headings not counted; null where no rows need a further sheet. */
  readonly sheetRows: number | null
  /** Bytes of a cell, about. */
  readonly cellBytes: number
}

/** What the page has to choose from. */
export interface ExportFacts {
  readonly tables: TableFacts
  /** The one that is chosen at first comes first. */
  readonly formats: ReadonlyArray<FormatFacts>
}

interface Described extends ExportFacts {
  readonly _tag: "Described"
}

/** The choice can be. */
interface Checked {
  readonly _tag: "Checked"
}

/** How far it is. */
export interface Progress {
  readonly _tag: "Progress"
  /** Records are put in order first, where an order was asked for, and read again in that order. */
  readonly step: "ordering" | "writing"
  /** Records read so far in this step. */
  readonly read: number
  /** Records that will be read in this step. */
  readonly expected: number
  /** Rows written so far. */
  readonly rows: number
  readonly bytes: number
}

/** A file that is whole. */
export interface MadeFile {
  readonly name: string
  readonly content: Blob
}

export interface Done {
  readonly _tag: "Done"
  readonly file: MadeFile
  readonly manifest: Manifest.Manifest
  /** Texts that are too long for a cell, one JSON object a line; null when there was none. */
  readonly texts: MadeFile | null
  /** Sheets on which the rows stand. */
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
  /** The choice cannot be: a sentence of the export itself, which says what would be right. */
  | { readonly _tag: "ChoiceInvalid"; readonly message: string }
  /** More than the clipboard is given. */
  | { readonly _tag: "TooMuchToCopy" }
  /** The index could not be read. */
  | { readonly _tag: "Storage" }
  /** The browser gave no more memory. */
  | { readonly _tag: "Memory" }
  | { readonly _tag: "Unexpected" }

export interface Failed {
  readonly _tag: "Failed"
  readonly failure: Failure
}

export type ExportNotice = Described | Checked | Progress | Done | Copied | Failed
