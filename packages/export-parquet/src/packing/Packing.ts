/** How columns are packed and unpacked: one of the two files beside this one is chosen by where the code runs. */
import type { Compressors as Decompressors } from "hyparquet"
import type { ParquetWriter } from "hyparquet-writer"

export interface Packing {
  readonly codec: "ZSTD" | "SNAPPY"
  /** Beside those that the library has. */
  readonly compressors: (
    compression: "fast" | "small",
  ) => NonNullable<ConstructorParameters<typeof ParquetWriter>[0]["compressors"]>
  readonly decompressors: Decompressors
}
