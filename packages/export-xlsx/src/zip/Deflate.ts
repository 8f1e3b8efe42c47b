/** How bytes are packed: where the code runs decides which of the two files beside this one is used. */

/** Packs the bytes of one part of a zip. */
interface Deflating {
  /**
   * Takes a block. Resolves when there is room for the next one; packed bytes go to `emit` in order. The memory of all taken blocks but the last
   * `parallel` - 1 can then be reused.
   */
  readonly write: (block: Uint8Array) => Promise<void>
  /** Resolves when everything has gone to `emit`. */
  readonly end: () => Promise<void>
}

export interface Deflate {
  /** `parallel` blocks can be packed at the same time; more of them use more cores. */
  readonly open: (
    options: { readonly level: number; readonly parallel: number },
    emit: (packed: Uint8Array) => Promise<void>,
  ) => Deflating
  /** The checksum (CRC-32) of bytes that follow other bytes with the checksum `before`. */
  readonly crc32: (bytes: Uint8Array, before: number) => number
}
