// @vitest-environment happy-dom
import { describe, expect, it } from "vitest"
import { shown } from "../../../src/page/Host.ts"

describe("a value that is shown", () => {
  it.each([
    ["plain", "plain"],
    ["two\nlines\tand\u0000more", "two lines and more"],
    ["\u202Egnirts", "gnirts"],
    ["a\u2066b\u2069c", "a b c"],
    ["می\u200Cخواهم", "می\u200Cخواهم"],
    ["lone \uD800 high", "lone high"],
    ["line\u2028separator", "line separator"],
    ["👩‍👧 flat", "👩‍👧 flat"],
    ["   ", ""],
  ])("%j becomes %j", (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it("is cut to 60 characters, between characters", () => {
    expect(shown("x".repeat(60))).toHaveLength(60)
    expect(shown("x".repeat(10_000))).toBe(`${"x".repeat(59)}…`)
    expect(shown(`${"x".repeat(58)}🏡🏡🏡`)).toBe(`${"x".repeat(58)}…`)
  })
})
