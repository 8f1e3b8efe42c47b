/**
 * CSV and TSV as a format: pages of records in, one chunk of bytes a page out.
 *
 * RFC 4180 with CRLF after every line, the last one included, UTF-8, one line of headings. The bytes are those of papaparse over the
 * guarded values. It knows no file and no service.
 */
import { Column, TableWriter } from "@deedkit/export"
import * as Stream from "effect/Stream"
import type { FlavourName } from "./Flavour.ts"
import { flavours } from "./Flavour.ts"
import * as PageText from "./PageText.ts"

export interface CsvOptions {
  /** Default `rfc4180`. */
  readonly flavour?: FlavourName | undefined
  /**
   * Default `on`: a text that a spreadsheet might evaluate gets one apostrophe before it, in headings too. `off` writes texts as they
   * are, for files that only programs read.
   */
  readonly formulaGuard?: "on" | "off" | undefined
}

/** A writer of CSV. */
export const writer = (options: CsvOptions = {}): TableWriter.TableWriter => {
  const flavour = flavours[options.flavour ?? "rfc4180"]
  const formulaGuard = options.formulaGuard !== "off"
  const encoder = new TextEncoder()

  const write: TableWriter.TableWriter["write"] = (
    table,
    pages,
    { headings = "labels", onTextsChanged } = {},
  ) =>
    Stream.suspend(() => {
      const text = PageText.make(table.columns, {
        delimiter: flavour.delimiter,
        formulaGuard,
        onTextsChanged,
      })
      let pending =
        (flavour.byteOrderMark ? "\uFEFF" : "") +
        text.headings(table.columns.map((column) => Column.heading(column, headings)))
      const take = (lines: string): Uint8Array => {
        const chunk = encoder.encode(pending + lines)
        pending = ""
        return chunk
      }
      return pages.pipe(
        Stream.map((records) => take(text.lines(records))),
        Stream.concat(Stream.sync(() => take(""))),
        Stream.filter((chunk) => chunk.byteLength > 0),
      )
    })

  return {
    format: {
      name: flavour.format,
      extension: flavour.format,
      mediaType: flavour.mediaType,
      limits: TableWriter.unlimited,
    },
    write,
  }
}
