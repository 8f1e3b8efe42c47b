import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { Sha256 } from "../../src/export/Sha256.ts"

const ofNode = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * 167 + (at >> 5)) & 0xff)

describe("Sha256", () => {
  it("gives the digest that another implementation gives, for every length around the ends of blocks", () => {
    for (let length = 0; length < 200; length++) {
      const hash = new Sha256()
      hash.update(bytesOf(length))
      expect(hash.hex()).toBe(ofNode(bytesOf(length)))
    }
  })

  it("does not care how the bytes are cut", () => {
    const bytes = bytesOf(100_003)
    for (const step of [1, 7, 63, 64, 65, 4_096]) {
      const hash = new Sha256()
      for (let at = 0; at < bytes.length; at += step) hash.update(bytes.subarray(at, at + step))
      expect(hash.hex()).toBe(ofNode(bytes))
    }
  })

  it("knows the digests of the standard's own examples", () => {
    const digest = (text: string): string => {
      const hash = new Sha256()
      hash.update(new TextEncoder().encode(text))
      return hash.hex()
    }
    expect(digest("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    expect(digest("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  })
})
