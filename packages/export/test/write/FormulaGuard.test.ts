import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { evaluates, guard, unguard } from "../../src/write/FormulaGuard.ts"

const triggers = [
  "=",
  "+",
  "-",
  "@",
  "\t",
  "\r",
  "\n",
  "\0",
  "\uFF1D",
  "\uFF0B",
  "\uFF0D",
  "\uFF20",
  "\uFE66",
  "\uFE62",
  "\uFE63",
  "\uFE6B",
]
const hidden = [
  " ", "\u00A0", "\u1680", "\u2003", "\u202F", "\u205F", "\u3000", // spaces
  "\uFEFF", "\u200B", "\u200C", "\u200D", "\u2060", "\u00AD", "\u034F", "\u180E", // zero width
  "\u061C", "\u200E", "\u202E", "\u2066", "\u2069", // direction
  "\u0001", "\u0008", "\u000B", "\u000C", "\u001B", "\u007F", "\u0085", "\u2028", "\u2029", // controls
  "\u115F", "\u3164", "\uFFA0", "\uFE0F", "\u{E0020}", // fillers, selectors, tags
] // prettier-ignore

describe("a text that a spreadsheet might evaluate", () => {
  it.each(triggers.map((trigger) => [JSON.stringify(trigger), trigger]))(
    "begins with %s",
    (_name, trigger) => {
      expect(guard(`${trigger}1+1`)).toBe(`'${trigger}1+1`)
      expect(guard(trigger)).toBe(`'${trigger}`)
    },
  )

  it.each(hidden.map((character) => [character.codePointAt(0)!.toString(16), character]))(
    "may hide behind U+%s",
    (_name, character) => {
      expect(evaluates(`${character}=1`)).toBe(true)
      expect(evaluates(`${character}a=1`)).toBe(false)
    },
  )

  it("is guarded behind any run of hidden characters, whatever follows, line breaks included", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...hidden)),
        fc.constantFrom(...triggers),
        fc.string({ unit: "binary" }),
        (before, trigger, rest) => {
          const text = `${before.join("")}${trigger}${rest}\nnote`
          expect(guard(text)).toBe(`'${text}`)
        },
      ),
    )
  })
})

describe("a guarded text", () => {
  it.each(["'=1+1", "''=1", "'\u200B=1", "'-"])("is told from %j, which came like that", (text) => {
    expect(evaluates(text)).toBe(false)
    expect(guard(text)).toBe(`'${text}`)
    expect(unguard(`'${text}`)).toBe(text)
  })

  it("gives back the text that was guarded, and no two texts are guarded alike", () => {
    const piece = fc.constantFrom("'", "=", "-", "\u200B", " ", "a", "1")
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: piece })), (text) => {
        expect(unguard(guard(text))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })
})

describe("a text that no spreadsheet evaluates", () => {
  it.each([
    "",
    "Harbour loft",
    "2A",
    "a=1",
    "1-2",
    "Χανιά",
    "القاهرة",
    "東京",
    "한국",
    "'a=1",
    "🏠 =",
    "_",
    "(1)",
    "½",
    "é",
  ])("%j stays as it is", (text) => {
    expect(guard(text)).toBe(text)
  })

  it("begins with a visible character that no formula begins with", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        const visible = Array.from(text).find((character) => !/[\p{Z}\p{Cc}\p{Cf}\p{DI}]/u.test(character))
        fc.pre(!/[\t\r\n\0]/.test(text))
        expect(evaluates(text)).toBe(visible !== undefined && triggers.includes(visible))
      }),
      { numRuns: 2000 },
    )
  })

  it("includes every text that begins with a letter or digit of a common script", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xd7ff }), (code) => {
        const character = String.fromCharCode(code)
        fc.pre(/[\p{L}\p{N}]/u.test(character) && !/\p{DI}/u.test(character))
        expect(evaluates(`${character}=1`)).toBe(false)
      }),
      { numRuns: 5000 },
    )
  })
})
