/** Facts about XLSX, separate from its writer, which is loaded later. */
import type { TableWriter } from "@deedkit/export"

export const xlsx: TableWriter.Format<"xlsx"> = {
  name: "xlsx",
  extensions: ["xlsx"],
  mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  sheets: "many",
  limits: { maxRows: 1_048_575, maxTextLength: 32_767 },
}
