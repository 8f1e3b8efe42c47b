/**
 * The ways of writing CSV that reading programs need, as data, and the facts about CSV and TSV. Separate from their writer, which is loaded later.
 * All of them quote as RFC 4180 says, end lines with CRLF and encode as UTF-8.
 */
import type { TableWriter } from "@deedkit/export"
import { unlimited } from "@deedkit/export/formats"

export const csvFacts: TableWriter.Format<"csv"> = {
  name: "csv",
  extensions: ["csv"],
  mediaType: "text/csv; charset=utf-8",
  sheets: "one",
  limits: unlimited,
}

export const tsvFacts: TableWriter.Format<"tsv"> = {
  name: "tsv",
  extensions: ["tsv"],
  mediaType: "text/tab-separated-values; charset=utf-8",
  sheets: "one",
  limits: unlimited,
}

/**
 * Timestamps in the form that spreadsheets read as dates: the local time to the second, without an offset, which none of their forms can hold; the
 * heading names the zone. Excel reads a space between date and time, LibreOffice a `T`, and neither reads the other's form (LibreOffice 7.4 with
 * its defaults; Excel as documented). This is the separator between date and time.
 */
export type Between = " " | "T"

/**
 * `rfc4180` for programs · `excel` with a byte order mark, by which Excel recognizes UTF-8, and times that it reads as dates · `excel-eu` the same
 * with `;` between cells and `,` in fractions, as Excel expects where the comma is the decimal mark · `libreoffice` with times that LibreOffice reads as dates · `tsv` separated by
 * tabs.
 */
export type FlavourName = "rfc4180" | "excel" | "excel-eu" | "libreoffice" | "tsv"

export interface Flavour {
  readonly label: string
  readonly delimiter: "," | ";" | "\t"
  /** What stands in numbers before their fraction. */
  readonly decimalMark: "." | ","
  readonly byteOrderMark: boolean
  /** The separator between date and time if times are local times without an offset; null if they are instants, in ISO 8601. */
  readonly clock: Between | null
  readonly format: TableWriter.Format
}

const usual = {
  delimiter: ",",
  decimalMark: ".",
  byteOrderMark: true,
  clock: null,
  format: csvFacts,
} as const

export const flavours: { readonly [Name in FlavourName]: Flavour } = {
  rfc4180: { ...usual, label: "Programs", byteOrderMark: false },
  excel: { ...usual, label: "Excel", clock: " " },
  "excel-eu": {
    ...usual,
    label: "Excel where the comma separates decimals",
    delimiter: ";",
    decimalMark: ",",
    clock: " ",
  },
  libreoffice: { ...usual, label: "LibreOffice", clock: "T" },
  tsv: { ...usual, label: "Tabs", delimiter: "\t", byteOrderMark: false, format: tsvFacts },
}

export const isFlavour = (name: string): name is FlavourName => Object.hasOwn(flavours, name)
