/**
 * A zip container, written strictly forward: parts one after the other, each packed as it arrives, and a directory at the end.
 *
 * fflate makes the container, and the platform packs. There are no entries of 4 GiB and more: their larger form must be announced before the size is
 * known, and Excel repairs files that announce it. All dates are the same, so that the same parts give the same bytes.
 */
import { Zip as Container } from "fflate"
import type { ZipInputFile } from "fflate"
import { deflate } from "#deflate"

/** Takes bytes in order; resolves when there is room for more. */
export type Put = (bytes: Uint8Array) => Promise<void>

export interface ZipOptions {
  /** 1 packs fast, 9 small. */
  readonly level: number
  /** Number of blocks that are packed at the same time. */
  readonly parallel: number
  /** Most bytes of a part, and of the container, below 4 GiB. */
  readonly mostBytes: number
}

/** A part, or the container, would be larger than the format can hold. */
export class TooLarge extends Error {}

export interface ZipPart {
  /** Copies the content. */
  readonly write: (content: string | Uint8Array) => Promise<void>
  readonly end: () => Promise<void>
}

export interface Zip {
  /** Begins a part; the previous one must have ended. */
  readonly part: (path: string) => ZipPart
  readonly end: () => Promise<void>
}

/** Number of bytes that are collected before they are packed. */
const blockLength = 512 * 1024
/** The number of the method, for parts that are packed by deflate. */
const method = 8
/** The first day that the format can hold. */
const mtime = new Date(1980, 0, 1)
const nothing = new Uint8Array(0)

export const open = (put: Put, options: ZipOptions): Zip => {
  const { mostBytes, parallel } = options
  const encoder = new TextEncoder()
  /** One for each block under way, used in turn. */
  const blocks: Array<Uint8Array<ArrayBuffer>> = []
  let turn = 0
  let made: Array<Uint8Array> = []
  let total = 0
  const container = new Container((error, bytes) => {
    if (error !== null) throw error
    if (bytes.byteLength > 0) made.push(bytes)
  })

  const check = (bytes: number): void => {
    if (bytes > mostBytes) throw new TooLarge(`The zip would have more than ${mostBytes} bytes.`)
  }
  /** Passes on what the container has made. */
  const flush = async (): Promise<void> => {
    const taken = made
    made = []
    for (const bytes of taken) {
      total += bytes.byteLength
      check(total)
      await put(bytes)
    }
  }
  const nextBlock = (): Uint8Array<ArrayBuffer> => {
    turn = (turn + 1) % Math.max(1, parallel)
    return (blocks[turn] ??= new Uint8Array(blockLength))
  }

  return {
    part: (path) => {
      const file: ZipInputFile = { filename: path, compression: method, mtime, crc: 0, size: 0 }
      container.add(file)
      const emit = (packed: Uint8Array, isLast: boolean): Promise<void> => {
        file.ondata?.(null, packed as Uint8Array<ArrayBuffer>, isLast)
        return flush()
      }
      const packer = deflate.open(options, (packed) => emit(packed, false))
      let block = nextBlock()
      let used = 0
      const pack = async (): Promise<void> => {
        if (used === 0) return
        const filled = block.subarray(0, used)
        used = 0
        file.crc = deflate.crc32(filled, file.crc)
        file.size += filled.byteLength
        check(file.size)
        await packer.write(filled)
        block = nextBlock()
      }
      return {
        write: async (content) => {
          let rest = typeof content === "string" ? encoder.encode(content) : content
          while (rest.byteLength > 0) {
            const taken = rest.subarray(0, blockLength - used)
            block.set(taken, used)
            used += taken.byteLength
            rest = rest.subarray(taken.byteLength)
            if (used === blockLength) await pack()
          }
        },
        end: async () => {
          await pack()
          await packer.end()
          await emit(nothing, true)
        },
      }
    },
    end: () => {
      container.end()
      return flush()
    },
  }
}
