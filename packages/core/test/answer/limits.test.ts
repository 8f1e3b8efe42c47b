import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as answer from "../../src/internal/answer.ts"
import * as redaction from "../../src/internal/redaction.ts"
import { contracts, list } from "../../src/internal/serviceRequest.ts"

/** Longer than what is parsed without being looked at. */
const long = " ".repeat(300_000)
const listOf = (items: string): string => `{"ok":true,"items":[${items}],"next_before_id":null}${long}`
const times = (count: number, item: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(",")

const tooMuch: { readonly [what: string]: string } = {
  "arrays that are never closed": "[".repeat(1_000_000),
  "arrays in arrays": "[".repeat(600) + "]".repeat(600),
  "objects in objects": '{"a":'.repeat(600) + "1" + "}".repeat(600),
  "a number of digits": "9".repeat(5_000),
  "a negative number of digits": `-${"9".repeat(5_000)}`,
  "an object of members": `{${times(10_001, (at) => `"${at}":1`)}}`,
  numbers: times(260_000, () => "1"),
  "empty objects": times(260_000, () => "{}"),
  "objects with members of their own": `"${"z".repeat(3_000_000)}",${times(100_000, (at) => `{"k${at}":1}`)}`,
  "short texts": times(260_000, () => '""'),
  "texts beside a long integer": `${"9".repeat(16)},${times(610_000, () => '"0123456789"')}`,
  "a text of quotes": `"${String.raw`\"`.repeat(260_000)}"`,
  "texts of line breaks": times(10, () => `"${String.raw`\n`.repeat(26_000)}"`),
}

const fine: { readonly [what: string]: string } = {
  "arrays in arrays": "[".repeat(500) + "]".repeat(500),
  "many arrays, one after the other": times(1_000, () => "[".repeat(100) + "]".repeat(100)),
  "a number of digits": "9".repeat(4_000),
  "an object of members": `{${times(10_000, (at) => `"${at}":1`)}}`,
  "many objects of members": times(20, () => `{${times(9_000, (at) => `"${at}":1`)}}`),
  "as many texts without one": times(610_000, () => '"0123456789"'),
  "as many texts beside a long fraction": `0.${"9".repeat(16)},${times(610_000, () => '"0123456789"')}`,
  "brackets and digits in a text": `"${"[{9".repeat(1_000_000)}"`,
  "brackets behind an escaped quote": `"${String.raw`\"`}${"[".repeat(1_000_000)}"`,
  "letters that are escaped": `"${String.raw`\u03b1`.repeat(300_000)}"`,
  "digits before and behind the point": `${"9".repeat(4_000)}.${"9".repeat(4_000)}`,
  "pages of 500 records with payloads of 400 values": times(500, () => `[${times(400, () => "1")}]`),
}

describe("a body that could fill the memory", () => {
  it.each(Object.entries(tooMuch))("is refused before it is parsed: %s", (_, item) => {
    const text = listOf(item)
    const response = { status: 200, text, header: () => "application/json" }
    expect(
      answer.read(response, list(contracts, {}), "https://api.example.test", redaction.make("dk_1234567890")),
    ).toEqual({
      _tag: "Failed",
      reason: { _tag: "BodyInvalid", status: 200, problem: "limits", bodyCharacters: text.length },
    })
  })

  it.each(Object.entries(fine))("is not one of %s", (_, item) => {
    expect(JSON.parse(listOf(item))).toMatchObject({ ok: true })
    expect(answer.isWithinLimits(listOf(item))).toBe(true)
  })

  it("is none that is short, or that is no JSON", () => {
    expect(answer.isWithinLimits("[".repeat(100_000))).toBe(true)
    expect(answer.isWithinLimits(`<script>${"[{".repeat(1_000_000)}</script>`)).toBe(true)
  })

  it("is no JSON of ordinary values, whatever they are", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
        expect(answer.isWithinLimits(JSON.stringify([value]) + long)).toBe(true)
      }),
    )
  })
})
