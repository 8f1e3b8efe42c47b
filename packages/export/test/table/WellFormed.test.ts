import { Json } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import { of, stringify } from "../../src/table/WellFormed.ts"

describe("a JSON value without half pairs", () => {
  it("is the same where there is none", () => {
    const value = Json.parse(
      '{"a":[1,{"b":"\u{1F3E0} \\\\ud800"}],"n":9007199254740993,"__proto__":{"own":1}}',
    )
    const { texts, value: whole } = of(value)
    expect([texts, whole]).toEqual([0, value])
    expect(stringify(value)).toEqual({ json: Json.stringify(value), texts: 0 })
  })

  it("has U+FFFD for each, in texts and names at any depth, and counts the texts", () => {
    const value = { "a\uD800": ["\uDC00\uD800 and", { b: "x\uDBFF" }], c: "\u{1F3E0}" }
    expect(of(value)).toEqual({
      texts: 3,
      value: { "a\uFFFD": ["\uFFFD\uFFFD and", { b: "x\uFFFD" }], c: "\u{1F3E0}" },
    })
  })

  it("keeps every member, in its order, where two names would become the same", () => {
    const value = { "x\uD800": 1, "x\uD801": 2, "x\uFFFD": 3, y: 4, "x\uD802": 5 }
    const { value: whole } = of(value)
    expect(Object.values(whole as object)).toEqual([1, 2, 3, 4, 5])
    expect(Object.keys(whole as object).every((name) => name.isWellFormed())).toBe(true)
    expect((whole as Record<string, number>)["x\uFFFD"]).toBe(3)
  })

  it("keeps members that an object has of its own kind", () => {
    const value = Json.parse('{"__proto__":"\\ud800","constructor":1,"toString":"\\udc00"}')
    expect(stringify(value).json).toBe('{"__proto__":"\uFFFD","constructor":1,"toString":"\uFFFD"}')
  })

  it("is found however deeply it is nested", () => {
    const depth = 20_000
    const value = Json.parse(`${'[{"\\ud800":'.repeat(depth)}"\\udc00"${"}]".repeat(depth)}`)
    const { json, texts } = stringify(value)
    expect(texts).toBe(depth + 1)
    expect(json).not.toMatch(/\\ud[89a-f]/i)
  })
})
