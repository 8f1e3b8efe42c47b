/**
 * One cell as CSV text, quoted by papaparse as RFC 4180 says. This careful way works for every cell, and is used for those that `CsvWriter` cannot write
 * directly.
 *
 * Texts go through the formula guard, numbers never do: the guard is for texts that other people wrote, and -5 is a number. Null is an empty cell.
 * It does not know pages, headings or streams.
 */
import { Cell, FormulaGuard, TextCleaner, Instant } from "@deedkit/export"
import type { Column } from "@deedkit/export"
import Papa from "papaparse"

/** Writes one cell of a column. */
export type CellText = (value: Cell.CellValue) => string

export interface CellTextOptions {
  readonly delimiter: string
  /** See `Flavour`. */
  readonly decimalMark: "." | ","
  readonly formulaGuard: boolean
  /** Called once for each text that could not be written unchanged. */
  readonly onChanged: () => void
}

/** Characters that may need quotes or cleaning, besides the delimiter; a lone surrogate needs cleaning too. */
export const special = '"\r\n\0\uFEFF'

export const make = ({ decimalMark, delimiter, formulaGuard, onChanged }: CellTextOptions): CellText => {
  // Papaparse leaves texts without these unchanged, and takes a microsecond to do so.
  const quotable = new RegExp(`[${delimiter}"\\r\\n\\uFEFF]|^ | $`)
  const write = (text: string): string => {
    const clean = TextCleaner.clean(text)
    if (clean !== text) onChanged()
    const guarded = formulaGuard ? FormulaGuard.guard(clean) : clean
    return quotable.test(guarded) ? Papa.unparse([[guarded]], { delimiter }) : guarded
  }

  return (value) => {
    if (typeof value === "string") return write(value)
    const scalar = Cell.scalar(value, onChanged)
    if (typeof scalar === "string") return write(scalar)
    if (typeof scalar === "number") return String(scalar).replace(".", decimalMark)
    return scalar === null ? "" : String(scalar)
  }
}

/**
 * Timestamps in the form that spreadsheets read as dates: the local time to the second, without an offset, which none of their forms can hold; the
 * heading names the zone. Excel reads a space between date and time, LibreOffice a `T`, and neither reads the other's form (LibreOffice 7.4 with
 * its defaults; Excel as documented). This is the separator between date and time.
 */
export type Between = " " | "T"

/** The documented form, on a day that every month has. */
const documented = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/
/** The local time of another zone, as `TimeZone` makes it. */
const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$/

const utc = (text: string): string | null => {
  if (documented.test(text)) return text
  const millis = Instant.of(text)
  return millis === null ? null : Instant.clock(millis)
}

/** Makes the cells of a timestamp column, such as `2025-06-29 15:07:20`. A text that is not an instant stays unchanged. */
export const clockOf =
  <A>({ get, instant }: Column.Column<A>, between: Between) =>
  (record: A): Cell.CellValue => {
    const value = get(record)
    if (typeof value !== "string") return value
    const clock = instant === undefined ? utc(value) : local.test(value) ? value : null
    return clock === null ? value : `${clock.slice(0, 10)}${between}${clock.slice(11, 19)}`
  }
