import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { evaluates } from "../../src/write/FormulaGuard.ts"
import { kindsOf, TextBytes } from "../../src/write/TextBytes.ts"

const kinds = kindsOf('",\n', " ")

const textOf = (bytes: TextBytes): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.take())

/** What `plain` made of a text; null where it refused. */
const plain = (text: string, table = kinds): string | null => {
  const bytes = new TextBytes()
  bytes.writeText("before ")
  const isWritten = bytes.writePlain(text, table)
  const after = textOf(bytes).slice("before ".length)
  if (!isWritten) expect(after).toBe("")
  return isWritten ? after : null
}

describe("a text that needs no care", () => {
  it.each(["Harbour loft", "a", "Αθήνα", "東京 1", "Garden flat 🌿", "🌿".padStart(40_000, "ab"), "서울"])(
    "is written as it is: %.20s",
    (text) => {
      expect(plain(text)).toBe(text)
    },
  )

  it.each([
    "",
    "=1",
    "'a",
    " a",
    "a ",
    "🌿",
    'a"',
    "a,b",
    "a\nb",
    "a\uD800",
    "a\uDC00b",
    "a\uD800b",
    "a\uD800\uD800\uDC00",
    `${"a".repeat(70_000)},`,
  ])("is not %j, of which nothing is written", (text) => {
    expect(plain(text)).toBeNull()
  })

  it("is UTF-8 to the last byte, and nothing that a spreadsheet would evaluate, whatever the text", () => {
    const all = kindsOf("", "")
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 8 }), fc.boolean(), (text, isCut) => {
        const given = isCut ? text.slice(1) : text
        const found = plain(given, all)
        if (found === null) return
        expect(found).toBe(given)
        expect(evaluates(given)).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })

  it("is every character that may stand, with the bytes that it has in UTF-8", () => {
    const all = kindsOf("", "")
    const bytes = new TextBytes()
    let expected = ""
    const refused: Array<number> = []
    for (let point = 0; point <= 0x10ffff; point++) {
      const text = `a${String.fromCodePoint(point)}`
      if (bytes.writePlain(text, all)) expected += text
      else refused.push(point)
    }
    expect(textOf(bytes) === expected).toBe(true)
    expect([refused.length, refused[0], refused.at(-1)]).toEqual([2_048, 0xd800, 0xdfff])
  })
})

describe("the bytes", () => {
  it("hold texts, pieces and numbers in their order, and begin anew when they were taken", () => {
    const bytes = new TextBytes()
    bytes.writeText("\uFEFFid ")
    bytes.writePiece(new TextEncoder().encode("№ "))
    bytes.writeInteger(12)
    bytes.writeText("")
    expect(bytes.length).toBe(12)
    expect(textOf(bytes)).toBe("\uFEFFid № 12")
    expect(bytes.length).toBe(0)
    bytes.writeText("half \uD800")
    expect(textOf(bytes)).toBe("half \uFFFD")
  })

  it("are cut back to where a cell began", () => {
    const bytes = new TextBytes()
    bytes.writeText("kept")
    const { length } = bytes
    bytes.writeText(", and not kept")
    bytes.cut(length)
    expect(textOf(bytes)).toBe("kept")
  })

  it("grow with what is written, and lose nothing of it", () => {
    const bytes = new TextBytes()
    for (let at = 0; at < 40_000; at++) {
      bytes.writeInteger(at)
      bytes.writePlain("ä", kinds)
      bytes.writePiece(Uint8Array.of(44))
      if (at % 1_000 === 0) bytes.writeText("🌿")
    }
    const expected = Array.from({ length: 40_000 }, (_, at) => `${at}ä,${at % 1_000 === 0 ? "🌿" : ""}`)
    expect(textOf(bytes)).toBe(expected.join(""))
  })

  it("hold every whole number as JavaScript writes it", () => {
    const integers = fc.oneof(
      fc.integer(),
      fc.maxSafeInteger(),
      fc.constantFrom(0, -0, 9, 10, 999_999_999, 1_000_000_000, 4_294_967_296, 1e21, -1),
    )
    fc.assert(
      fc.property(integers, (value) => {
        const bytes = new TextBytes()
        bytes.writeInteger(value)
        expect(textOf(bytes)).toBe(String(value))
      }),
      { numRuns: 2_000 },
    )
  })
})
