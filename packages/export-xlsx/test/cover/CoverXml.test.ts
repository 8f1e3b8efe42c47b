import type { Cover } from "@deedkit/export"
import { describe, expect, it } from "vitest"
import * as CoverXml from "../../src/cover/CoverXml.ts"

const coverOf = (cities: number): Cover.Cover => ({
  title: "Contracts",
  subtitle: "",
  verdict: { text: "Complete.", tone: "good" },
  figures: [],
  counts: {
    title: "Contracts by city and status",
    rowLabel: "City",
    columns: [{ name: "active", tone: "good" }],
    rows: Array.from({ length: cities }, (_, at) => ({ name: `City ${at}`, counts: [at] })),
  },
  sections: [{ title: "What is in this workbook", facts: [{ name: "Contracts", text: "3 rows" }] }],
})

describe("the chart of a cover", () => {
  // With less than a row for a bar LibreOffice leaves out every second name.
  it.each([1, 9, 12])("has more than a row for each of %i bars, between table and facts", (cities) => {
    const { chart, lastRow, rows } = CoverXml.make(coverOf(cities), "'Cover'", () => 1)
    const { from, to } = chart!.drawing
    expect(to.row - from.row).toBeGreaterThanOrEqual(cities * 1.3 + 5)
    expect(rows.split(`<row r="${from.row}"`)[0]).toContain("All")
    expect(rows.split(`<row r="${to.row + 1}"`)[1]).toContain("What is in this workbook")
    expect(lastRow).toBeGreaterThan(to.row)
  })
})
