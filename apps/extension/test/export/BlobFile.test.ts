import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { BlobFile } from "../../src/export/BlobFile.ts"

const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 167 + (at >> 5)) & 0xff)

describe("a file in a Blob", () => {
  it.each([1, 7, 63, 64, 65, 4_096])(
    "has the bytes and the digest of its chunks of %d bytes",
    async (step) => {
      const bytes = bytesOf(100_003)
      const file = new BlobFile()
      const lent = new Uint8Array(step)
      for (let at = 0; at < bytes.length; at += step) {
        const chunk = bytes.subarray(at, at + step)
        lent.set(chunk)
        file.write(lent.subarray(0, chunk.length))
      }
      expect(file.bytes).toBe(bytes.length)
      const { content, sha256 } = file.finish("text/csv")
      expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
      expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true)
      expect(content.type).toBe("text/csv")
    },
  )

  it("is whole beyond the size of a part", async () => {
    const bytes = bytesOf(9_000_001)
    const file = new BlobFile()
    for (let at = 0; at < bytes.length; at += 1_000_000) file.write(bytes.slice(at, at + 1_000_000))
    const { content, sha256 } = file.finish("text/csv")
    expect(content.size).toBe(bytes.length)
    expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
  })

  it("has the digest of nothing when nothing was written", () => {
    expect(new BlobFile().finish("text/csv").sha256).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    )
  })
})
