/**
 * CSV and TSV as a format: pages of records in, one piece of text a page out.
 *
 * RFC 4180 with CRLF after every line, the last one included, UTF-8, one line of headings. The bytes are those of papaparse over the
 * guarded values. It knows no file and no service.
 */
import { Column, TableWriter } from "@deedkit/export"
import type { FlavourName } from "./Flavour.ts"
import { flavours } from "./Flavour.ts"
import * as PageText from "./PageText.ts"

export interface CsvOptions {
  /** Default `rfc4180`. */
  readonly flavour?: FlavourName | undefined
  /**
   * Default `on`: a text that a spreadsheet might evaluate gets one apostrophe before it, in headings too, also behind apostrophes of its
   * own, so that reading takes off exactly what writing put there. `off` writes texts as they
   * are, for files that only programs read.
   */
  readonly formulaGuard?: "on" | "off" | undefined
}

/** A writer of CSV. */
export const writer = (options: CsvOptions = {}): TableWriter.TableWriter => {
  const { byteOrderMark, delimiter, format, mediaType } = flavours[options.flavour ?? "rfc4180"]
  const formulaGuard = options.formulaGuard !== "off"
  return TableWriter.ofText(
    { name: format, extension: format, mediaType, limits: TableWriter.unlimited },
    ({ columns }, { headings, onTextsChanged }) => {
      const text = PageText.make(columns, { delimiter, formulaGuard, onTextsChanged })
      let pending =
        (byteOrderMark ? "\uFEFF" : "") +
        text.headings(columns.map((column) => Column.heading(column, headings)))
      const take = (lines: string): string => {
        const taken = pending + lines
        pending = ""
        return taken
      }
      return { page: (records) => take(text.lines(records)), end: () => take("") }
    },
  )
}
