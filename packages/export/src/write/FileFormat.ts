/**
 * How a format describes itself, so that an app needs one list of formats and no other place that names them. A value of this type loads its
 * writer only when that is requested.
 */
import type { Format, TableWriter } from "./TableWriter.ts"

/** A way of writing a format that some readers need. */
export interface Flavour<Name extends string = string> {
  readonly name: Name
  /** Which programs read it, in a few words. */
  readonly label: string
}

/** A format ignores the options that it does not have. */
export interface FormatOptions {
  /** Name of one of the format's flavours. Default: its first. */
  readonly flavour?: string | undefined
  /** Whether texts that a spreadsheet might evaluate are guarded, in formats that have no other way to mark them as texts. Default `on`. */
  readonly formulaGuard?: "on" | "off" | undefined
  /**
   * For plain-text formats: `instants` are ISO 8601 with an offset; `dates` have no offset, and spreadsheets read them as dates. Default: the form
   * of the flavour.
   */
  readonly times?: "instants" | "dates" | undefined
  /** For formats that compress. Default `fast`. */
  readonly compression?: "fast" | "small" | undefined
  /** For formats that are printed. Default `a4`. */
  readonly paper?: "a4" | "letter" | undefined
}

export interface FileFormat<
  Name extends string = string,
  FlavourName extends string = string,
> extends Format<Name> {
  /** What people call it, such as `Excel workbook`. */
  readonly label: string
  /** Empty for a format that is written in one way only. */
  readonly flavours: ReadonlyArray<Flavour<FlavourName>>
  /** Loads the writer. */
  readonly writer: (options?: FormatOptions) => Promise<TableWriter>
}
