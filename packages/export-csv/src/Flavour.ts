/**
 * The ways of writing CSV that readers ask for, as data. All of them quote as RFC 4180 says, end lines with CRLF and encode as UTF-8.
 */

/**
 * `rfc4180` for programs · `excel` with a byte order mark, by which Excel knows UTF-8 · `excel-eu` the same with `;`, which Excel expects
 * where the comma separates decimals · `tsv` separated by tabs.
 */
export type FlavourName = "rfc4180" | "excel" | "excel-eu" | "tsv"

export interface Flavour {
  readonly delimiter: "," | ";" | "\t"
  readonly byteOrderMark: boolean
  readonly format: "csv" | "tsv"
  readonly mediaType: string
}

export const flavours: { readonly [Name in FlavourName]: Flavour } = {
  rfc4180: { delimiter: ",", byteOrderMark: false, format: "csv", mediaType: "text/csv; charset=utf-8" },
  excel: { delimiter: ",", byteOrderMark: true, format: "csv", mediaType: "text/csv; charset=utf-8" },
  "excel-eu": { delimiter: ";", byteOrderMark: true, format: "csv", mediaType: "text/csv; charset=utf-8" },
  tsv: {
    delimiter: "\t",
    byteOrderMark: false,
    format: "tsv",
    mediaType: "text/tab-separated-values; charset=utf-8",
  },
}
