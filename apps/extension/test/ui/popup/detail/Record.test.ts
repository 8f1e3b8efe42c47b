// @vitest-environment happy-dom
import "../../desk/DeskBrowser.ts"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import type { ContractDetail } from "../../../../src/index/PageIndex.ts"
import { labelOf, toRow, toText } from "../../../../src/ui/popup/detail/Record.ts"
import { contract } from "../../gallery/Worlds.ts"

const some = contract({
  id: 7,
  kind: "rent",
  status: "active",
  unit: "Loft",
  title: null,
  updatedAt: "2026-02-01T10:00:00Z",
})
const holding = (value: string | null): ContractDetail => ({
  ...some,
  fields: [{ name: "unit_label", value }],
})

describe("a row for a spreadsheet", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+cmd", "'+cmd"],
    ["-cmd", "'-cmd"],
    ["@SUM(A1)", "'@SUM(A1)"],
    [" =1", "' =1"],
    ["＝1", "'＝1"],
    ["\t=1", "' =1"],
    ["\u200B=1", "'\u200B=1"],
    ["﹦1", "'﹦1"],
    ["'=1", "''=1"],
  ])("guards what would be evaluated: %j", (value, cell) => {
    expect(toRow(holding(value))).toBe(cell)
  })

  it.each(["-12", "3.50", "Loft 3", "a=b", "'quoted"])("leaves the rest as it is: %s", (value) => {
    expect(toRow(holding(value))).toBe(value)
  })

  it("comes out of a spreadsheet's own reader as it was, whatever quotation marks it has", () => {
    for (const value of ['"=1+1"', '"half', '"', 'the "Olive" loft', '""']) {
      const row = toRow({ ...some, fields: [...holding(value).fields, { name: "kind", value: "rent" }] })
      expect(Papa.parse(row, { delimiter: "\t" }).data).toEqual([[value, "rent"]])
    }
  })

  it("keeps every value in its cell, whatever breaks it has", () => {
    expect(toRow(holding("a\tb\r\nc\u2028d\ve"))).toBe("a b c d e")
  })

  it("has an empty cell for what has no value, so that columns stay in their places", () => {
    expect(toRow(some).split("\t")).toHaveLength(some.fields.length)
    expect(toRow(holding(null))).toBe("")
  })
})

describe("lines for people", () => {
  it("name what the specification names in words, and the rest as it came", () => {
    const fields = [
      { name: "unit_label", value: "Loft" },
      { name: "deposit", value: "12" },
      { name: "listing_id", value: null },
    ]
    expect(toText({ ...some, fields })).toBe("Unit: Loft\ndeposit: 12")
  })

  it("take no name from what every object has", () => {
    expect(labelOf("constructor")).toBeNull()
    expect(labelOf("__proto__")).toBeNull()
  })
})
