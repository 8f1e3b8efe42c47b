import { describe, expect, it } from "vitest"
import * as Name from "../../src/plan/Name.ts"
import { Refused } from "../../src/plan/Refused.ts"

describe("a name", () => {
  it.each([
    ["tenants", "tenants", "Tenants", "tenants", "tenants"],
    ["rent-index", "rentIndex", "RentIndex", "rent_index", "rent index"],
    ["iso-8601-dates", "iso8601Dates", "Iso8601Dates", "iso_8601_dates", "iso 8601 dates"],
  ])("%s is spelled for every place", (kebab, camel, pascal, snake, words) => {
    expect(Name.read(kebab)).toEqual({ kebab, camel, pascal, snake, words })
  })

  it("has at most 40 characters", () => {
    expect(Name.read("a".repeat(40)).camel).toHaveLength(40)
    expect(() => Name.read("a".repeat(41))).toThrow(Refused)
    expect(() => Name.read("a".repeat(100_000))).toThrow(/^"a{40}\.\.\." is too long\./)
  })

  it.each([
    "",
    " ",
    "-",
    "a-",
    "-a",
    "a--b",
    "1a",
    "a.b",
    "a/b",
    "../x",
    "/etc/x",
    "C:x",
    "a\\b",
    "a\0",
    "a\n",
  ])("is not %j", (text) => {
    expect(() => Name.read(text)).toThrow(Refused)
  })

  it.each(["größe", "ﬁle", "аdmin", "🏠", "a\u0301", "a\u200B", "ａ", "`x`", "${x}", "a;b", "<a>"])(
    "is written in ASCII: %j",
    (text) => {
      expect(() => Name.read(text)).toThrow(
        /^".*" is not a valid name\. Begin with a letter, .* such as rent-index\.$/,
      )
    },
  )

  it.each([
    ["RateLimit", "rate-limit"],
    ["rate_limit", "rate-limit"],
    ["Rate Limit", "rate-limit"],
    ["CSV", "csv"],
    ["-2nd-try-", "nd-try"],
    ["42", "rent-index"],
  ])("that is spelled %j is suggested as %s", (text, suggestion) => {
    expect(() => Name.read(text)).toThrow(`such as ${suggestion}.`)
  })

  it.each(["con", "prn", "aux", "nul", "com1", "lpt9"])("is no device of Windows: %s", (text) => {
    expect(() => Name.read(text)).toThrow("Windows")
  })

  it.each([
    "class",
    "new",
    "default",
    "await",
    "yield",
    "let",
    "static",
    "eval",
    "arguments",
    "null",
    "true",
  ])("is no word of the language: %s", (text) => {
    expect(() => Name.read(text)).toThrow("cannot be an identifier")
  })

  it.each(["then", "constructor", "to-string", "has-own-property", "undefined", "fetch", "global-this"])(
    "means nothing else in every module: %s",
    (text) => {
      expect(() => Name.read(text)).toThrow("cannot be an identifier")
    },
  )
})

describe("isSame", () => {
  it.each([
    ["rate-limit", "rateLimit", true],
    ["ratelimit", "rate-limit", true],
    ["api-keys", '"api-keys"', true],
    ["rate-limit", "rate-limits", false],
  ])("of %s and %s is %s", (one, other, same) => {
    expect(Name.isSame(one, other)).toBe(same)
  })
})
