/**
 * The CSV and TSV formats: they take pages of records, and write one chunk of bytes per page.
 *
 * RFC 4180 with CRLF after every line, the last one included, UTF-8, one line of headings. The bytes are those that papaparse writes for the
 * guarded values: it quotes the texts that need quotes, and tests compare the others. It knows no file and no service.
 */
import { Column, TableWriter, TextBytes } from "@deedkit/export"
import type { Cell } from "@deedkit/export"
import * as CellText from "./CellText.ts"
import type { FlavourName } from "./Flavour.ts"
import { flavours } from "./Flavour.ts"

const encoder = new TextEncoder()

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
  const [between, lineBreak] = [encoder.encode(delimiter), encoder.encode("\r\n")]
  const kinds = TextBytes.kindsOf(`${delimiter}${CellText.special}`, " ")

  return TableWriter.ofBytes(format, ({ columns }, { headings, onTextsChanged }, bytes) => {
    const values = columns.map((column) =>
      column.kind === "timestamp" && clock !== null
        ? CellText.clockOf(column, clock)
        : Column.instantOf(column),
    )
    const changed = columns.map(() => 0)
    let at = 0
    const careful = CellText.make({
      decimalMark,
      delimiter,
      formulaGuard,
      onChanged: () => (changed[at]! += 1),
    })
    // Straight-line code, because it runs for every cell of a table.
    const cell = (value: Cell.CellValue): void => {
      if (value === null) return
      if (typeof value === "string" && bytes.plain(value, kinds)) return
      if (typeof value === "number" && Number.isSafeInteger(value)) bytes.integer(value)
      else bytes.text(careful(value))
    }
    let isBegun = false
    const begin = (): void => {
      if (isBegun) return
      isBegun = true
      if (byteOrderMark) bytes.text("\uFEFF")
      const [first = "", ...others] = columns.map((column) => careful(Column.heading(column, headings)))
      // Excel takes a file that begins with the letters ID for one of its format SYLK, and refuses it. Quotes hide them.
      const start = first.startsWith("ID") || (first === "" && others.length === 0) ? `"${first}"` : first
      bytes.text(`${[start, ...others].join(delimiter)}\r\n`)
      changed.fill(0)
    }
    return {
      page: (records) => {
        begin()
        for (const record of records) {
          const start = bytes.length
          for (at = 0; at < values.length; at++) {
            if (at > 0) bytes.piece(between)
            cell(values[at]!(record))
          }
          // Most readers skip an empty line, so the empty cell of a table with a single column is written as `""`.
          if (bytes.length === start) bytes.text('""')
          bytes.piece(lineBreak)
        }
        for (const [index, cells] of changed.entries()) {
          if (cells > 0) onTextsChanged?.({ column: columns[index]!.name, cells })
        }
        changed.fill(0)
      },
      end: begin,
    }
  })
}
