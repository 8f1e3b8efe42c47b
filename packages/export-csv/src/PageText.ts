/**
 * A page of records, or the headings, as lines of CSV in one string. Straight-line code, because it runs for every cell of a table.
 */
import type { Column, TableWriter } from "@deedkit/export"
import * as CellText from "./CellText.ts"

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
  const cells = columns.map(({ get }, index) => ({
    get,
    text: CellText.make({ delimiter, formulaGuard, onChanged: () => (changed[index]! += 1) }),
  }))
  const [first, ...rest] = cells

  const report = (): void =>
    changed.forEach((count, index) => {
      if (count === 0) return
      changed[index] = 0
      onTextsChanged?.({ column: columns[index]!.name, cells: count })
    })

  return {
    headings: (texts) => {
      const text = CellText.make({ delimiter, formulaGuard, onChanged: () => {} })
      return orQuoted(texts.map(text).join(delimiter)) + lineBreak
    },
    lines: (records) => {
      let lines = ""
      for (const record of records) {
        let line = first === undefined ? "" : first.text(first.get(record))
        for (const { get, text } of rest) line += delimiter + text(get(record))
        lines += orQuoted(line) + lineBreak
      }
      report()
      return lines
    },
  }
}
