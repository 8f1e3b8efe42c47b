/**
 * The ways of writing CSV that readers ask for, as data. All of them quote as RFC 4180 says, end lines with CRLF and encode as UTF-8.
 */
import type { TableWriter } from "@deedkit/export"
import * as Facts from "./Facts.ts"

/**
 * `rfc4180` for programs · `excel` with a byte order mark, by which Excel knows UTF-8 · `excel-eu` the same with `;`, which Excel expects
 * where the comma separates decimals · `tsv` separated by tabs.
 */
export type FlavourName = "rfc4180" | "excel" | "excel-eu" | "tsv"

export interface Flavour {
  readonly label: string
  readonly delimiter: "," | ";" | "\t"
  readonly byteOrderMark: boolean
  readonly format: TableWriter.Format
}

export const flavours: { readonly [Name in FlavourName]: Flavour } = {
  rfc4180: { label: "Programs", delimiter: ",", byteOrderMark: false, format: Facts.csv },
  excel: { label: "Excel", delimiter: ",", byteOrderMark: true, format: Facts.csv },
  "excel-eu": {
    label: "Excel where the comma separates decimals",
    delimiter: ";",
    byteOrderMark: true,
    format: Facts.csv,
  },
  tsv: { label: "Tabs", delimiter: "\t", byteOrderMark: false, format: Facts.tsv },
}

export const isFlavour = (name: string): name is FlavourName => Object.hasOwn(flavours, name)
