/** Entry point for lists of formats: the description of Parquet. Does not load its writer. */
import type { FileFormat } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"

/** `compression` is that of `ParquetOptions`. */
export const parquet: FileFormat<"parquet", never> = {
  ...Facts.parquet,
  label: "Parquet",
  flavours: [],
  writer: async ({ compression } = {}) => (await import("./ParquetWriter.ts")).writer({ compression }),
}
