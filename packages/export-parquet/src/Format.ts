/** Entry point for lists of formats: the description of Parquet. Loads neither its writer nor its reader. */
import type { FileFormat } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"

/** `compression` is that of `ParquetOptions`. */
export const parquet: FileFormat<"parquet", never> = {
  ...Facts.parquet,
  label: "Parquet",
  flavours: [],
  writer: async ({ compression } = {}) => (await import("./ParquetWriter.ts")).writer({ compression }),
  read: async (bytes) => {
    const table = await (await import("./ParquetReader.ts")).read(bytes)
    return table === null ? null : { _tag: "Cells", ...table }
  },
}
