/**
 * One cell as CSV text. papaparse quotes; this decides what it gets, and spares it the cells that need no quotes.
 *
 * Texts go through the formula guard, numbers never do: the guard is about texts that other people wrote, and -5 is a number. Null is an
 * empty cell. It does not know pages, headings or streams.
 */
import { Cell, FormulaGuard, TextCleaner } from "@deedkit/export"

/** Writes one cell of a column. */
export type CellText = (value: Cell.CellValue) => string

export interface CellTextOptions {
  readonly delimiter: string
  readonly formulaGuard: boolean
  /** Called once for each text that could not be written as it came. */
  readonly onChanged: () => void
  /** What becomes of a text that needs quotes. */
  readonly quote: (text: string) => string
}

/** Letters and digits that most texts begin with, which no guard looks for and no quoting is about. */
const plainStart =
  "0-9A-Za-z\\u00C0-\\u02AF\\u0370-\\u03FF\\u0410-\\u044F\\u05D0-\\u05EA\\u0620-\\u064A\\u3041-\\u3096\\u4E00-\\u9FFF\\uAC00-\\uD7A3"

/** Texts that may have to be quoted, guarded or cleaned; one look at each is all that most texts cost. */
const needsCare = (delimiter: string): RegExp =>
  new RegExp(`[${delimiter}"\\r\\n\\0\\uFEFF\\uD800-\\uDFFF]|^[^${plainStart}]| $`)

/** The delimiter, quotes, line breaks, a byte order mark, a space at an end. */
const needsQuotes = (delimiter: string): RegExp => new RegExp(`[${delimiter}"\\r\\n\\uFEFF]|^ | $`)

export const make = ({ delimiter, formulaGuard, onChanged, quote }: CellTextOptions): CellText => {
  const special = needsCare(delimiter)
  const quotable = needsQuotes(delimiter)

  const careful = (text: string): string => {
    const clean = TextCleaner.clean(text)
    if (clean !== text) onChanged()
    const guarded = formulaGuard ? FormulaGuard.guard(clean) : clean
    return quotable.test(guarded) ? quote(guarded) : guarded
  }
  const write = (text: string): string => (special.test(text) ? careful(text) : text)

  return (value) => {
    if (typeof value === "string") return write(value)
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value)
    const scalar = Cell.scalar(value)
    return typeof scalar === "string" ? write(scalar) : scalar === null ? "" : String(scalar)
  }
}
