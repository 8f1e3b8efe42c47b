/** How bytes are packed: one of the two files beside this one is chosen by where the code runs. */

/** Packs the bytes of one part of a zip. */
interface Deflating {
  /**
   * Takes a block. Resolves when there is room for the next one; what is packed goes to `emit` in order. Of the blocks that were taken, all
   * but the last `parallel` - 1 may be written over then.
   */
  readonly write: (block: Uint8Array) => Promise<void>
  /** Resolves when everything has gone to `emit`. */
  readonly end: () => Promise<void>
}

export interface Deflate {
  /** Blocks that may be packed at the same time; more of them use more cores. */
  readonly open: (
    options: { readonly level: number; readonly parallel: number },
    emit: (packed: Uint8Array) => Promise<void>,
  ) => Deflating
  /** The check sum (CRC-32) of bytes that follow others with the check sum `before`. */
  readonly crc32: (bytes: Uint8Array, before: number) => number
}
