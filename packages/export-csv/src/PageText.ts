/** A page of records, or the headings, as lines of CSV in one string. Straight-line code, because it runs for every cell of a table. */
import { Column } from "@deedkit/export"
import type { TableWriter } from "@deedkit/export"
import * as CellText from "./CellText.ts"
import * as ClockText from "./ClockText.ts"

export interface PageTextOptions {
  /** See `Flavour`. */
  readonly clock: ClockText.Between | null
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

/** Most readers skip an empty line, so the empty cell of a table with a single column is written as `""`. */
const orQuoted = (line: string): string => (line === "" ? CellText.quote("") : line)

export const make = <A>(columns: ReadonlyArray<Column.Column<A>>, options: PageTextOptions): PageText<A> => {
  const { clock, delimiter, formulaGuard, onTextsChanged } = options
  const values = columns.map((column) =>
    column.kind === "timestamp" && clock !== null ? ClockText.make(column, clock) : Column.instantOf(column),
  )
  const changed = columns.map(() => 0)
  let at = 0
  const text = CellText.make({ delimiter, formulaGuard, onChanged: () => (changed[at]! += 1) })
  const report = (): void =>
    changed.forEach((count, index) => {
      if (count === 0) return
      changed[index] = 0
      onTextsChanged?.({ column: columns[index]!.name, cells: count })
    })

  return {
    headings: (headings) => {
      const line = headings.map(text).join(delimiter)
      changed.fill(0)
      return orQuoted(line) + lineBreak
    },
    lines: (records) => {
      let lines = ""
      for (const record of records) {
        let line = ""
        for (at = 0; at < values.length; at++) {
          if (at > 0) line += delimiter
          line += text(values[at]!(record))
        }
        lines += orQuoted(line) + lineBreak
      }
      report()
      return lines
    },
  }
}
