/** Limits of an export, checked before it begins: the clipboard's maximum and the likely size of a file. Pure. */
import type { PresetFacts } from "./ExportMessage.ts"

/** Maximum for the clipboard. Spreadsheets in the browser take longer to paste the rows than the export took to make them. */
export const clipboard = { rows: 20_000, bytes: 10 * 1024 * 1024 } as const

/** Memory that making a file needs in addition to the file. */
const workingBytes = 100 * 1024 * 1024

/** Memory from which the user is warned. */
const muchBytes = 300 * 1024 * 1024

export interface Estimate {
  readonly fileBytes: number
  readonly memoryBytes: number
  /** Sheets that the rows will fill; 1 for a format without sheets. */
  readonly sheets: number
  /** Whether the user should be warned before. */
  readonly isMuch: boolean
}

/** Estimates what an export of this many rows takes. A search can reduce it. */
export const estimate = (
  rows: number,
  { rowBytes, sheetRows }: Pick<PresetFacts, "rowBytes" | "sheetRows">,
): Estimate => {
  const fileBytes = rows * rowBytes
  const memoryBytes = workingBytes + fileBytes
  const sheets = sheetRows === null ? 1 : Math.max(1, Math.ceil(rows / sheetRows))
  return { fileBytes, memoryBytes, sheets, isMuch: sheets > 1 || memoryBytes > muchBytes }
}
