/** Entry point for lists of formats: the description of Parquet. Does not load its writer. */
import type { FileFormat } from "@deedkit/export/formats"
import type { TableWriter } from "@deedkit/export"
import { unlimited } from "@deedkit/export/formats"

export const facts: TableWriter.Format<"parquet"> = {
  name: "parquet",
  extensions: ["parquet"],
  mediaType: "application/vnd.apache.parquet",
  sheets: "one",
  limits: unlimited,
}

/** `compression` is that of `ParquetOptions`. */
export const parquet: FileFormat<"parquet", never> = {
  ...facts,
  label: "Parquet",
  flavours: [],
  writer: async ({ compression } = {}) => (await import("./ParquetWriter.ts")).writer({ compression }),
}
