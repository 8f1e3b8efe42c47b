import type { Cover } from "@deedkit/export"
import type * as XLSX from "xlsx"
import { describe, expect, it } from "vitest"
import { bytesOf, partsOf, read, tableOf } from "../Tables.ts"

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
  it.each([1, 9, 12])("has more than a row for each of %i bars, between table and facts", async (cities) => {
    const bytes = await bytesOf(tableOf(["text"]), [[["a"]]], {}, { cover: () => coverOf(cities) })
    const drawing = partsOf(bytes)["xl/drawings/drawing1.xml"]!
    const [from, to] = [...drawing.matchAll(/<xdr:row>(\d+)<\/xdr:row>/g)].map(([, row]) => Number(row))
    const sheet = read(bytes).Sheets["Cover"]!
    const rowOf = (text: string) =>
      Object.keys(sheet).flatMap((cell) =>
        sheet[cell]?.v === text ? [Number(cell.replace(/^[A-Z]+/, ""))] : [],
      )
    expect(to! - from!).toBeGreaterThanOrEqual(cities * 1.3 + 5)
    expect(from).toBeGreaterThan(rowOf("All")[0]!)
    expect(rowOf("What is in this workbook")[0]).toBeGreaterThan(to!)
  })
})

describe("the texts of a cover", () => {
  it("are those that are given, whatever they look like", async () => {
    const texts = ["_x0041_", "=1+1", 'Anna\'s & "co" <b>', "  spaces ", "two\nlines", "☺ ακή שלום"]
    const facts = texts.map((text) => ({ name: text, text }))
    const cover = { ...coverOf(1), sections: [{ title: "Facts", facts }] }
    const bytes = await bytesOf(tableOf(["text"]), [[["a"]]], {}, { cover: () => cover })
    const values = Object.values(read(bytes).Sheets["Cover"]!).map((cell: { readonly v?: unknown }) => cell.v)
    for (const text of texts) expect(values.filter((value) => value === text)).toHaveLength(2)
  })

  it("lead to the sheets of their tables, whatever these are called", async () => {
    const title = "Anna's <list> & co!"
    const facts = [
      { name: "Known", text: "", table: title },
      { name: "Unknown", text: "", table: "Other" },
    ]
    const cover = { ...coverOf(1), sections: [{ title: "Facts", facts }] }
    const bytes = await bytesOf(tableOf(["text"], title), [[["a"]]], {}, { cover: () => cover })
    const cells = Object.values(read(bytes).Sheets["Cover"]!) as ReadonlyArray<XLSX.CellObject>
    const links = cells.flatMap(({ l, v }) => (l === undefined ? [] : [[v, l.Target]]))
    expect(links).toEqual([["Known", "#'Anna''s <list> & co!'!A1"]])
    expect(partsOf(bytes)["xl/worksheets/_rels/sheet1.xml.rels"]).not.toContain("External")
  })
})
