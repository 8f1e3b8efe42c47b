/**
 * A page of records, or the headings, as lines of CSV in one string. Straight-line code, because it runs for every cell of a table; cells
 * that need quotes get them together at the end of the page.
 */
import type { Column, TableWriter } from "@deedkit/export"
import * as CellText from "./CellText.ts"
import * as Quotes from "./Quotes.ts"

export interface PageTextOptions {
  readonly delimiter: string
  readonly formulaGuard: boolean
  readonly onTextsChanged: TableWriter.SheetTextOptions["onTextsChanged"]
}

export interface PageText<in A> {
  /** One line. */
  readonly headings: (texts: ReadonlyArray<string>) => string
  /** One line a record; the empty string for no record. */
  readonly lines: (records: ReadonlyArray<A>) => string
}

const lineBreak = "\r\n"

/** An empty line is no record to most readers, so the empty cell of a table with a single column is written as an empty text. */
const orQuoted = (line: string): string => (line === "" ? '""' : line)

export const make = <A>(columns: ReadonlyArray<Column.Column<A>>, options: PageTextOptions): PageText<A> => {
  const { delimiter, formulaGuard, onTextsChanged } = options
  const changed = columns.map(() => 0)
  /** The cells of a page; their rows are used again for the next one. */
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  let at = 0
  /** Cells that need quotes, and where they stand. */
  let texts: Array<string> = []
  let places: Array<{ readonly row: Array<string>; readonly at: number }> = []
  const text = CellText.make({
    delimiter,
    formulaGuard,
    onChanged: () => (changed[at]! += 1),
    quote: (plain) => {
      texts.push(plain)
      places.push({ row, at })
      return plain
    },
  })
  const quoteAll = (): void => {
    const quoted = Quotes.quote(texts, delimiter)
    places.forEach((place, index) => (place.row[place.at] = quoted[index]!))
    texts = []
    places = []
  }
  const report = (): void =>
    changed.forEach((count, index) => {
      if (count === 0) return
      changed[index] = 0
      onTextsChanged?.({ column: columns[index]!.name, cells: count })
    })
  const linesOf = (count: number): string => {
    quoteAll()
    let lines = ""
    for (let index = 0; index < count; index++) lines += orQuoted(rows[index]!.join(delimiter)) + lineBreak
    return lines
  }

  return {
    headings: (headings) => {
      row = rows[0] ??= []
      for (at = 0; at < columns.length; at++) row[at] = text(headings[at]!)
      changed.fill(0)
      return linesOf(1)
    },
    lines: (records) => {
      let count = 0
      for (const record of records) {
        row = rows[count] ??= []
        for (at = 0; at < columns.length; at++) row[at] = text(columns[at]!.get(record))
        count += 1
      }
      report()
      return linesOf(count)
    },
  }
}
