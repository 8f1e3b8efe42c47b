/**
 * A page of records as the XML of rows, in bytes. Straight-line code, because it runs for every cell of a table.
 *
 * The kind of the column and the type of the value decide what a cell becomes, never the look of a text: no text becomes a number, a date or a
 * formula.
 */
import { Cell, FormulaGuard, TextBytes } from "@deedkit/export"
import type { Column, TableWriter } from "@deedkit/export"
import type { StyleNumbers } from "../workbook/Styles.ts"
import { letters } from "./SheetName.ts"
import * as TextXml from "./TextXml.ts"
import * as Widths from "./Widths.ts"

const dayMillis = 86_400_000
const epoch = Date.UTC(1899, 11, 30)
/** 1900-03-01: before that, spreadsheets count a day that did not exist. */
const firstSerial = 61
/** The end of the year 9999, the last year that they support. */
const lastSerial = 2_958_466

const form = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(?:[Zz]|([+-])(\d\d):?(\d\d))?$/

const dayOf = (date: string): number => {
  const millis = Date.parse(`${date}T00:00:00Z`)
  const isReal = !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(date)
  return isReal ? (millis - epoch) / dayMillis : Number.NaN
}

const exact = (timestamp: string, dayOf: (date: string) => number): string | null => {
  const [, date, hour, minute, second = "0", fraction, sign, offsetHours, offsetMinutes] =
    form.exec(timestamp) ?? []
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null
  const millis = fraction === undefined ? 0 : Number(fraction.slice(1, 4).padEnd(3, "0"))
  const offset =
    sign === undefined ? 0 : (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1)
  const inDay = ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1_000 + millis
  const serial = dayOf(date) + inDay / dayMillis
  return serial >= firstSerial && serial < lastSerial ? String(serial) : null
}

/**
 * Converts timestamps, most of which share their day, to the numbers with which spreadsheets store dates, as text: days since 1899-12-30 and a fraction
 * of a day. Without a zone, the digits are used unchanged; a time with an offset is converted to UTC. Null for a text that no spreadsheet takes as a date.
 */
const makeSerials = (): ((timestamp: string) => string | null) => {
  const days = new Map<string, number>()
  const fractions: Array<string | undefined> = []
  const day = (date: string): number => {
    let known = days.get(date)
    if (known === undefined) {
      if (days.size > 10_000) days.clear()
      known = dayOf(date)
      days.set(date, known)
    }
    return known
  }
  // Straight-line code for the documented form, because this runs twice per record.
  return (timestamp) => {
    if (timestamp.length !== 20 || timestamp.charCodeAt(19) !== 90 || timestamp.charCodeAt(10) !== 84) {
      return exact(timestamp, day)
    }
    const hours = digits(timestamp, 11)
    const minutes = digits(timestamp, 14)
    const seconds = digits(timestamp, 17)
    const whole = day(timestamp.slice(0, 10))
    if (!(whole >= firstSerial && whole < lastSerial) || hours > 23 || minutes > 59 || seconds > 59) {
      return exact(timestamp, day)
    }
    const second = hours * 3_600 + minutes * 60 + seconds
    return `${whole}${(fractions[second] ??= second === 0 ? "" : String(second / 86_400 + 1).slice(1))}`
  }
}

const digits = (text: string, at: number): number =>
  (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48

export interface RowXmlOptions {
  readonly styles: StyleNumbers
  readonly onTextsChanged: TableWriter.WriteOptions<never>["onTextsChanged"]
  /** Takes a link; false when a sheet can hold no more. */
  readonly link: (address: string, target: string) => boolean
  /** Widths of the columns, in characters. */
  readonly widths: ReadonlyArray<number>
  /** Most UTF-16 code units of one cell. */
  readonly maxTextLength: number
}

export interface RowXml<in A> {
  /** The rows of these records. The bytes are valid until the next rows are made. */
  readonly rows: (records: ReadonlyArray<A>) => Uint8Array
  readonly lastRow: () => number
  /** Number of lines that all rows take, counting the headings as one. */
  readonly lines: () => number
  /** The sum of each column of counts; null for the others. */
  readonly totals: () => ReadonlyArray<number | null>
}

/** Spreadsheets keep 15 digits of a number. */
const mostExact = 999_999_999_999_999

/** Height of a line in points, for a text of 11 points. */
const lineHeight = 15

const mostUrlLength = 2_079

/** Only addresses that a browser opens safely become links; all other addresses stay texts. */
const isLink = (text: string): boolean =>
  text.startsWith("https://") && text.length <= mostUrlLength && URL.canParse(text) && !/[\s"<>]/.test(text)

const isInstant = /(?:z|[+-]..:?..)$/i

/** The XML before and after the content of a cell. */
interface CellForm {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

const encoder = new TextEncoder()
const formOf = (before: string, after: string): CellForm => ({
  before: encoder.encode(before),
  after: encoder.encode(after),
})
const numberForm = (style: number): CellForm => formOf(`" s="${style}"><v>`, "</v></c>")
const row = formOf('<row r="', "</row>")
const rowHead = encoder.encode('">')

const headingHeight = 30

/** The row of headings. Those of amounts are aligned like the amounts. */
export const headingRow = (
  columns: ReadonlyArray<{ readonly heading: string; readonly isAmount: boolean }>,
  { amountHeading, heading: textHeading }: StyleNumbers,
): string => {
  const cells = columns.map(
    ({ heading, isAmount }, at) =>
      `<c r="${letters(at)}1" s="${isAmount ? amountHeading : textHeading}" t="inlineStr">${TextXml.inline(heading, () => {})}</c>`,
  )
  return `<row r="1" ht="${headingHeight}" customHeight="1">${cells.join("")}</row>`
}

/** Makes the rows of one sheet, from row 2 on. */
export const make = <A>(
  columns: ReadonlyArray<Column.Column<A>>,
  { link, maxTextLength, onTextsChanged, styles, widths }: RowXmlOptions,
): RowXml<A> => {
  const serial = makeSerials()
  const bytes = new TextBytes.TextBytes()
  let number = 1
  /** Lines beyond the first one of each row. */
  let furtherLines = 0

  const cellsOf = (
    { get, instant, kind, name, role, shows, wraps = false }: Column.Column<A>,
    at: number,
  ) => {
    const column = letters(at)
    const timestamp = numberForm(styles[shows ?? "timestamp"])
    const reference = encoder.encode(`<c r="${column}`)
    // Columns whose texts take several lines have values of many types, which line up below each other.
    const whole = numberForm(role === undefined ? (wraps ? styles.id : styles.integer) : styles[role])
    const decimal = numberForm(styles[role === "amount" ? role : "decimal"])
    // If ids can be texts, all of them are: a column of numbers and texts sorts wrongly and has ragged edges.
    const isTextId = role === "id" && kind === "json"
    const textStyle = wraps ? styles.wrapped : styles.plain
    const plainStyle = textStyle === 0 ? "" : ` s="${textStyle}"`
    const plain = formOf(`"${plainStyle} t="inlineStr"><is><t>`, "</t></is></c>")
    let changed = 0
    let total = 0
    const onChanged = (): void => {
      changed += 1
    }
    const begin = (): void => {
      bytes.writePiece(reference)
      bytes.writeInteger(number)
    }
    /** Writes a rare kind of cell, as the XML after its reference. */
    const rareCell = (rest: string): void => {
      begin()
      bytes.writeText(rest)
    }
    const carefulText = (text: string): void => {
      const fitting = text.length > maxTextLength ? text.slice(0, maxTextLength) : text
      if (fitting !== text) onChanged()
      const style = FormulaGuard.evaluates(text) ? ` s="${styles.text}"` : plainStyle
      rareCell(`"${style} t="inlineStr">${TextXml.inline(fitting, onChanged)}</c>`)
    }
    const textCell = (text: string): void => {
      const start = bytes.length
      begin()
      bytes.writePiece(plain.before)
      if (text.length <= maxTextLength && bytes.writePlain(text, TextXml.kinds))
        return bytes.writePiece(plain.after)
      bytes.cut(start)
      carefulText(text)
    }
    const numberCell = (value: number | bigint): void => {
      if (isTextId || typeof value === "bigint" || value > mostExact || value < -mostExact) {
        return textCell(String(value))
      }
      if (!Number.isFinite(value)) return
      const isWhole = Number.isInteger(value)
      const { after, before } = isWhole ? whole : decimal
      begin()
      bytes.writePiece(before)
      if (isWhole) bytes.writeInteger(value)
      else bytes.writeText(String(value))
      bytes.writePiece(after)
    }
    const scalarCell = (value: Cell.CellValue): void => {
      const scalar = Cell.scalar(value, onChanged)
      switch (typeof scalar) {
        case "string":
          return scalar === "" ? undefined : textCell(scalar)
        case "number":
        case "bigint":
          return numberCell(scalar)
        case "boolean":
          return isTextId ? textCell(String(scalar)) : rareCell(`" t="b"><v>${scalar ? 1 : 0}</v></c>`)
        default:
      }
    }
    const cell = (value: Cell.CellValue): void => {
      if (typeof value !== "string" || value === "") return scalarCell(value)
      if (kind === "timestamp") {
        // A time that the heading's zone cannot show as local time is given as an instant.
        const days = instant !== undefined && isInstant.test(value) ? null : serial(value)
        if (days !== null) {
          begin()
          bytes.writePiece(timestamp.before)
          bytes.writePlain(days, TextXml.kinds)
          return bytes.writePiece(timestamp.after)
        }
      } else if (kind === "link" && isLink(value) && link(`${column}${number}`, value)) {
        return rareCell(`" s="${styles.link}" t="inlineStr">${TextXml.inline(value, onChanged)}</c>`)
      }
      textCell(value)
    }
    const countCell = (value: Cell.CellValue): void => {
      if (typeof value === "number") total += value
      cell(value)
    }
    return {
      get,
      cell: role === "count" ? countCell : cell,
      total: (): number | null => (role === "count" ? total : null),
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
  /** Rows of several lines state their height, because not every program computes it when it opens a file. */
  const heightOf = (record: A): string => {
    const lines = Math.max(
      ...wrapped.map(({ get, width }) => Widths.lines(String(Cell.scalar(get(record)) ?? ""), width)),
    )
    furtherLines += lines - 1
    return lines > 1 ? `" ht="${lines * lineHeight}" customHeight="1` : ""
  }

  return {
    rows: (records) => {
      for (const record of records) {
        number += 1
        bytes.writePiece(row.before)
        bytes.writeInteger(number)
        if (wrapped.length > 0) bytes.writeText(heightOf(record))
        bytes.writePiece(rowHead)
        for (const { cell, get } of cells) {
          const value = get(record)
          if (value !== null) cell(value)
        }
        bytes.writePiece(row.after)
      }
      for (const { report } of cells) report()
      return bytes.take()
    },
    lastRow: () => number,
    lines: () => number + furtherLines,
    totals: () => cells.map(({ total }) => total()),
  }
}
