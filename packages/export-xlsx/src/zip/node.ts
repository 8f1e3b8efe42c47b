/** Packing with Node's zlib: each block by itself in the thread pool, several at a time, put together in order. */
import { promisify } from "node:util"
import { constants, crc32, deflateRaw } from "node:zlib"
import type { ZlibOptions } from "node:zlib"

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

const pack = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw)

/** Room for the usual size of a packed block, so that it is returned from its thread only once. */
const chunkSize = 128 * 1024

/** The end of a stream whose blocks all say that more will come. */
const lastBlock = Uint8Array.of(3, 0)

export const deflate: Deflate = {
  crc32,
  open: ({ level, parallel }, emit) => {
    const options = { level, chunkSize, finishFlush: constants.Z_SYNC_FLUSH }
    const underWay: Array<Promise<Uint8Array>> = []
    const emitOldest = async (): Promise<void> => {
      const packed = await underWay.shift()
      if (packed !== undefined) await emit(packed)
    }
    return {
      write: async (block) => {
        const job = pack(block, options)
        // After an interruption nothing awaits a job, and one that fails later must not end the process.
        job.catch(() => {})
        underWay.push(job)
        if (underWay.length >= parallel) await emitOldest()
      },
      end: async () => {
        while (underWay.length > 0) await emitOldest()
        await emit(lastBlock)
      },
    }
  },
}
