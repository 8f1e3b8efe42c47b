/** The entry for lists of formats: the format as it describes itself. Loads neither its writer nor its reader. */
import type { FileFormat } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"

/** One way of writing it, and a reader for what is written. */
export const parquet: FileFormat<"parquet", never> = {
  ...Facts.parquet,
  label: "Parquet",
  flavours: [],
  writer: async () => (await import("./ParquetWriter.ts")).writer,
  read: async (bytes) => {
    const table = (await import("./ParquetReader.ts")).read(bytes)
    return table === null ? null : { _tag: "Cells", ...table }
  },
}
