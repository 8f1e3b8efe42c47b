/** The writer of a format. Workbooks bring exceljs, so theirs is loaded when one is asked for and not before. */
import type { TableWriter } from "@deedkit/export"
import * as Csv from "@deedkit/export-csv"
import type { Format } from "./ExportMessage.ts"

export const make = async (format: Format): Promise<TableWriter.TableWriter> => {
  switch (format._tag) {
    case "Csv":
      return Csv.writer({ flavour: format.flavour })
    case "Clipboard":
      return Csv.writer({ flavour: "tsv" })
    case "Xlsx":
      return (await import("@deedkit/export-xlsx")).writer()
  }
}
