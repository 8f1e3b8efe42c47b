/** Entry point for lists of formats: the description of XLSX. Loads neither exceljs nor the writer. */
import type { FileFormat } from "@deedkit/export/formats"
import type { TableWriter } from "@deedkit/export"

export const facts: TableWriter.Format<"xlsx"> = {
  name: "xlsx",
  extensions: ["xlsx"],
  mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  sheets: "many",
  limits: { maxRows: 1_048_575, maxTextLength: 32_767 },
}

/** `compression` is the `level` of `XlsxOptions`. */
export const xlsx: FileFormat<"xlsx", never> = {
  ...facts,
  label: "Excel workbook",
  flavours: [],
  writer: async ({ compression, coverAt, paper } = {}) =>
    (await import("./XlsxWriter.ts")).writer({ level: compression, paper, coverAt }),
}
