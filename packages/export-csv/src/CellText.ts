/**
 * One cell as CSV text, quoted as RFC 4180 says. This careful way works for every cell, and is used for those that `PageBytes` cannot write
 * directly. Texts are quoted by papaparse's rule, so that its bytes and these can be compared.
 *
 * Texts go through the formula guard, numbers never do: the guard is for texts that other people wrote, and -5 is a number. Null is an empty cell.
 * It does not know pages, headings or streams.
 */
import { Cell, FormulaGuard, TextCleaner } from "@deedkit/export"

/** Writes one cell of a column. */
export type CellText = (value: Cell.CellValue) => string

export interface CellTextOptions {
  readonly delimiter: string
  readonly formulaGuard: boolean
  /** Called once for each text that could not be written unchanged. */
  readonly onChanged: () => void
}

/** Characters that may need quotes or cleaning, besides the delimiter; a lone surrogate needs cleaning too. */
export const special = '"\r\n\0\uFEFF'

/** The delimiter, quotes, line breaks, a byte order mark, a space at either end. */
const needsQuotes = (delimiter: string): RegExp => new RegExp(`[${delimiter}"\\r\\n\\uFEFF]|^ | $`)

/** The text between quotes, with each quote in it doubled (RFC 4180, section 2). */
export const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`

export const make = ({ delimiter, formulaGuard, onChanged }: CellTextOptions): CellText => {
  const quotable = needsQuotes(delimiter)

  const write = (text: string): string => {
    const clean = TextCleaner.clean(text)
    if (clean !== text) onChanged()
    const guarded = formulaGuard ? FormulaGuard.guard(clean) : clean
    return quotable.test(guarded) ? quote(guarded) : guarded
  }

  return (value) => {
    if (typeof value === "string") return write(value)
    const scalar = Cell.scalar(value, onChanged)
    return typeof scalar === "string" ? write(scalar) : scalar === null ? "" : String(scalar)
  }
}
