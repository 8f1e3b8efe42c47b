/** The format as facts, apart from its writer, which is loaded later. */
import type { TableWriter } from "@deedkit/export"
import { unlimited } from "@deedkit/export/formats"

/** One table a file, of any size. */
export const parquet: TableWriter.Format<"parquet"> = {
  name: "parquet",
  extensions: ["parquet"],
  mediaType: "text/plain; charset=utf-8",
  sheets: "one",
  limits: unlimited,
}
