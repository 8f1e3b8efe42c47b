import { describe, expect, it } from "vitest"
import * as XLSX from "xlsx"
import type { ZipOptions } from "../../src/zip/Zip.ts"
import { Zip } from "../../src/zip/Zip.ts"

const zipOf = async (
  parts: { readonly [path: string]: string },
  options: Partial<ZipOptions> = {},
): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  const zip = new Zip(async (bytes) => void chunks.push(bytes), { level: 6, parallel: 2, ...options })
  for (const [path, text] of Object.entries(parts)) {
    const part = await zip.part(path)
    for (let at = 0; at < text.length; at += 100_000) await part.write(text.slice(at, at + 100_000))
    await part.end()
  }
  await zip.end()
  return Buffer.concat(chunks)
}

const contentOf = (bytes: Buffer, path: string): string => {
  const entry = XLSX.CFB.find(XLSX.CFB.read(bytes, { type: "buffer" }), path)
  return Buffer.from(entry?.content ?? []).toString("utf8")
}

describe("a zip", () => {
  const long = Array.from({ length: 200_000 }, (_, at) => `line ${at * 7919} ακή\n`).join("")

  it("gives back parts of every size", async () => {
    const parts = { "empty.txt": "", "one.txt": "x", "two.txt": "ακή", "long.txt": long }
    const bytes = await zipOf(parts)
    for (const [path, text] of Object.entries(parts)) expect(contentOf(bytes, path)).toBe(text)
    expect(bytes.byteLength).toBeLessThan(Buffer.byteLength(long) / 3)
  })

  it.each([0, 1, 2, 3, 50])(
    "writes over no block that is still being packed, of %i at a time",
    async (parallel) => {
      const bytes = await zipOf({ "long.txt": long, "longer.txt": long + long }, { parallel })
      expect(contentOf(bytes, "long.txt") === long).toBe(true)
      expect(contentOf(bytes, "longer.txt") === long + long).toBe(true)
    },
  )

  it("gives the same bytes whenever it is made", async () => {
    const [one, other] = [await zipOf({ "long.txt": long }), await zipOf({ "long.txt": long })]
    expect(one.equals(other)).toBe(true)
  })

  it("uses the larger forms where sizes or places need them", async () => {
    const bytes = await zipOf({ "first.txt": "a".repeat(5_000), "long.txt": long }, { largeFrom: 1_000 })
    const end = bytes.subarray(-22)
    expect(end.readUInt32LE(0)).toBe(0x06054b50)
    expect(end.readUInt32LE(16)).toBe(0xffffffff)
    const locator = bytes.subarray(-42, -22)
    expect(locator.readUInt32LE(0)).toBe(0x07064b50)
    const large = bytes.subarray(Number(locator.readBigUInt64LE(8)))
    expect(large.readUInt32LE(0)).toBe(0x06064b50)
    expect(large.readBigUInt64LE(32)).toBe(2n)
    const directory = bytes.subarray(Number(large.readBigUInt64LE(48)))
    expect(directory.readUInt32LE(0)).toBe(0x02014b50)
    expect(directory.readUInt32LE(24)).toBe(0xffffffff)
    expect(directory.readUInt16LE(46 + "first.txt".length)).toBe(1)
    expect(directory.readBigUInt64LE(46 + "first.txt".length + 4)).toBe(5_000n)
  })

  it("passes the failure of its sink on", async () => {
    const zip = new Zip(() => Promise.reject(new Error("full")), { level: 1, parallel: 1 })
    await expect(zip.part("a")).rejects.toThrow("full")
  })
})
