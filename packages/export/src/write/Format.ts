/** What is fixed about a format and what can be chosen: facts, limits, flavours and options. Loads no writer. */

/** What one sheet of a format can hold; null if the format itself has no limit. `TableWriter.withinLimits` makes tables observe them. */
export interface Limits {
  /** Rows of records, headings not counted. */
  readonly maxRows: number | null
  /** UTF-16 code units in one cell. */
  readonly maxTextLength: number | null
}

/** No limits. */
export const unlimited: Limits = { maxRows: null, maxTextLength: null }

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
  /** Whether a file holds records in the service's own shape, and has columns only where they are chosen. Default false. */
  readonly holdsRecords?: boolean | undefined
}

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
  /** For formats with a cover: the place of its sheet. Default `first`. */
  readonly coverAt?: "first" | "last" | undefined
}

export const jsonFacts: Format<"json"> = {
  name: "json",
  extensions: ["json"],
  mediaType: "application/json",
  sheets: "one",
  limits: unlimited,
  holdsRecords: true,
}

export const ndjsonFacts: Format<"ndjson"> = {
  name: "ndjson",
  extensions: ["ndjson", "jsonl"],
  mediaType: "application/x-ndjson",
  sheets: "one",
  limits: unlimited,
  holdsRecords: true,
}
