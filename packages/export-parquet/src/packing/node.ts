/** Zstandard by Node's zlib. */
import { constants, zstdCompressSync } from "node:zlib"
import type { Packing } from "./Packing.ts"

/** Levels of Zstandard, out of 1 to 22. */
const levels = { fast: 3, small: 12 } as const

export const packing: Packing = {
  codec: "ZSTD",
  compressors: (compression) => {
    const params = { [constants.ZSTD_c_compressionLevel]: levels[compression] }
    return { ZSTD: (bytes) => new Uint8Array(zstdCompressSync(bytes, { params })) }
  },
}
