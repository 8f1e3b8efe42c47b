import { describe, expect, it } from "vitest"
import { hash } from "../../../src/pagination/proof/hash.ts"

describe("hash", () => {
  // The published test vectors of FNV-1a, as signed integers.
  it.each([
    ["", 0x811c9dc5],
    ["a", 0xe40c292c],
    ["foobar", 0xbf9cf968],
  ])("is FNV-1a of %j", (text, expected) => {
    expect(hash(text)).toBe(expected | 0)
  })
})
