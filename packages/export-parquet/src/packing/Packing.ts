/** How columns are packed: where the code runs decides which of the two files beside this one is used. */
import type { ParquetWriter } from "hyparquet-writer"

export interface Packing {
  readonly codec: "ZSTD" | "SNAPPY"
  /** Compressors besides those of the library. */
  readonly compressors: (
    compression: "fast" | "small",
  ) => NonNullable<ConstructorParameters<typeof ParquetWriter>[0]["compressors"]>
}
