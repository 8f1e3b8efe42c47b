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

describe("redaction of answers", () => {
  const ofAnswers = redaction.makeForAnswers(key)

  it.each([
    ["the key", JSON.stringify({ a: key }), { a: "[API key]" }],
    ["the key in a longer text", JSON.stringify([`x${key}${key}y`]), ["x[API key][API key]y"]],
    ["the name of a member", JSON.stringify({ [`of ${key}`]: 1 }), { "of [API key]": 1 }],
    ["JSON in a text", JSON.stringify(JSON.stringify({ a: key })), '{"a":"[API key]"}'],
    ["a text with escapes", JSON.stringify(`"${key}\n\\`), '"[API key]\n\\'],
    ["letters by their numbers", String.raw`["${key.replaceAll("_", String.raw`\u005F`)}"]`, ["[API key]"]],
  ])("takes the whole key out of %s", (_, text, value) => {
    expect(JSON.parse(ofAnswers(text))).toEqual(value)
  })

  it.each([String.raw`dk/live+12==&"x`, "////////", "++++++++", String.raw`\\\\"\\\\"`])(
    "knows every way to write %s",
    (odd) => {
      const of = redaction.makeForAnswers(odd)
      const plain = JSON.stringify(odd)
      const numbered = Array.from(odd, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)
      for (const written of [plain, plain.replaceAll("/", String.raw`\/`), `"${numbered.join("")}"`])
        expect(of(`{"a":${written},"b":1}`)).toBe('{"a":"[API key]","b":1}')
    },
  )

  it("leaves parts of the key, numbers and texts that are not JSON", () => {
    const digits = "1234567890"
    const of = redaction.makeForAnswers(digits)
    expect(of(`{ "a": ${digits}, "b": 1.50, "c": "${digits}" }`)).toBe(
      `{ "a": ${digits}, "b": 1.50, "c": "[API key]" }`,
    )
    for (const text of [
      "",
      '"',
      String.raw`"\"`,
      `<p>${key}</p>`,
      `["${key.slice(1)}", "${key.slice(0, -1)}"]`,
    ])
      expect(ofAnswers(text)).toBe(text)
    expect(redaction.makeForAnswers("2025-06")('"2025-06-29"')).toBe('"2025-06-29"')
  })

  it("leaves the cursor of the envelope, and no other member of that name", () => {
    const text = JSON.stringify({ items: [{ next_before_id: key }], next_before_id: `c${key}`, a: key })
    expect(JSON.parse(ofAnswers(text))).toEqual({
      items: [{ next_before_id: "[API key]" }],
      next_before_id: `c${key}`,
      a: "[API key]",
    })
  })

  it("changes nothing else of any JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("", key), (json, more) => {
        const text = JSON.stringify([more, JSON.parse(json)])
        expect(JSON.parse(ofAnswers(text))).toEqual([more === "" ? "" : "[API key]", JSON.parse(json)])
      }),
    )
  })

  it("takes time that grows with the text alone", () => {
    const from = performance.now()
    ofAnswers(`["${key}","${String.raw`\"`.repeat(8_000_000)}`)
    ofAnswers(`["${key}"${',""'.repeat(2_000_000)}`)
    expect(performance.now() - from).toBeLessThan(5_000)
  })
})
