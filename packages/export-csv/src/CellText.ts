/**
 * One cell as CSV text, quoted as RFC 4180 says. Which texts are quoted is papaparse's rule, so that its bytes and these can be compared.
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
}

/** Letters and digits that most texts begin with: none of them needs the guard or quotes. */
const plainStart =
  "0-9A-Za-z\\u00C0-\\u02AF\\u0370-\\u03FF\\u0410-\\u044F\\u05D0-\\u05EA\\u0620-\\u064A\\u3041-\\u3096\\u4E00-\\u9FFF\\uAC00-\\uD7A3"

/** Finds texts that may need quotes, the guard or cleaning. Most texts cost this one test and nothing else. */
const needsCare = (delimiter: string): RegExp =>
  new RegExp(`[${delimiter}"\\r\\n\\0\\uFEFF\\uD800-\\uDFFF]|^[^${plainStart}]| $`)

/** The delimiter, quotes, line breaks, a byte order mark, a space at either end. */
const needsQuotes = (delimiter: string): RegExp => new RegExp(`[${delimiter}"\\r\\n\\uFEFF]|^ | $`)

/** The text between quotes, with each quote in it doubled (RFC 4180, section 2). */
export const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`

export const make = ({ delimiter, formulaGuard, onChanged }: CellTextOptions): CellText => {
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
