/** The format of each preset. Each format loads its writer when a file is made: workbooks load exceljs. */
import type { Column, TableWriter } from "@deedkit/export"
import type { FileFormat } from "@deedkit/export/formats"
import { csv, tsv } from "@deedkit/export-csv/format"
import { xlsx } from "@deedkit/export-xlsx/format"

/** By the names of `Presets.ts`; null is the clipboard: spreadsheets split its format into cells when it is pasted and read its times as dates. */
const formatOf = (preset: string | null): FileFormat =>
  preset === null ? tsv : preset === "xlsx" ? xlsx : csv

/** Readable names, unless a program reads the file. */
export const headingsOf = (preset: string | null): Column.Headings =>
  preset === "rfc4180" ? "api" : "labels"

/** Loads the writer of a preset. The presets of CSV are its flavours. */
export const writer = (preset: string | null): Promise<TableWriter.TableWriter> => {
  const format = formatOf(preset)
  if (preset === null) return format.writer({ times: "dates" })
  return format.writer(format === csv ? { flavour: preset } : {})
}
