/**
 * The single list of presets. Each format describes itself and loads its writer when a file is made: workbooks load exceljs. Only the worker has the
 * list. It sends the facts to the page, which has the texts.
 */
import { contracts } from "@deedkit/export"
import type { Column, TableWriter } from "@deedkit/export"
import type { FileFormat } from "@deedkit/export/formats"
import { csv, tsv } from "@deedkit/export-csv/format"
import { xlsx } from "@deedkit/export-xlsx/format"
import type { PresetFacts } from "./ExportMessage.ts"

/** A format, or one of its flavours, with its headings. */
interface Preset extends Pick<PresetFacts, "label" | "meaning"> {
  readonly format: FileFormat
  readonly flavour?: string
  /** Default: readable names. */
  readonly headings?: Column.Headings
  /** Approximate bytes per cell, measured with contracts of 14 columns. */
  readonly cellBytes: number
}

const offers: ReadonlyArray<Preset> = [
  { format: csv, flavour: "excel", label: "exportExcel", meaning: "exportExcelMeaning", cellBytes: 14 },
  {
    format: csv,
    flavour: "excel-eu",
    label: "exportExcelEu",
    meaning: "exportExcelEuMeaning",
    cellBytes: 14,
  },
  {
    format: csv,
    flavour: "rfc4180",
    headings: "api",
    label: "exportPlain",
    meaning: "exportPlainMeaning",
    cellBytes: 14,
  },
  { format: xlsx, label: "exportXlsx", meaning: "exportXlsxMeaning", cellBytes: 6 },
]

/** The format of the clipboard: spreadsheets split it into cells when it is pasted and read its times as dates. */
const clipboard: FileFormat = tsv

const nameOf = ({ flavour, format }: Preset): string => flavour ?? format.name

/** The presets as the page offers them. */
export const presets: ReadonlyArray<PresetFacts> = offers.map((offer) => {
  const { cellBytes, format, headings = "labels", label, meaning } = offer
  const sheetRows = format.sheets === "many" ? format.limits.maxRows : null
  const rowBytes = contracts.columns.length * cellBytes
  return { name: nameOf(offer), label, meaning, headings, sheetRows, rowBytes }
})

const offerOf = (name: string): Preset => offers.find((offer) => nameOf(offer) === name)!

export const headingsOf = (name: string | null): Column.Headings =>
  (name === null ? undefined : offerOf(name).headings) ?? "labels"

/** Loads the writer of a preset by its name; null loads that of the clipboard. */
export const writer = (name: string | null): Promise<TableWriter.TableWriter> => {
  if (name === null) return clipboard.writer({ times: "dates" })
  const { flavour, format } = offerOf(name)
  return format.writer({ flavour })
}
