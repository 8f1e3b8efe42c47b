/**
 * A zip container, written strictly forward: parts one after the other, each packed as it arrives, and a directory at the end.
 *
 * Sizes and checksums follow their part, because they are not known before. All dates are the same, so that the same parts give the same bytes.
 * Beyond 4 GiB, or 65,535 parts, the larger forms of the format are used.
 */
import { deflate } from "#deflate"

/** Takes bytes in order; resolves when there is room for more. */
export type Put = (bytes: Uint8Array) => Promise<void>

export interface ZipOptions {
  /** 1 packs fast, 9 small. */
  readonly level: number
  /** Number of blocks that are packed at the same time. */
  readonly parallel: number
  /** The size from which the larger forms are used; for tests. */
  readonly largeFrom?: number
}

interface Entry {
  readonly name: Uint8Array
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  readonly offset: number
}

/** A part that is being written. */
export interface ZipPart {
  /** Copies the content. */
  readonly write: (content: string | Uint8Array) => Promise<void>
  readonly end: () => Promise<void>
}

/** Number of bytes that are collected before they are packed. */
const blockLength = 512 * 1024
const none = 0xffffffff
const version = { plain: 20, large: 45 }
/** Data descriptor, names in UTF-8. */
const flags = 0x0808
const method = 8
/** 1980-01-01, the first day that the format can hold. */
const date = 0x0021

const localHeader = (name: Uint8Array): Uint8Array =>
  joined(
    record([
      [4, 0x04034b50],
      [2, version.plain],
      [2, flags],
      [2, method],
      [2, 0],
      [2, date],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.byteLength],
      [2, 0],
    ]),
    name,
  )

export class Zip {
  readonly #put: Put
  readonly #options: ZipOptions
  readonly #largeFrom: number
  readonly #encoder = new TextEncoder()
  readonly #entries: Array<Entry> = []
  /** One for each block under way, used in turn. */
  readonly #blocks: Array<Uint8Array<ArrayBuffer>> = []
  #turn = 0
  #offset = 0

  constructor(put: Put, options: ZipOptions) {
    this.#put = put
    this.#options = options
    this.#largeFrom = options.largeFrom ?? none
  }

  /** Begins a part; the previous one must have ended. */
  async part(path: string): Promise<ZipPart> {
    const name = this.#encoder.encode(path)
    const offset = this.#offset
    await this.#emit(localHeader(name))
    const start = this.#offset
    let crc = 0
    let bytes = 0
    let block = this.#nextBlock()
    let used = 0
    const packer = deflate.open(this.#options, (packed) => this.#emit(packed))
    const flush = async (): Promise<void> => {
      if (used === 0) return
      const filled = block.subarray(0, used)
      used = 0
      crc = deflate.crc32(filled, crc)
      bytes += filled.byteLength
      await packer.write(filled)
      block = this.#nextBlock()
    }
    return {
      write: async (content) => {
        let rest = typeof content === "string" ? this.#encoder.encode(content) : content
        while (rest.byteLength > 0) {
          const taken = rest.subarray(0, blockLength - used)
          block.set(taken, used)
          used += taken.byteLength
          rest = rest.subarray(taken.byteLength)
          if (used === blockLength) await flush()
        }
      },
      end: async () => {
        await flush()
        await packer.end()
        const entry = { name, crc, packedBytes: this.#offset - start, bytes, offset }
        this.#entries.push(entry)
        await this.#emit(this.#descriptor(entry))
      },
    }
  }

  /** Writes the directory. */
  async end(): Promise<void> {
    const start = this.#offset
    for (const entry of this.#entries) await this.#emit(this.#directoryEntry(entry))
    const size = this.#offset - start
    const count = this.#entries.length
    if (this.#isLarge(start) || this.#isLarge(size) || count > 0xfffe) {
      await this.#emit(largeEnd(count, size, start))
    }
    await this.#emit(
      record([
        [4, 0x06054b50],
        [2, 0],
        [2, 0],
        [2, Math.min(count, 0xffff)],
        [2, Math.min(count, 0xffff)],
        [4, this.#isLarge(size) ? none : size],
        [4, this.#isLarge(start) ? none : start],
        [2, 0],
      ]),
    )
  }

  #nextBlock(): Uint8Array<ArrayBuffer> {
    this.#turn = (this.#turn + 1) % Math.max(1, this.#options.parallel)
    return (this.#blocks[this.#turn] ??= new Uint8Array(blockLength))
  }

  #isLarge(value: number): boolean {
    return value >= this.#largeFrom
  }

  #descriptor({ bytes, crc, packedBytes }: Entry): Uint8Array {
    const size = this.#isLarge(bytes) || this.#isLarge(packedBytes) ? 8 : 4
    return record([
      [4, 0x08074b50],
      [4, crc],
      [size, packedBytes],
      [size, bytes],
    ])
  }

  #directoryEntry({ bytes, crc, name, offset, packedBytes }: Entry): Uint8Array {
    const sizes = this.#isLarge(bytes) || this.#isLarge(packedBytes)
    const far = this.#isLarge(offset)
    const large = record([
      ...(sizes
        ? ([
            [8, bytes],
            [8, packedBytes],
          ] as const)
        : []),
      ...(far ? ([[8, offset]] as const) : []),
    ])
    const extra =
      large.byteLength === 0
        ? large
        : joined(
            record([
              [2, 1],
              [2, large.byteLength],
            ]),
            large,
          )
    const needed = large.byteLength === 0 ? version.plain : version.large
    return joined(
      record([
        [4, 0x02014b50],
        [2, needed],
        [2, needed],
        [2, flags],
        [2, method],
        [2, 0],
        [2, date],
        [4, crc],
        [4, sizes ? none : packedBytes],
        [4, sizes ? none : bytes],
        [2, name.byteLength],
        [2, extra.byteLength],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, far ? none : offset],
      ]),
      name,
      extra,
    )
  }

  async #emit(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.byteLength
    await this.#put(bytes)
  }
}

const largeEnd = (count: number, size: number, start: number): Uint8Array =>
  record([
    [4, 0x06064b50],
    [8, 44],
    [2, version.large],
    [2, version.large],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, start],
    [4, 0x07064b50],
    [4, 0],
    [8, start + size],
    [4, 1],
  ])

/** Little-endian numbers in a row, given as [size, value]. */
const record = (fields: ReadonlyArray<readonly [2 | 4 | 8, number]>): Uint8Array => {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else if (size === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += size
  }
  return bytes
}

/** Concatenates pieces. */
const joined = (...pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
