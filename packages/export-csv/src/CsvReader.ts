/**
 * Reads a CSV or TSV table back with papaparse, as this package writes it: it detects the delimiter, skips a byte order mark and removes the
 * apostrophe of the formula guard. A file does not say whether it was written without the guard; if it was, a text like `'=1` loses its apostrophe.
 */
import { FormulaGuard } from "@deedkit/export"
import Papa from "papaparse"

export interface CsvTable {
  readonly headings: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** The headings and rows of a text; null when it is not a table: it has an unclosed quote, or rows of different lengths. */
export const read = (text: string): CsvTable | null => {
  const whole = text.startsWith("\uFEFF") ? text.slice(1) : text
  const { data, errors } = Papa.parse<Array<string>>(whole, {
    delimitersToGuess: [",", ";", "\t"],
    skipEmptyLines: true,
  })
  const [headings = [], ...rows] = data.map((row) => row.map(FormulaGuard.unguard))
  const isTable =
    errors.every(({ type }) => type === "Delimiter") && rows.every((row) => row.length === headings.length)
  return isTable && headings.length > 0 ? { headings, rows } : null
}
