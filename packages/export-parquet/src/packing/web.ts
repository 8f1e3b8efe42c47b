/** Snappy, which the libraries have themselves, for browsers and workers: those know no Zstandard. */
import type { Packing } from "./Packing.ts"

export const packing: Packing = { codec: "SNAPPY", compressors: () => ({}), decompressors: {} }
