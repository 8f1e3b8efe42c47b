/**
 * One cell as CSV text. papaparse quotes; this decides what it gets, and spares it the cells that need nothing.
 *
 * Texts go through the formula guard, numbers never do: the guard is about texts that other people wrote, and -5 is a number. Null is an
 * empty cell. It does not know pages, headings or streams.
 */
import { Cell, FormulaGuard, TextCleaner } from "@deedkit/export"
import Papa from "papaparse"

/** Writes one cell of a column. */
export type CellText = (value: Cell.CellValue) => string

export interface CellTextOptions {
  readonly delimiter: string
  readonly formulaGuard: boolean
  /** Called once for each text that could not be written as it came. */
  readonly onChanged: () => void
}

/** What may have to be quoted or cleaned: the delimiter, quotes, line breaks, a byte order mark, NUL, surrogates, a space at an end. */
const needsCare = (delimiter: string): RegExp =>
  new RegExp(`[${delimiter}"\\r\\n\\0\\uFEFF\\uD800-\\uDFFF]|^ | $`)

/** Texts that were quoted lately: a listing's title comes again with each of its contracts. */
const remembered = { texts: 1024, length: 256 }

export const make = ({ delimiter, formulaGuard, onChanged }: CellTextOptions): CellText => {
  const quoting = { delimiter, newline: "\r\n" }
  const special = needsCare(delimiter)
  const quoted = new Map<string, string>()

  const careful = (text: string): string => {
    const known = quoted.get(text)
    if (known !== undefined) return known
    const clean = TextCleaner.clean(text)
    const written = Papa.unparse([[formulaGuard ? FormulaGuard.guard(clean) : clean]], quoting)
    if (clean !== text) onChanged()
    else if (text.length <= remembered.length) {
      if (quoted.size === remembered.texts) quoted.clear()
      quoted.set(text, written)
    }
    return written
  }
  const write = (text: string): string =>
    special.test(text) || (formulaGuard && FormulaGuard.evaluates(text)) ? careful(text) : text

  return (value) => {
    if (typeof value === "string") return write(value)
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value)
    const scalar = Cell.scalar(value)
    return typeof scalar === "string" ? write(scalar) : scalar === null ? "" : String(scalar)
  }
}
