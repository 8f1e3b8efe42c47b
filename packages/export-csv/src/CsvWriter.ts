/**
 * The CSV and TSV formats: they take pages of records, and write one chunk of bytes per page.
 *
 * RFC 4180 with CRLF after every line, the last one included, UTF-8, one line of headings. The bytes are those that papaparse writes for the
 * guarded values: most cells are written directly, papaparse quotes the texts that need it, and tests compare the others.
 */
import { Cell, Column, FormulaGuard, Instant, TableWriter, TextBytes } from "@deedkit/export"
import Papa from "papaparse"
import type { Between, FlavourName } from "./Format.ts"
import { flavours } from "./Format.ts"

const encoder = new TextEncoder()

export interface CsvOptions {
  /** Default `rfc4180`. */
  readonly flavour?: FlavourName | undefined
  /**
   * Default `on`: one apostrophe is put before a text that a spreadsheet might evaluate, in headings too, and before such a text that begins with
   * apostrophes of its own, so that reading removes exactly what writing added. `off` writes texts unchanged, for files that only programs read.
   */
  readonly formulaGuard?: "on" | "off" | undefined
  /**
   * `instants` are ISO 8601 with an offset, `dates` are times that Excel reads as dates, such as `2025-06-29 15:07:20`. Default: the form of the
   * flavour, `instants` in `rfc4180` and `tsv`.
   */
  readonly times?: "instants" | "dates" | undefined
}

export interface CellTextOptions {
  readonly delimiter: string
  /** See `Flavour`. */
  readonly decimalMark: "." | ","
  readonly formulaGuard: boolean
  /** Called once for each text that could not be written unchanged. */
  readonly onChanged: () => void
}

/**
 * A function that writes one cell as text, in the careful way that works for every cell. Texts go through the formula guard, numbers never do: the
 * guard is for texts that other people wrote, and -5 is a number. Null is an empty cell.
 */
export const cellText = ({
  decimalMark,
  delimiter,
  formulaGuard,
  onChanged,
}: CellTextOptions): ((value: Cell.CellValue) => string) => {
  // Papaparse leaves texts without these unchanged, and takes a microsecond to do so.
  const quotable = new RegExp(`[${delimiter}"\\r\\n\\uFEFF]|^ | $`)
  const write = (text: string): string => {
    const clean = Cell.clean(text)
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
const clockOf =
  <A>({ get, instant }: Column.Column<A>, between: Between) =>
  (record: A): Cell.CellValue => {
    const value = get(record)
    if (typeof value !== "string") return value
    const clock = instant === undefined ? utc(value) : local.test(value) ? value : null
    return clock === null ? value : `${clock.slice(0, 10)}${between}${clock.slice(11, 19)}`
  }

/** The characters of texts that are written directly. The others may need quotes or cleaning. */
export const kindsOf = (delimiter: string): TextBytes.CharacterKinds =>
  TextBytes.kindsOf(`${delimiter}"\r\n\0\uFEFF`, " ")

/** A writer of CSV. */
export const writer = (options: CsvOptions = {}): TableWriter.TableWriter => {
  const {
    byteOrderMark,
    clock: usual,
    decimalMark,
    delimiter,
    format,
  } = flavours[options.flavour ?? "rfc4180"]
  const clock = options.times === undefined ? usual : options.times === "dates" ? (usual ?? " ") : null
  const formulaGuard = options.formulaGuard !== "off"
  const [between, lineBreak] = [encoder.encode(delimiter), encoder.encode("\r\n")]
  const kinds = kindsOf(delimiter)

  return TextBytes.ofBytes(format, ({ columns }, { headings, onTextsChanged }, bytes) => {
    const values = columns.map((column) =>
      column.kind === "timestamp" && clock !== null ? clockOf(column, clock) : Column.instantOrValue(column),
    )
    const changed = columns.map(() => 0)
    let at = 0
    const careful = cellText({
      decimalMark,
      delimiter,
      formulaGuard,
      onChanged: () => (changed[at]! += 1),
    })
    // Straight-line code, because it runs for every cell of a table.
    const cell = (value: Cell.CellValue): void => {
      if (value === null) return
      if (typeof value === "string" && bytes.writePlain(value, kinds)) return
      if (typeof value === "number" && Number.isSafeInteger(value)) bytes.writeInteger(value)
      else bytes.writeText(careful(value))
    }
    let hasHeadings = false
    const writeHeadings = (): void => {
      if (hasHeadings) return
      hasHeadings = true
      if (byteOrderMark) bytes.writeText("\uFEFF")
      const [first = "", ...others] = columns.map((column) => careful(Column.heading(column, headings)))
      // Excel takes a file that begins with the letters ID for one of its format SYLK, and refuses it. Quotes hide them.
      const start = first.startsWith("ID") || (first === "" && others.length === 0) ? `"${first}"` : first
      bytes.writeText(`${[start, ...others].join(delimiter)}\r\n`)
      changed.fill(0)
    }
    return {
      page: (records) => {
        writeHeadings()
        for (const record of records) {
          const start = bytes.length
          for (at = 0; at < values.length; at++) {
            if (at > 0) bytes.writePiece(between)
            cell(values[at]!(record))
          }
          // Most readers skip an empty line, so the empty cell of a table with a single column is written as `""`.
          if (bytes.length === start) bytes.writeText('""')
          bytes.writePiece(lineBreak)
        }
        for (const [index, cells] of changed.entries()) {
          if (cells > 0) onTextsChanged?.({ column: columns[index]!.name, cells })
        }
        changed.fill(0)
      },
      end: writeHeadings,
    }
  })
}
