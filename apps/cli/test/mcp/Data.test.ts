import type { Json } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import { deepest, longestText, plain, plainText } from "../../src/mcp/Data.ts"

describe("data for an assistant", () => {
  it("is the same JSON, with exact digits as text and without numbers that are none", () => {
    const value = { a: [1, 1.5, null, true, "x"], b: 9007199254740993n, c: Infinity, d: { e: [] } }
    expect(plain(value, (text) => text)).toEqual({
      a: [1, 1.5, null, true, "x"],
      b: "9007199254740993",
      c: null,
      d: { e: [] },
    })
  })

  it.each([
    ["line\nbreak\tand tab", "line\nbreak\tand tab"],
    ["\u001B[31mred\r", "\uFFFD[31mred\uFFFD"],
    ["a\u202Eb\u2066c\u061C", "a\uFFFDb\uFFFDc\uFFFD"],
    ["tag\u{E0041}\u{E007F}", "tag\uFFFD\uFFFD"],
    ["lone\uD800", "lone\uFFFD"],
    ["a\u200Bb\u2060c\uFEFFd\u00ADe\u3164f", "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf"],
    ["a\u{E0100}\u{E01EF}", "a\uFFFD\uFFFD"],
    ["a\uFE0F\uFE0E\uFE00\u200D\u200D", "a\uFE0F\uFFFD\uFFFD\uFFFD\uFFFD"],
    ["👩‍❤️‍👨 ❤️", "👩‍❤️‍👨 ❤️"],
    ["Κουκάκι 東京 👩‍👧 می‌خواهم", "Κουκάκι 東京 👩‍👧 می‌خواهم"],
  ])("hides nothing: %j", (text, shown) => {
    expect(plainText(text)).toBe(shown)
  })

  it("leaves out what nobody could read, and says so", () => {
    const nest = (levels: number): Json.Json => {
      let value: Json.Json = "core"
      for (let level = 0; level < levels; level++) value = [value]
      return value
    }
    const same = (text: string): string => text
    expect(JSON.stringify(plain(nest(deepest), same))).toContain('"core"')
    expect(JSON.stringify(plain(nest(50_000), same))).toContain(
      `["(omitted: nested deeper than ${deepest} levels)"]`,
    )
  })

  it("changes every text before it is cut, names of members too", () => {
    const change = (text: string): string => text.replaceAll("secret", "*")
    expect(plain({ "a secret": ["secret", `${"x".repeat(longestText - 3)}secret`] }, change)).toEqual({
      "a *": ["*", `${"x".repeat(longestText - 3)}*`],
    })
  })

  it("ends somewhere, and says how much more there was", () => {
    expect(plainText("x".repeat(longestText))).toHaveLength(longestText)
    expect(plainText("x".repeat(longestText + 7))).toBe(`${"x".repeat(longestText)}... (7 more characters)`)
    expect(plainText("x".repeat(longestText - 1) + "👧x")).toContain("\uFFFD... (2 more characters)")
  })

  it("cleans the names of members too, and takes no name for more than a name", () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"a\\u202eb":1}') as never
    expect(Object.keys(plain(value, (text) => text) as object)).toEqual(["__proto__", "a\uFFFDb"])
    expect("polluted" in {}).toBe(false)
  })
})
