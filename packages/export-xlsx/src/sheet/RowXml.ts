/**
 * A page of records as the XML of rows, in one string. Straight-line code, because it runs for every cell of a table.
 *
 * What a cell becomes is decided by its column's kind and the value's type, never by what a text looks like: no text becomes a number, a
 * date or a formula.
 */
import { Cell, FormulaGuard } from "@deedkit/export"
import type { Column, TableWriter } from "@deedkit/export"
import * as DateSerial from "./DateSerial.ts"
import { letters } from "./Letters.ts"
import { Memory } from "./Memory.ts"
import * as TextXml from "./TextXml.ts"
import * as Widths from "./Widths.ts"

/** The numbers of the styles that rows use. */
export interface Styles {
  /** A text; null for the style of cells that name none. */
  readonly plain: number | null
  /** A text that a spreadsheet would evaluate when it is edited. */
  readonly text: number
  /** A text of several lines. */
  readonly wrapped: number
  readonly integer: number
  /** A number with a fraction. */
  readonly decimal: number
  /** A number that names something: on the left, like a text. */
  readonly id: number
  /** An amount, with its thousands apart. */
  readonly count: number
  readonly timestamp: number
  readonly link: number
}

export interface RowXmlOptions {
  readonly styles: Styles
  readonly onTextsChanged: TableWriter.WriteOptions<never>["onTextsChanged"]
  /** Takes a link; false when a sheet can hold no more. */
  readonly link: (address: string, target: string) => boolean
  /** Of the columns, in characters. */
  readonly widths: ReadonlyArray<number>
  /** UTF-16 code units of one cell. */
  readonly maxTextLength: number
}

export interface RowXml<in A> {
  /** The rows of these records. */
  readonly rows: (records: ReadonlyArray<A>) => string
  /** The number of the last row. */
  readonly lastRow: () => number
}

/** Spreadsheets keep 15 digits of a number. */
const mostExact = 999_999_999_999_999

/** In points, of a text of 11 points. */
const lineHeight = 15

const mostUrlLength = 2_079

/** Only addresses that a browser opens safely become links; the others stay texts. */
const isLink = (text: string): boolean =>
  text.startsWith("https://") && text.length <= mostUrlLength && URL.canParse(text) && !/[\s"<>]/.test(text)

/** Makes the rows of one sheet, from row 2 on. */
export const make = <A>(
  columns: ReadonlyArray<Column.Column<A>>,
  { link, maxTextLength, onTextsChanged, styles, widths }: RowXmlOptions,
): RowXml<A> => {
  const serial = DateSerial.make()
  let row = 1

  const cellsOf = ({ get, kind, name, role, wraps = false }: Column.Column<A>, at: number) => {
    const column = letters(at)
    // Where texts take several lines, values are of many types, which stand below each other.
    const wholeStyle = role === undefined ? (wraps ? styles.id : styles.integer) : styles[role]
    // Where ids can be texts, they all are: a column of both sorts wrong, and its edges are ragged.
    const isTextId = role === "id" && kind === "json"
    const textStyle = wraps ? styles.wrapped : styles.plain
    const plainStyle = textStyle === null ? "" : ` s="${textStyle}"`
    const memory = new Memory()
    let changed = 0
    const onChanged = (): void => {
      changed += 1
    }
    /** What follows the reference of a text's cell. */
    const textCell = (text: string): string => {
      const found = memory.get(text)
      if (found !== undefined) return found
      const before = changed
      const fitting = text.length > maxTextLength ? text.slice(0, maxTextLength) : text
      if (fitting !== text) onChanged()
      const style = FormulaGuard.evaluates(text) ? ` s="${styles.text}"` : plainStyle
      const cell = `"${style} t="inlineStr">${TextXml.inline(fitting, onChanged)}</c>`
      if (changed === before) memory.keep(text, cell)
      return cell
    }
    const numberCell = (value: number | bigint): string =>
      isTextId || typeof value === "bigint" || value > mostExact || value < -mostExact
        ? textCell(String(value))
        : Number.isInteger(value)
          ? `" s="${wholeStyle}"><v>${value}</v></c>`
          : Number.isFinite(value)
            ? `" s="${styles.decimal}"><v>${value}</v></c>`
            : ""
    const scalarCell = (value: Cell.CellValue): string => {
      const scalar = Cell.scalar(value)
      switch (typeof scalar) {
        case "string":
          return scalar === "" ? "" : textCell(scalar)
        case "number":
        case "bigint":
          return numberCell(scalar)
        case "boolean":
          return `" t="b"><v>${scalar ? 1 : 0}</v></c>`
        default:
          return ""
      }
    }
    const cell = (value: Cell.CellValue): string => {
      if (typeof value !== "string" || value === "") return scalarCell(value)
      if (kind === "timestamp") {
        const days = serial(value)
        if (days !== null) return `" s="${styles.timestamp}"><v>${days}</v></c>`
      } else if (kind === "link" && isLink(value) && link(`${column}${row}`, value)) {
        return `" s="${styles.link}" t="inlineStr">${TextXml.inline(value, onChanged)}</c>`
      }
      return textCell(value)
    }
    return {
      get,
      cell,
      start: `<c r="${column}`,
      report: (): void => {
        if (changed > 0) onTextsChanged?.({ column: name, cells: changed })
        changed = 0
      },
    }
  }
  const cells = columns.map(cellsOf)
  const wrapped = columns.flatMap(({ get, wraps = false }, at) =>
    wraps ? [{ get, width: widths[at] ?? 0 }] : [],
  )
  /** Rows of several lines say how high they are: not every program looks when it opens a file. */
  const heightOf = (record: A): string => {
    const lines = Math.max(
      ...wrapped.map(({ get, width }) => Widths.lines(String(Cell.scalar(get(record)) ?? ""), width)),
    )
    return lines > 1 ? ` ht="${lines * lineHeight}" customHeight="1"` : ""
  }

  return {
    rows: (records) => {
      let xml = ""
      for (const record of records) {
        row += 1
        const number = String(row)
        let line = `<row r="${number}"${wrapped.length === 0 ? "" : heightOf(record)}>`
        for (const { cell, get, start } of cells) {
          const value = get(record)
          if (value === null) continue
          const rest = cell(value)
          if (rest !== "") line = line + start + number + rest
        }
        xml += `${line}</row>`
      }
      for (const { report } of cells) report()
      return xml
    },
    lastRow: () => row,
  }
}
