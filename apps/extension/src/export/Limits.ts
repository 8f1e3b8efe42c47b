/** Where an export would hurt, said before it begins: what a clipboard is given, what a file is likely to weigh. Pure. */
import type { FormatFacts } from "./ExportMessage.ts"

/** What is put on the clipboard at most. Spreadsheets in the browser take longer to paste than the export took to make. */
export const clipboard = { rows: 20_000, bytes: 10 * 1024 * 1024 } as const

/** What the making of a file needs besides the file. */
const workingBytes = 100 * 1024 * 1024

/** A record's place in an order, while it is put in order. */
const placeBytes = 150

/** From here on the reader is told what it takes. */
const muchBytes = 300 * 1024 * 1024

interface Plan {
  readonly rows: number
  readonly columns: number
  readonly format: Pick<FormatFacts, "cellBytes" | "sheetRows">
  readonly isOrdered: boolean
}

export interface Estimate {
  readonly fileBytes: number
  readonly memoryBytes: number
  /** Sheets that the rows will fill; 1 for a format without sheets. */
  readonly sheets: number
  /** Whether it is so much that it should be said before. */
  readonly isMuch: boolean
}

/** What an export of so many rows takes, about. Filters may leave less. */
export const estimate = ({ columns, format, isOrdered, rows }: Plan): Estimate => {
  const fileBytes = rows * columns * format.cellBytes
  const memoryBytes = workingBytes + fileBytes + (isOrdered ? rows * placeBytes : 0)
  const sheets = format.sheetRows === null ? 1 : Math.max(1, Math.ceil(rows / format.sheetRows))
  return { fileBytes, memoryBytes, sheets, isMuch: sheets > 1 || memoryBytes > muchBytes }
}
