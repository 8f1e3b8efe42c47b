import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isObject, mapTexts, mayHoldLongIntegers, parse, stringify, typeName } from "../../src/Json.ts"
import type { Json } from "../../src/Json.ts"

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

  it.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
    ["objects whose members are called toJSON", '{"toJSON":', "}"],
    ["both", '{"a":1,"b":[true,', "]}"],
  ])("writes %s nested 100,000 levels deep as they came, with and without indentation", (_, open, close) => {
    const text = `{"ok":true,"data":${open.repeat(100_000)}"\\"é"${close.repeat(100_000)},"after":[]}`
    const value = JSON.parse(text)
    expect(stringify(value) === text).toBe(true)
    expect(stringify(value, 2) === text).toBe(true)
  })

  it("writes what is deep as it writes what is not: whole numbers exact, dates as texts, what JSON does not have left out", () => {
    const leaf = {
      big: 9007199254740993n,
      date: new Date(0),
      none: undefined,
      list: [undefined, Number.NaN, () => 1],
      '"': "\u2028\ud800",
    }
    let deep: unknown = leaf
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const [brackets] = stringify(deep).split("{")
    expect(brackets).toHaveLength(100_000)
    expect(stringify(deep).replaceAll(/^\[+|\]+$/g, "")).toBe(stringify(leaf))
  })

  it("refuses a value that contains itself at any depth", () => {
    const end: Array<unknown> = []
    let value: unknown = end
    for (let level = 0; level < 100_000; level++) value = { value }
    end.push(value)
    expect(() => stringify(value)).toThrow(TypeError)
  })

  it("is undone by parse, whatever the value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parse(stringify(value))).toEqual(value)
      }),
    )
  })
})

describe("JSON.stringify", () => {
  const text = '{"id":9007199254740993,"list":[1,-9007199254740995,{"deep":[12345678901234567890]}],"a":"b"}'

  it("writes what parse gives, with every digit, and with the indentation asked for", () => {
    expect(JSON.stringify(parse(text))).toBe(text)
    expect(JSON.stringify(parse(text), null, 1)).toBe(stringify(parse(text), 1))
    expect(JSON.stringify(parse(text), null, 1)).toContain('\n   "deep": [\n    12345678901234567890\n')
  })

  it("writes any value of parse as stringify does", () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = stringify({ value })
        expect(JSON.stringify(parse(text))).toBe(text)
      }),
    )
  })

  it("leaves values without long integers as JSON.parse makes them", () => {
    const value = parse('{"a":[1],"text":"9007199254740993"}') as { readonly a: object }
    expect(Reflect.ownKeys(value)).toEqual(["a", "text"])
    expect(Reflect.ownKeys(value.a)).toEqual(["0", "length"])
  })

  it("needs nothing that loops, copies and message ports would see", () => {
    const value = parse(text) as { readonly list: ReadonlyArray<unknown> }
    const names: Array<string> = []
    for (const name in value) names.push(name)
    expect(names).toEqual(["id", "list", "a"])
    expect(Object.keys(value.list)).toEqual(["0", "1", "2"])
    const copy = structuredClone(value)
    expect(copy).toEqual(value)
    expect(Reflect.ownKeys(copy)).toEqual(["id", "list", "a"])
    expect(stringify(copy)).toBe(text)
    expect(stringify({ ...value })).toBe(text)
  })

  it("works where a member is called toJSON: the digits are a string then", () => {
    const odd = parse('{"id":9007199254740993,"toJSON":1}')
    expect(odd).toEqual({ id: "9007199254740993", toJSON: 1 })
    expect(JSON.stringify(odd)).toBe('{"id":"9007199254740993","toJSON":1}')
    const inner = '{"id":9007199254740993,"inner":{"toJSON":"x"}}'
    expect(JSON.stringify(parse(inner))).toBe(inner)
    const long = parse('{"toJSON":9007199254740993}')
    expect(JSON.stringify(long)).toBe('{"toJSON":"9007199254740993"}')
  })

  it("works for a member called __proto__", () => {
    const odd = '{"__proto__":9007199254740993}'
    expect(JSON.stringify(parse(odd))).toBe(odd)
  })

  it("is not needed where values are nested 100,000 levels deep: stringify writes them", () => {
    let deep: unknown = parse(text)
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(stringify(deep).replaceAll(/^\[+|\]+$/g, "")).toBe(text)
  })
})

describe("mapTexts", () => {
  it("changes texts and names of members, and nothing else", () => {
    const value = parse('{"a":["a",1,null,true,9007199254740993,{}],"b":{"a":"a"},"__proto__":"a"}')
    expect(stringify(mapTexts(value, (text) => text.replace("a", "*")))).toBe(
      '{"*":["*",1,null,true,9007199254740993,{}],"b":{"*":"*"},"__proto__":"*"}',
    )
  })

  it("leaves the value alone, and gives an equal one where nothing is changed", () => {
    fc.assert(
      fc.property(json as fc.Arbitrary<Json>, (value) => {
        const before = stringify(value)
        expect(stringify(mapTexts(value, (text) => text))).toBe(before)
        mapTexts(value, () => "other")
        expect(stringify(value)).toBe(before)
      }),
    )
  })

  it("goes 100,000 levels deep", () => {
    const text = `${'{"a":['.repeat(50_000)}"key"${"]}".repeat(50_000)}`
    const mapped = stringify(mapTexts(JSON.parse(text), (it) => it.replace("key", "-")))
    expect(mapped === text.replace("key", "-")).toBe(true)
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
