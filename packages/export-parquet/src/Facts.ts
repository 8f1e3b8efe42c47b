/** Facts about Parquet, separate from its writer, which is loaded later. */
import type { TableWriter } from "@deedkit/export"
import { unlimited } from "@deedkit/export/formats"

/** One table per file, of any size. */
export const parquet: TableWriter.Format<"parquet"> = {
  name: "parquet",
  extensions: ["parquet"],
  mediaType: "application/vnd.apache.parquet",
  sheets: "one",
  limits: unlimited,
}
