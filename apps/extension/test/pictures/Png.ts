/**
 * Makes a picture light enough to be kept: the same one with a palette of its 256 most frequent colours; what is left over takes the
 * nearest one. Reads what Chromium writes: 8 bits a channel, not interlaced.
 */
import { crc32, deflateSync, inflateSync } from "node:zlib"

interface Raster {
  readonly width: number
  readonly height: number
  /** Colour of each pixel as 0xaarrggbb, row by row. */
  readonly colours: Uint32Array
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const paletteSize = 256

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

const read = (png: Buffer): Raster => {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3]
  const parts: Array<Buffer> = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const packed = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const plain = new Uint8Array(stride * height)
  for (let row = 0; row < height; row++) {
    const filter = packed[row * (stride + 1)]
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column
      const left = column < channels ? 0 : plain[at - channels]!
      const up = row === 0 ? 0 : plain[at - stride]!
      const corner = row === 0 || column < channels ? 0 : plain[at - stride - channels]!
      const guess = [0, left, up, (left + up) >> 1, filter === 4 ? paeth(left, up, corner) : 0][filter ?? 0]!
      plain[at] = packed[row * (stride + 1) + 1 + column]! + guess
    }
  }
  const colours = new Uint32Array(width * height)
  for (let pixel = 0; pixel < colours.length; pixel++) {
    const at = pixel * channels
    const alpha = channels === 4 ? plain[at + 3]! : 255
    colours[pixel] = (alpha << 24) | (plain[at]! << 16) | (plain[at + 1]! << 8) | plain[at + 2]!
  }
  return { width, height, colours }
}

const distance = (one: number, other: number): number => {
  const differences = [24, 16, 8, 0].map((bits) => ((one >> bits) & 255) - ((other >> bits) & 255))
  return differences.reduce((sum, difference) => sum + difference * difference, 0)
}

const chunk = (type: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** The picture with a palette. */
export const lighter = (png: Buffer): Buffer => {
  const { colours, height, width } = read(png)
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, paletteSize)
    .map(([colour]) => colour)
  const places = new Map(palette.map((colour, place) => [colour, place]))
  const placeOf = (colour: number): number => {
    const known = places.get(colour)
    if (known !== undefined) return known
    const nearest = palette.reduce(
      (best, candidate, place) =>
        distance(colour, candidate) < distance(colour, palette[best]!) ? place : best,
      0,
    )
    places.set(colour, nearest)
    return nearest
  }
  const rows = Buffer.alloc((width + 1) * height)
  for (let pixel = 0; pixel < colours.length; pixel++) {
    rows[pixel + Math.floor(pixel / width) + 1] = placeOf(colours[pixel]!)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const alphas = palette.map((colour) => colour >>> 24)
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from(palette.flatMap((colour) => [colour >> 16, colour >> 8, colour]))),
    ...(alphas.every((alpha) => alpha === 255) ? [] : [chunk("tRNS", Uint8Array.from(alphas))]),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ])
}
