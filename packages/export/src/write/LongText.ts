/**
 * Texts that are too long for a cell of their format. They are found before the writer gets the records of a page, and go to a file of their own; a
 * note stands for them in the cell.
 */
import * as Cell from "../table/Cell.ts"
import type { Column } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"

/** A text that is too long for a cell, whole. */
export interface LongText {
  readonly table: string
  /** The row of the table, from 1, headings not counted. */
  readonly row: number
  readonly column: string
  readonly text: string
}

/** The content of a cell whose text is too long. `line` is the line, from 1, that the text has in the file of long texts. */
export type CellNote = (text: LongText, line: number) => string

/** Refers to the file of long texts. */
export const noteFor =
  (fileName: string): CellNote =>
  ({ text }, line) =>
    `[${text.length} characters: see line ${line} of ${fileName}]`

/** Number of characters of a text that stay in its cell if no file takes it. */
const kept = 32_000

/** The beginning of a text that no file takes. */
export const cut: CellNote = ({ text }) => `${text.slice(0, kept).toWellFormed()}…`

/** The text as a line of NDJSON. */
export const line = ({ column, row, table, text }: LongText): string =>
  `${JSON.stringify({ table, row, column, text })}\n`

/** Columns whose cells can be too long. */
const isText = ({ kind }: { readonly kind: Cell.CellKind }): boolean =>
  kind === "text" || kind === "json" || kind === "link"

const tooLong = (value: Cell.CellValue, most: number): string | null => {
  if (value === null || typeof value === "number") return null
  const scalar = Cell.scalar(value)
  return typeof scalar === "string" && scalar.length > most ? scalar : null
}

/** A table whose cells hold at most `most` characters, and a function that finds the long texts of its next page. `before` counts those of earlier pages. */
export const shorten = <A>(table: Table<A>, most: number, note: CellNote) => {
  const columns = table.columns.filter(isText)
  // A writer can read a cell several times.
  const notes = new WeakMap<object, Map<Column<A>, string>>()
  let row = 0
  let found = false
  const find = (records: ReadonlyArray<A>, before: number): ReadonlyArray<LongText> => {
    const texts: Array<LongText> = []
    for (const record of records) {
      row += 1
      for (const column of columns) {
        const text = tooLong(column.get(record), most)
        if (text === null || typeof record !== "object" || record === null) continue
        const long = { table: table.name, row, column: column.name, text }
        const cells = notes.get(record) ?? new Map<Column<A>, string>()
        notes.set(record, cells.set(column, note(long, before + texts.push(long))))
        found = true
      }
    }
    return texts
  }
  const shortened = table.columns.map((column): Column<A> => {
    const { get } = column
    if (!isText(column)) return column
    return {
      ...column,
      get: (record) =>
        found && typeof record === "object" && record !== null
          ? (notes.get(record)?.get(column) ?? get(record))
          : get(record),
    }
  })
  return { table: { ...table, columns: shortened }, find }
}
