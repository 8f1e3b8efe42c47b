import { expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { clean, scalar } from "../../src/table/Cell.ts"

it("leaves text, booleans, null and numbers as they are", () => {
  for (const value of ["a", "", true, false, null, 0, -5, 1.5, 9007199254740993n])
    expect(scalar(value)).toBe(value)
})

it("turns objects and arrays into JSON text with every digit", () => {
  expect(scalar({ unit: 9007199254740993n, tags: ["a", null] })).toBe(
    '{"unit":9007199254740993,"tags":["a",null]}',
  )
  expect(scalar([])).toBe("[]")
})

it("turns a number that is none into an empty cell", () => {
  expect([Infinity, -Infinity, NaN].map((value) => scalar(value))).toEqual([null, null, null])
})

it("holds no half of a surrogate pair in JSON, which strict readers refuse", () => {
  let changed = 0
  expect(scalar({ "\ud800": ["\udc00", "fine"] }, () => (changed += 1))).toBe('{"\uFFFD":["\uFFFD","fine"]}')
  expect(changed).toBe(1)
  const text = ["\\ud800", "\\\\ud800", "\u{1F600}"]
  expect(scalar(text, () => (changed += 1))).toBe(JSON.stringify(text))
  expect(changed).toBe(1)
})

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
