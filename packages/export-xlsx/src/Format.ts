/** Entry point for lists of formats: the description of XLSX. Loads neither exceljs nor the writer. */
import type { FileFormat } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"

/** `compression` is the `level` of `XlsxOptions`. From a workbook, the first table with ids is read back. */
export const xlsx: FileFormat<"xlsx", never> = {
  ...Facts.xlsx,
  label: "Excel workbook",
  flavours: [],
  writer: async ({ compression, paper } = {}) =>
    (await import("./XlsxWriter.ts")).writer({ level: compression, paper }),
  read: async (bytes) => {
    const table = await (await import("./read/XlsxReader.ts")).read(bytes)
    return table === null ? null : { _tag: "Cells", ...table }
  },
}
