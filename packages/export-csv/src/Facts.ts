/** Facts about CSV and TSV, separate from their writer, which is loaded later. */
import type { TableWriter } from "@deedkit/export"
import { unlimited } from "@deedkit/export/formats"

export const csv: TableWriter.Format<"csv"> = {
  name: "csv",
  extensions: ["csv"],
  mediaType: "text/csv; charset=utf-8",
  sheets: "one",
  limits: unlimited,
}

export const tsv: TableWriter.Format<"tsv"> = {
  name: "tsv",
  extensions: ["tsv"],
  mediaType: "text/tab-separated-values; charset=utf-8",
  sheets: "one",
  limits: unlimited,
}
