/** A minimal zip container for `handXlsx`: parts one after the other, each compressed in blocks of a mebibyte, up to 4 GiB. */
import { constants, crc32, deflateRawSync } from "node:zlib"
import type { Put } from "../files/Case.ts"

const blockLength = 1_048_576

interface Part {
  readonly name: Buffer
  readonly offset: number
  crc: number
  packedBytes: number
  bytes: number
}

const sized = (length: number, fill: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(length)
  fill(bytes)
  return bytes
}

export class HandZip {
  readonly #put: Put
  readonly #level: number
  readonly #parts: Array<Part> = []
  #offset = 0
  #pending = ""

  constructor(put: Put, level: number) {
    this.#put = put
    this.#level = level
  }

  begin(path: string): void {
    const name = Buffer.from(path)
    this.#parts.push({ name, offset: this.#offset, crc: 0, packedBytes: 0, bytes: 0 })
    const header = sized(30, (bytes) => {
      bytes.writeUInt32LE(0x04034b50, 0)
      bytes.writeUInt32LE(0x08080014, 4)
      bytes.writeUInt16LE(8, 8)
      bytes.writeUInt16LE(0x21, 12)
      bytes.writeUInt16LE(name.byteLength, 26)
    })
    this.#emit(header)
    this.#emit(name)
  }

  write(text: string): void {
    this.#pending += text
    if (this.#pending.length >= blockLength) this.#pack(constants.Z_SYNC_FLUSH)
  }

  finish(): void {
    this.#pack(constants.Z_FINISH)
    const { bytes, crc, packedBytes } = this.#part
    this.#emit(
      sized(16, (descriptor) => {
        descriptor.writeUInt32LE(0x08074b50, 0)
        descriptor.writeUInt32LE(crc, 4)
        descriptor.writeUInt32LE(packedBytes, 8)
        descriptor.writeUInt32LE(bytes, 12)
      }),
    )
  }

  end(): void {
    const start = this.#offset
    for (const part of this.#parts) {
      const entry = sized(46, (bytes) => {
        bytes.writeUInt32LE(0x02014b50, 0)
        bytes.writeUInt32LE(0x00140014, 4)
        bytes.writeUInt32LE(0x00080808, 8)
        bytes.writeUInt16LE(0x21, 14)
        bytes.writeUInt32LE(part.crc, 16)
        bytes.writeUInt32LE(part.packedBytes, 20)
        bytes.writeUInt32LE(part.bytes, 24)
        bytes.writeUInt16LE(part.name.byteLength, 28)
        bytes.writeUInt32LE(part.offset, 42)
      })
      this.#emit(entry)
      this.#emit(part.name)
    }
    const size = this.#offset - start
    this.#emit(
      sized(22, (bytes) => {
        bytes.writeUInt32LE(0x06054b50, 0)
        bytes.writeUInt16LE(this.#parts.length, 8)
        bytes.writeUInt16LE(this.#parts.length, 10)
        bytes.writeUInt32LE(size, 12)
        bytes.writeUInt32LE(start, 16)
      }),
    )
  }

  get #part(): Part {
    return this.#parts.at(-1)!
  }

  #pack(finishFlush: number): void {
    const block = Buffer.from(this.#pending)
    this.#pending = ""
    const part = this.#part
    part.crc = crc32(block, part.crc)
    part.bytes += block.byteLength
    const packed = deflateRawSync(block, { level: this.#level, finishFlush })
    part.packedBytes += packed.byteLength
    this.#emit(packed)
  }

  #emit(bytes: Uint8Array): void {
    this.#offset += bytes.byteLength
    this.#put(bytes)
  }
}
