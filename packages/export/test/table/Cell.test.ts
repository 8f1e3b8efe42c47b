import { expect, it } from "@effect/vitest"
import { scalar } from "../../src/table/Cell.ts"

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
