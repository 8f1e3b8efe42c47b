import type { Cover } from "@deedkit/export"
import type * as XLSX from "xlsx"
import { describe, expect, it } from "vitest"
import { bytesOf, partsOf, read, tableOf } from "../Tables.ts"

const coverOf = (cities: number): Cover.Cover => ({
  title: "Contracts",
  subtitle: "",
  verdict: { text: "Complete.", tone: "good" },
  figures: [],
  counts: [
    {
      title: "Contracts by city and status",
      rowLabel: "City",
      columns: [{ name: "active", tone: "good" }],
      rows: Array.from({ length: cities }, (_, at) => ({ name: `City ${at}`, counts: [at] })),
    },
  ],
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

describe("the charts of a cover", () => {
  it("stand each below its own table, with its numbers", async () => {
    const [city] = coverOf(2).counts
    const year = { ...city!, title: "Contracts by year", rows: [{ name: "2026", counts: [7] }] }
    const cover = () => ({ ...coverOf(2), counts: [city!, year] })
    const parts = partsOf(await bytesOf(tableOf(["text"]), [[["a"]]], {}, { cover }))
    const frames = parts["xl/drawings/drawing1.xml"]!.split("<xdr:from>").slice(1)
    const relations = parts["xl/drawings/_rels/drawing1.xml.rels"]!
    const charts = frames.map((frame) => {
      const [, id] = /<c:chart [^>]*r:id="(\w+)"/.exec(frame)!
      const [, target] = new RegExp(`Id="${id}"[^>]*Target="\\.\\.(/[^"]*)"`).exec(relations)!
      const row = Number(/<xdr:row>(\d+)</.exec(frame)![1])
      return { row, title: /name="([^"]*)"/.exec(frame)![1], xml: parts[`xl${target}`]! }
    })
    expect(charts.map(({ title }) => title)).toEqual([city!.title, "Contracts by year"])
    expect(charts.map(({ xml }) => xml.includes("<c:v>2026</c:v>"))).toEqual([false, true])
    const [first, second] = charts.map(({ xml }) => Number(/'Cover'!\$A\$(\d+)/.exec(xml)![1]))
    expect([first! < charts[0]!.row, charts[0]!.row < second!, second! < charts[1]!.row]).toEqual([
      true,
      true,
      true,
    ])
  })
})

describe("the numbers of a chart", () => {
  const chartOf = async (counts: ReadonlyArray<ReadonlyArray<number>>) => {
    const cover = coverOf(1)
    const columns = (counts[0] ?? []).map((_, at) => ({ name: `Status ${at}`, tone: null }))
    const rows = counts.map((each, at) => ({ name: `City ${at}`, counts: each }))
    const made = { ...cover, counts: [{ ...cover.counts[0]!, columns, rows }] }
    const bytes = await bytesOf(tableOf(["text"]), [[["a"]]], {}, { cover: () => made })
    const xml = partsOf(bytes)["xl/charts/chart1.xml"]!
    const series = xml.split("<c:ser>").slice(1)
    return { xml, series, values: read(bytes).Sheets["Cover"]! }
  }
  const hiddenIn = (series: string) =>
    [...series.matchAll(/<c:dLbl><c:idx val="(\d+)"\/><c:delete val="1"\/>/g)].map(([, at]) => Number(at))
  const endOf = (xml: string) => Number(/<c:max val="([^"]*)"/.exec(xml)?.[1])

  it("are the sums after the bars, from the column of the table that has them", async () => {
    const { series, values } = await chartOf([
      [5, 3],
      [0, 2],
    ])
    const sums = series.at(-1)!
    const [, column, from, to] = /'Cover'!\$([A-Z]+)\$(\d+):\$[A-Z]+\$(\d+)<\/c:f><c:numCache>/.exec(sums)!
    expect([from, to].map((row) => values[`${column}${row}`]?.v)).toEqual([8, 2])
    expect(values[`${column}${Number(from) - 1}`]?.v).toBe("Total")
    expect(hiddenIn(sums)).toEqual([])
    expect(sums).toContain('<c:spPr><a:noFill/></c:spPr><c:invertIfNegative val="0"/>')
  })

  it("are on the parts of a bar that are wide enough, and never a zero", async () => {
    const { series } = await chartOf([
      [500, 10, 0],
      [100, 40, 1_000],
    ])
    expect(series.slice(0, 3).map(hiddenIn)).toEqual([[], [0, 1], [0]])
  })

  it.each([[0], [1], [9], [10], [97], [1_140], [999_999], [123_456_789]])(
    "have room after a bar of %i",
    async (count) => {
      const end = endOf((await chartOf([[count]])).xml)
      expect(end).toBeGreaterThanOrEqual(count * 1.1)
      expect(end).toBeLessThanOrEqual(Math.max(2, count * 1.3))
    },
  )

  it("are of a status without a name in the legend", async () => {
    const { series } = await chartOf([[1, 2]])
    expect(series.map((each) => each.includes("<c:tx><c:v> </c:v></c:tx>"))).toEqual([false, false, true])
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
