/** Lines of CSV as bytes: the headings, and the records of pages. Straight-line code, because it runs for every cell of a table. */
import { Cell, Column, TextBytes } from "@deedkit/export"
import type { TableWriter } from "@deedkit/export"
import * as CellText from "./CellText.ts"

export interface PageBytesOptions {
  /** See `Flavour`. */
  readonly clock: CellText.Between | null
  readonly delimiter: string
  /** See `Flavour`. */
  readonly decimalMark: "." | ","
  readonly formulaGuard: boolean
  readonly onTextsChanged: TableWriter.SheetTextOptions["onTextsChanged"]
}

export interface PageBytes<in A> {
  /** One line. */
  readonly headings: (texts: ReadonlyArray<string>) => void
  /** One line per record. */
  readonly lines: (records: ReadonlyArray<A>) => void
}

const lineBreak = new TextEncoder().encode("\r\n")

/** Writes to `bytes`. */
export const make = <A>(
  columns: ReadonlyArray<Column.Column<A>>,
  bytes: TextBytes.TextBytes,
  { clock, decimalMark, delimiter, formulaGuard, onTextsChanged }: PageBytesOptions,
): PageBytes<A> => {
  const values = columns.map((column) =>
    column.kind === "timestamp" && clock !== null
      ? CellText.clockOf(column, clock)
      : Column.instantOf(column),
  )
  const kinds = TextBytes.kindsOf(`${delimiter}${CellText.special}`, " ")
  const between = new TextEncoder().encode(delimiter)
  const changed = columns.map(() => 0)
  let at = 0
  const careful = CellText.make({
    decimalMark,
    delimiter,
    formulaGuard,
    onChanged: () => (changed[at]! += 1),
  })

  const cell = (value: Cell.CellValue): void => {
    if (value === null) return
    if (typeof value === "string" && bytes.plain(value, kinds)) return
    if (typeof value === "number" && Number.isSafeInteger(value)) bytes.integer(value)
    else bytes.text(careful(value))
  }
  /** Most readers skip an empty line, so the empty cell of a table with a single column is written as `""`. */
  const line = (record: A): void => {
    const start = bytes.length
    for (at = 0; at < values.length; at++) {
      if (at > 0) bytes.piece(between)
      cell(values[at]!(record))
    }
    if (bytes.length === start) bytes.text('""')
    bytes.piece(lineBreak)
  }
  const report = (): void =>
    changed.forEach((count, index) => {
      if (count === 0) return
      changed[index] = 0
      onTextsChanged?.({ column: columns[index]!.name, cells: count })
    })

  return {
    headings: (texts) => {
      const [first = "", ...others] = texts.map(careful)
      // Excel takes a file that begins with the letters ID for one of its format SYLK, and refuses it. Quotes hide them.
      const begin = first.startsWith("ID") || (first === "" && others.length === 0) ? `"${first}"` : first
      bytes.text(`${[begin, ...others].join(delimiter)}\r\n`)
      changed.fill(0)
    },
    lines: (records) => {
      for (const record of records) line(record)
      report()
    },
  }
}
