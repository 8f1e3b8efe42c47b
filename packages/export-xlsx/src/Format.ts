/** Entry point for lists of formats: the description of XLSX. Loads neither exceljs nor the writer. */
import type { FileFormat } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"

/** `compression` is the `level` of `XlsxOptions`. */
export const xlsx: FileFormat<"xlsx", never> = {
  ...Facts.xlsx,
  label: "Excel workbook",
  flavours: [],
  writer: async ({ compression, paper } = {}) =>
    (await import("./XlsxWriter.ts")).writer({ level: compression, paper }),
}
