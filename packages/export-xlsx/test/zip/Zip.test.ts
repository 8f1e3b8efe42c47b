import { describe, expect, it } from "vitest"
import { randomBytes } from "node:crypto"
import * as XLSX from "xlsx"
import * as Zip from "../../src/zip/Zip.ts"

const zipOf = async (
  parts: { readonly [path: string]: string },
  options: Partial<Zip.ZipOptions> = {},
): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  const zip = Zip.open(async (bytes) => void chunks.push(bytes), {
    level: 6,
    parallel: 2,
    mostBytes: 0xffff_ffff,
    ...options,
  })
  for (const [path, text] of Object.entries(parts)) {
    const part = zip.part(path)
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

  it("holds no part, and is no file, that is larger than the format can hold", async () => {
    const parts = { "one.txt": "x".repeat(5_000), "two.txt": "y".repeat(5_000) }
    await expect(zipOf(parts, { mostBytes: 4_999 })).rejects.toThrow(Zip.TooLarge)
    expect((await zipOf(parts, { mostBytes: 5_000 })).byteLength).toBeLessThan(1_000)
    const noise = { ...parts, "noise.txt": randomBytes(3_000).toString("base64url") }
    const { byteLength } = await zipOf(noise, { mostBytes: 5_000 })
    expect(byteLength).toBeGreaterThan(3_000)
    await expect(
      zipOf({ ...noise, "more.txt": randomBytes(3_000).toString("base64url") }, { mostBytes: 5_000 }),
    ).rejects.toThrow(Zip.TooLarge)
  })

  it("passes the failure of its sink on", async () => {
    const zip = Zip.open(() => Promise.reject(new Error("full")), { level: 1, parallel: 1, mostBytes: 999 })
    await expect(zip.part("a").end()).rejects.toThrow("full")
  })
})
