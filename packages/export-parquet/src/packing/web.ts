/** Snappy, which the libraries include, for browsers and workers: these do not have Zstandard. */
import type { Packing } from "./node.ts"

export const packing: Packing = { codec: "SNAPPY", compressors: () => ({}) }
