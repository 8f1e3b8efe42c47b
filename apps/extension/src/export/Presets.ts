/**
 * What the export page offers, as plain facts, so that the page is small: the presets, the clipboard's maximum and the likely size of a file. Only the
 * worker has the formats and the table, in `Formats.ts`.
 */
import type { MessageName } from "../BrowserNames.ts"

export interface Preset {
  readonly name: string
  readonly label: MessageName
  readonly meaning: MessageName
  /** Maximum rows of one sheet, without headings; null if a format never needs another sheet. */
  readonly sheetRows: number | null
  /** Approximate bytes per row, measured with contracts of 14 columns. */
  readonly rowBytes: number
}

/** The default preset comes first. */
export const presets: readonly [Preset, ...ReadonlyArray<Preset>] = [
  { name: "excel", label: "exportExcel", meaning: "exportExcelMeaning", sheetRows: null, rowBytes: 196 },
  {
    name: "excel-eu",
    label: "exportExcelEu",
    meaning: "exportExcelEuMeaning",
    sheetRows: null,
    rowBytes: 196,
  },
  { name: "rfc4180", label: "exportPlain", meaning: "exportPlainMeaning", sheetRows: null, rowBytes: 196 },
  { name: "xlsx", label: "exportXlsx", meaning: "exportXlsxMeaning", sheetRows: 1_048_575, rowBytes: 84 },
]

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
export const estimate = (rows: number, { rowBytes, sheetRows }: Preset): Estimate => {
  const fileBytes = rows * rowBytes
  const memoryBytes = workingBytes + fileBytes
  const sheets = sheetRows === null ? 1 : Math.max(1, Math.ceil(rows / sheetRows))
  return { fileBytes, memoryBytes, sheets, isMuch: sheets > 1 || memoryBytes > muchBytes }
}
