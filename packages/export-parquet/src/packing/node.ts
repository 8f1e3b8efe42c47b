/** Zstandard by Node's zlib. In browsers, `web.ts` is used in place of this file. */
import { constants, zstdCompressSync } from "node:zlib"
import type { ParquetWriter } from "hyparquet-writer"

export interface Packing {
  readonly codec: "ZSTD" | "SNAPPY"
  /** Compressors besides those of the library. */
  readonly compressors: (
    compression: "fast" | "small",
  ) => NonNullable<ConstructorParameters<typeof ParquetWriter>[0]["compressors"]>
}

/** Levels of Zstandard, out of 1 to 22. */
const levels = { fast: 3, small: 12 } as const

export const packing: Packing = {
  codec: "ZSTD",
  compressors: (compression) => {
    const params = { [constants.ZSTD_c_compressionLevel]: levels[compression] }
    return { ZSTD: (bytes) => new Uint8Array(zstdCompressSync(bytes, { params })) }
  },
}
