import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as redaction from "../../src/internal/redaction.ts"

const key = "sk_live_Zq9XvT4mB7nLpR2wYc8D"
const redact = redaction.make(key)

describe("redaction", () => {
  it.each([
    [`The key ${key} is wrong.`, "The key [API key] is wrong."],
    [`Incorrect API key provided: ${key.slice(0, 16)}****`, "Incorrect API key provided: [API key]****"],
    [`...${key.slice(-12)}`, "...[API key]"],
    [`x${key.slice(5, 13)}y`, "x[API key]y"],
    [`${key.slice(0, 10)} and ${key.slice(10, 20)}`, "[API key] and [API key]"],
    [`${key}${key}`, "[API key][API key]"],
    [`${key.slice(0, 9)}${key.slice(0, 9)}`, "[API key][API key]"],
  ])("takes the key and its parts out of %j", (text, clean) => {
    expect(redact(text)).toBe(clean)
  })

  it("leaves a part of 7 characters, and every text without a part, as they are", () => {
    for (const text of [
      "",
      key.slice(0, 7),
      "sk_live",
      `${key.slice(0, 7)}-${key.slice(7, 14)}`,
      "naïve 東京 🏠",
    ]) {
      expect(redact(text)).toBe(text)
    }
  })

  it("leaves no run of 8 characters of the key, wherever its pieces stand", () => {
    const piece = fc.tuple(fc.nat(key.length), fc.nat(key.length)).map(([from, to]) => key.slice(from, to))
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 }))).map((pieces) => pieces.join(""))
    fc.assert(
      fc.property(text, (it) => {
        const clean = redact(it).split("[API key]")
        for (let at = 0; at + 8 <= key.length; at++) {
          expect(clean.some((rest) => rest.includes(key.slice(at, at + 8)))).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })

  it("knows parts as URLs and JSON write them", () => {
    const odd = String.raw`a+b/c==d"e\f^g{h}0123`
    const of = redaction.make(odd)
    expect(of(`?key=${encodeURIComponent(odd).slice(0, 20)}&x`)).toMatch(/^\?key=\[API key\]&x$/)
    expect(of(`"${JSON.stringify(odd).slice(1, 14)}…`)).toBe('"[API key]…')
    expect(of(odd.slice(2, 12))).toBe("[API key]")
  })

  it("takes a key of less than 8 characters out whole only", () => {
    const of = redaction.make("a+b/c")
    expect(of("a+b/c, a%2Bb%2Fc, a+b/, %2Bb%2Fc")).toBe("[API key], [API key], a+b/, %2Bb%2Fc")
  })

  it("takes time that grows with the text alone, also for a text made of parts that nearly fit", () => {
    const part = `${key.slice(0, 7)}${key.slice(3, 10)}`
    const text = part.repeat(200_000)
    const from = performance.now()
    expect(redact(text)).toBe(text)
    expect(performance.now() - from).toBeLessThan(5_000)
  })
})
