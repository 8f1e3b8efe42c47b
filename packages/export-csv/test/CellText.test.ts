import { Cell, FormulaGuard, TextBytes } from "@deedkit/export"
import { expect, it, vi } from "@effect/vitest"
import * as fc from "fast-check"
import Papa from "papaparse"
import { cellText, kindsOf } from "../src/CsvWriter.ts"
import type { CellTextOptions } from "../src/CsvWriter.ts"
import { nastyText } from "./nasty.ts"

const make = (options: Partial<CellTextOptions> = {}) =>
  cellText({
    delimiter: ",",
    decimalMark: ".",
    formulaGuard: true,
    onChanged: () => {},
    ...options,
  })

it.each([
  ["Harbour loft", "Harbour loft"],
  ["", ""],
  ["2A, back", '"2A, back"'],
  ["2A; back", "2A; back"],
  ['the "old" port', '"the ""old"" port"'],
  [" Chania", '" Chania"'],
  ["Chania ", '"Chania "'],
  ["a\nb", '"a\nb"'],
  ["Χανιά 🏠", "Χανιά 🏠"],
  ["=1+1", "'=1+1"],
  ["=1+1\nnote", `"'=1+1\nnote"`],
  ["+30 28210 00000", "'+30 28210 00000"],
  ["-5", "'-5"],
  ["\uFF1D1", "'\uFF1D1"],
  ["\0=1", "'=1"],
  ["a\uD800", "a\uFFFD"],
  [-5, "-5"],
  [0.1, "0.1"],
  [1e21, "1e+21"],
  [-9007199254740993n, "-9007199254740993"],
  [Infinity, ""],
  [null, ""],
  [true, "true"],
  [false, "false"],
  [{ unit: 9007199254740993n }, '"{""unit"":9007199254740993}"'],
  [[], "[]"],
])("writes %o as %j", (value, text) => {
  expect(make()(value)).toBe(text)
})

it.each([
  [1.234, "1,234"],
  [0.333, "0,333"],
  [-12.5, "-12,5"],
  [1.5e-7, "1,5e-7"],
  [1.25e21, "1,25e+21"],
  [1e21, "1e+21"],
  [1250, "1250"],
  [9007199254740993n, "9007199254740993"],
  ["1.234", "1.234"],
  [{ rent: 1.5 }, '"{""rent"":1.5}"'],
  [NaN, ""],
])("where the comma is the decimal mark, writes %o as %j", (value, text) => {
  expect(make({ delimiter: ";", decimalMark: "," })(value)).toBe(text)
})

it("leaves formulas alone when programs are to read them", () => {
  expect(["=1", "-5", "@a", "\t"].map(make({ formulaGuard: false }))).toEqual(["=1", "-5", "@a", "\t"])
})

it("says once for each text that it had to be changed, and not for a guarded one", () => {
  const onChanged = vi.fn<() => void>()
  ;["a\uD800\uD800", "\0", "=1", "plain", '"'].forEach(make({ onChanged }))
  expect(onChanged).toHaveBeenCalledTimes(2)
})

it("writes a text the same way however often it comes, and however many others came before", () => {
  const write = make()
  for (let round = 0; round < 3; round++) {
    for (let index = 0; index < 1500; index++) expect(write(`=${index}, a`)).toBe(`"'=${index}, a"`)
  }
})

it.each([",", ";", "\t"])("writes every text as papaparse does, separated by %j", (delimiter) => {
  fc.assert(
    fc.property(nastyText, fc.boolean(), (text, formulaGuard) => {
      const clean = Cell.clean(text)
      const expected = Papa.unparse([[formulaGuard ? FormulaGuard.guard(clean) : clean]], { delimiter })
      expect(make({ delimiter, formulaGuard })(text)).toBe(expected)
    }),
    { numRuns: 2000 },
  )
})

it.each([",", ";", "\t"])(
  "lets no text straight into bytes that it would change, separated by %j",
  (delimiter) => {
    const kinds = kindsOf(delimiter)
    const bytes = new TextBytes.TextBytes()
    const write = make({ delimiter })
    const wrong: Array<string> = []
    let straight = 0
    for (let unit = 0; unit < 65_536; unit++) {
      const character = String.fromCharCode(unit)
      for (const text of [character, `${character}a`, `a${character}`, `a${character}a`]) {
        if (!bytes.writePlain(text, kinds)) continue
        straight += 1
        if (write(text) !== text) wrong.push(text)
        bytes.cut(0)
      }
    }
    expect(wrong).toEqual([])
    expect(straight).toBeGreaterThan(150_000)
  },
)
