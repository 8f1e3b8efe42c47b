/**
 * The single list of export formats. Each format describes itself and loads its writer when a file is made: workbooks load exceljs. Only the worker
 * has the list. It sends the facts to the page, which has the texts.
 */
import type { TableWriter } from "@deedkit/export"
import type { FileFormat } from "@deedkit/export/formats"
import { csv, tsv } from "@deedkit/export-csv/format"
import { xlsx } from "@deedkit/export-xlsx/format"
import type { FormatFacts } from "./ExportMessage.ts"

/** A format, or one of its flavours, as the page offers it. */
interface Offer extends Pick<FormatFacts, "label" | "meaning"> {
  readonly format: FileFormat
  readonly flavour?: string
  /** Approximate bytes per cell, measured with contracts of 14 columns. */
  readonly cellBytes: number
}

const offers: ReadonlyArray<Offer> = [
  { format: csv, flavour: "excel", label: "exportExcel", meaning: "exportExcelMeaning", cellBytes: 14 },
  {
    format: csv,
    flavour: "excel-eu",
    label: "exportExcelEu",
    meaning: "exportExcelEuMeaning",
    cellBytes: 14,
  },
  { format: csv, flavour: "rfc4180", label: "exportPlain", meaning: "exportPlainMeaning", cellBytes: 14 },
  { format: xlsx, label: "exportXlsx", meaning: "exportXlsxMeaning", cellBytes: 6 },
]

/** The format of the clipboard: spreadsheets split it into cells when it is pasted and read its times as dates. */
const clipboard: FileFormat = tsv

const nameOf = ({ flavour, format }: Offer): string => flavour ?? format.name

/** The formats as the page offers them. */
export const formats: ReadonlyArray<FormatFacts> = offers.map((offer) => {
  const { cellBytes, format, label, meaning } = offer
  const sheetRows = format.sheets === "many" ? format.limits.maxRows : null
  return { name: nameOf(offer), label, meaning, sheetRows, cellBytes }
})

/** Loads the writer of a format by its name; null loads that of the clipboard. */
export const writer = (name: string | null): Promise<TableWriter.TableWriter> => {
  if (name === null) return clipboard.writer({ times: "dates" })
  const { flavour, format } = offers.find((offer) => nameOf(offer) === name)!
  return format.writer({ flavour })
}
