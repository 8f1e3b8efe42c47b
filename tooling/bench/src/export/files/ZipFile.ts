/** Reads a finished workbook independently of the code that wrote it: its parts by its directory, and the rows of its sheets. */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs"
import { createInflateRaw } from "node:zlib"

interface Part {
  readonly name: string
  readonly offset: number
  readonly packedBytes: number
  readonly bytes: number
}

const read = (path: string, from: number, length: number): Buffer => {
  const file = openSync(path, "r")
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, from)
  closeSync(file)
  return bytes
}

/** The parts of a zip file without a comment and smaller than 4 GiB. */
const partsOf = (path: string): ReadonlyArray<Part> => {
  const end = read(path, statSync(path).size - 22, 22)
  if (end.readUInt32LE(0) !== 0x06054b50) throw new Error(`${path} does not end as a zip does`)
  const directory = read(path, end.readUInt32LE(16), end.readUInt32LE(12))
  const parts: Array<Part> = []
  for (let at = 0; at < directory.byteLength;) {
    const nameLength = directory.readUInt16LE(at + 28)
    parts.push({
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
      name: directory.toString("utf8", at + 46, at + 46 + nameLength),
    })
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return parts
}

/** The uncompressed size of all parts. */
export const unpackedBytes = (path: string): number =>
  partsOf(path).reduce((sum, { bytes }) => sum + bytes, 0)

const countIn = async (stream: AsyncIterable<string>, wanted: string): Promise<number> => {
  let count = 0
  let tail = ""
  for await (const piece of stream) {
    const text = tail + piece
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1
    tail = text.slice(text.length - wanted.length + 1)
  }
  return count
}

/** The number of rows of each sheet, including the row of headings, in the order of the sheets. */
export const rowsOfSheets = async (path: string): Promise<ReadonlyArray<number>> => {
  const counts: Array<number> = []
  for (const { name, offset, packedBytes } of partsOf(path)) {
    if (!name.startsWith("xl/worksheets/sheet")) continue
    const header = read(path, offset, 30)
    const from = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
    const packed = createReadStream(path, { start: from, end: from + packedBytes - 1 })
    counts.push(await countIn(packed.pipe(createInflateRaw()).setEncoding("latin1"), "<row "))
  }
  return counts
}
