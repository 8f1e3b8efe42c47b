/**
 * Entry point for lists of formats: the descriptions of CSV and TSV, and the ways of writing CSV that reading programs need, as data. Does not load the
 * writer. All of them quote as RFC 4180 says, end lines with CRLF and encode as UTF-8.
 */
import type { TableWriter } from "@deedkit/export"
import { unlimited } from "@deedkit/export/formats"
import type { FileFormat, FormatOptions } from "@deedkit/export/formats"

const csvFacts: TableWriter.Format<"csv"> = {
  name: "csv",
  extensions: ["csv"],
  mediaType: "text/csv; charset=utf-8",
  sheets: "one",
  limits: unlimited,
}

const tsvFacts: TableWriter.Format<"tsv"> = {
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

const isFlavour = (name: string): name is FlavourName => Object.hasOwn(flavours, name)

const writer = async (flavour: FlavourName, { formulaGuard, times }: FormatOptions) =>
  (await import("./CsvWriter.ts")).writer({ flavour, formulaGuard, times })

const flavourNames = Object.keys(flavours) as ReadonlyArray<FlavourName>

/** Its flavours are those of `CsvOptions`, `rfc4180` first. */
export const csv: FileFormat<"csv", FlavourName> = {
  ...csvFacts,
  label: "CSV",
  flavours: flavourNames.map((name) => ({ name, label: flavours[name].label })),
  writer: ({ flavour = "", ...options } = {}) => writer(isFlavour(flavour) ? flavour : "rfc4180", options),
}

/** The flavour `tsv` of CSV as a format of its own. */
export const tsv: FileFormat<"tsv", never> = {
  ...tsvFacts,
  label: "TSV",
  flavours: [],
  writer: (options = {}) => writer("tsv", options),
}
