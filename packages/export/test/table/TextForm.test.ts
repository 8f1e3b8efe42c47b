import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as TextForm from "../../src/table/TextForm.ts"

const decomposed = (text: string): string => text.normalize("NFD")

describe("equality", () => {
  it.each(["Θεσσαλονίκη", "Café", "Ångström", "Việt Nam", "서울", "が"])(
    "does not depend on how accents are encoded: %s",
    (text) => {
      expect(decomposed(text)).not.toBe(text)
      expect(TextForm.equal(decomposed(text))).toBe(TextForm.equal(text))
    },
  )

  it.each([
    ["Athens", "athens"],
    ["Café", "Cafe"],
    ["ΟΔΟΣ", "οδος"],
  ])("keeps apart what people write differently: %s, %s", (left, right) => {
    expect(TextForm.equal(left)).not.toBe(TextForm.equal(right))
  })
})

describe("a search", () => {
  it.each([
    ["ΟΔΟΣ", "ΟΔΟΣΗΜΑΝΣΗ"],
    ["ΘΕΣ", "Θεσσαλονίκη"],
    ["οδος", "ΟΔΟΣ"],
    ["οδοσ", "οδός"],
    ["θεσσαλονικη", decomposed("Θεσσαλονίκη")],
    ["ΘΕΣΣΑΛΟΝΊΚΗ", "Θεσσαλονίκη"],
    ["istanbul", "İstanbul"],
    ["İSTANBUL", "istanbul"],
    ["ISPARTA", "ısparta"],
    ["cafe", "CAFÉ"],
    ["Café", "cafe noir"],
    ["STRASSE", "Straße"],
    ["straße", "STRASSE 5"],
    ["2B", "２Ｂ"],
    ["가", "가나"],
  ])("for %s finds %s", (wanted, text) => {
    expect(TextForm.search(text)).toContain(TextForm.search(wanted))
    expect(TextForm.search(decomposed(text))).toContain(TextForm.search(decomposed(wanted)))
  })

  it.each([
    ["か", "が"],
    ["हद", "हिंदी"],
    ["athens", "Piraeus"],
  ])("for %s does not find %s", (wanted, text) => {
    expect(TextForm.search(text)).not.toContain(TextForm.search(wanted))
  })

  it("finds every text whatever its case and encoding, and its form is final", () =>
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const form = TextForm.search(text)
        expect(TextForm.search(text.normalize("NFD"))).toBe(form)
        expect(TextForm.search(text.normalize("NFC"))).toBe(form)
      }),
    ))
})
