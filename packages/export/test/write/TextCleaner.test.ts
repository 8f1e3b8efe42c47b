import { expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { clean } from "../../src/write/TextCleaner.ts"

it("replaces half of a surrogate pair and keeps whole pairs", () => {
  expect(clean("a\uD83Cb")).toBe("a\uFFFDb")
  expect(clean("🏠")).toBe("🏠")
})

it("leaves NUL out", () => {
  expect(clean("\0=1\0")).toBe("=1")
})

it("returns a string that UTF-8 can hold and bring back", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
      (text) => {
        const cleaned = clean(text)
        expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(cleaned))).toBe(
          cleaned,
        )
        expect(clean(cleaned)).toBe(cleaned)
      },
    ),
  )
})
