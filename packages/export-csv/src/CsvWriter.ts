/**
 * The CSV and TSV formats: they take pages of records, and write one chunk of bytes per page.
 *
 * RFC 4180 with CRLF after every line, the last one included, UTF-8, one line of headings. The bytes are those that papaparse writes for the
 * guarded values: it quotes the texts that need quotes, and tests compare the others. It knows no file and no service.
 */
import { Column, TableWriter } from "@deedkit/export"
import type { FlavourName } from "./Flavour.ts"
import { flavours } from "./Flavour.ts"
import * as PageBytes from "./PageBytes.ts"

export interface CsvOptions {
  /** Default `rfc4180`. */
  readonly flavour?: FlavourName | undefined
  /**
   * Default `on`: one apostrophe is put before a text that a spreadsheet might evaluate, in headings too, and before such a text that begins with
   * apostrophes of its own, so that reading removes exactly what writing added. `off` writes texts unchanged, for files that only programs read.
   */
  readonly formulaGuard?: "on" | "off" | undefined
  /**
   * `instants` are ISO 8601 with an offset, `dates` are times that Excel reads as dates, such as `2025-06-29 15:07:20`. Default: the form of the
   * flavour, `instants` in `rfc4180` and `tsv`.
   */
  readonly times?: "instants" | "dates" | undefined
}

/** A writer of CSV. */
export const writer = (options: CsvOptions = {}): TableWriter.TableWriter => {
  const {
    byteOrderMark,
    clock: usual,
    decimalMark,
    delimiter,
    format,
  } = flavours[options.flavour ?? "rfc4180"]
  const clock = options.times === undefined ? usual : options.times === "dates" ? (usual ?? " ") : null
  const formulaGuard = options.formulaGuard !== "off"
  return TableWriter.ofBytes(format, ({ columns }, { headings, onTextsChanged }, bytes) => {
    const page = PageBytes.make(columns, bytes, {
      clock,
      decimalMark,
      delimiter,
      formulaGuard,
      onTextsChanged,
    })
    let isBegun = false
    const begin = (): void => {
      if (isBegun) return
      isBegun = true
      if (byteOrderMark) bytes.text("\uFEFF")
      page.headings(columns.map((column) => Column.heading(column, headings)))
    }
    return {
      page: (records) => {
        begin()
        page.lines(records)
      },
      end: begin,
    }
  })
}
