import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isObject, mayHoldLongIntegers, parse, stringify, typeName } from "../src/Json.ts"

const isSafe = (value: bigint): boolean =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)

/** Values as `parse` gives them: whole numbers beyond 2^53 are bigints, and only those. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false),
    fc.string(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((number) => (number === 0 ? 0 : number)),
    fc.bigInt().filter((integer) => !isSafe(integer)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
  ),
})).value

describe("parse", () => {
  it.each([
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["1234567890123456789012345678901234567890", 1234567890123456789012345678901234567890n],
  ])("gives the whole number %s with every digit", (text, value) => {
    expect(parse(text)).toBe(value)
    expect(parse(`{"a":[${text}]}`)).toEqual({ a: [value] })
  })

  it.each(["0.1234567890123456789", "1e300", "1234567890123456.5", "12345678901234567e3"])(
    "reads the decimal %s as every JSON reader does",
    (text) => {
      expect(parse(text)).toBe(Number(text))
    },
  )

  it("leaves digits in texts and in names of members alone", () => {
    const text = '{"90071992547409931234":"90071992547409931234"}'
    expect(parse(text)).toEqual({ "90071992547409931234": "90071992547409931234" })
  })

  it("keeps a member called __proto__ as a member", () => {
    const value = parse('{"__proto__":9007199254740993}')
    expect(Object.entries(value as object)).toEqual([["__proto__", 9007199254740993n]])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it.each(["", "{", "[1,]", "undefined", "NaN", "{'a':1}"])("throws SyntaxError for %j", (text) => {
    expect(() => parse(text)).toThrow(SyntaxError)
  })

  it("agrees with JSON.parse on every text without long integers", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!mayHoldLongIntegers(text))
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it("gives any whole number back as it was written", () => {
    fc.assert(
      fc.property(fc.bigInt(), (integer) => {
        const value = parse(String(integer))
        expect(stringify(value)).toBe(String(integer))
        expect(typeof value).toBe(isSafe(integer) ? "number" : "bigint")
      }),
    )
  })
})

describe("stringify", () => {
  it("writes a bigint as its digits, without quotes", () => {
    expect(stringify({ cursor: 9007199254740993n })).toBe('{"cursor":9007199254740993}')
  })

  it("indents by the spaces asked for", () => {
    expect(stringify({ a: 1n }, 2)).toBe('{\n  "a": 1\n}')
  })

  it("is undone by parse, whatever the value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parse(stringify(value))).toEqual(value)
      }),
    )
  })
})

describe("typeName", () => {
  it.each([
    [null, "null"],
    [undefined, "nothing"],
    [[], "array"],
    [{}, "object"],
    [1n, "integer"],
    [1, "number"],
    ["text", "string"],
    [true, "boolean"],
  ])("calls %o %s", (value, name) => {
    expect(typeName(value)).toBe(name)
  })
})

describe("isObject", () => {
  it("is true for objects alone", () => {
    expect([{}, [], null, "text", 1, undefined].map(isObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
