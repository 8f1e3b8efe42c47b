import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Book, Sheet } from "../../src/workbook/Workbook.ts"
import * as Workbook from "../../src/workbook/Workbook.ts"

describe("the XML around rows", () => {
  const column = {
    heading: "A",
    width: 10,
    isAmount: false,
    isTextId: true,
    tones: { active: "good" },
  } as const
  const rowless: Sheet = {
    name: "Rows",
    title: "Rows",
    tableName: "",
    columns: [column, { ...column, heading: "B", isAmount: true, tones: {} }],
    printed: 2,
    links: [],
    lastRow: 1,
    lines: 1,
    note: "",
  }
  const links = ["A2", "B2", "B3", "Z2"].map((address) => ({ address, target: "https://homes.example" }))
  const whole: Sheet = { ...rowless, tableName: "Rows", links, lastRow: 9, lines: 12, note: "complete" }
  const other = { ...rowless, name: "Other", title: "Other" }
  const more = { ...whole, name: "Other", title: "Other", tableName: "Other" }
  const book = (sheets: ReadonlyArray<Sheet>, rest: Partial<Book> = {}): Book => ({
    cover: null,
    sheets,
    paper: "a4",
    opened: 0,
    document: null,
    facts: {},
    language: "en",
    createdAt: null,
    ...rest,
  })
  const facts = [{ name: "a", text: "b", table: "Rows" }]
  const content = {
    title: "Cover",
    subtitle: "",
    verdict: { text: "Complete.", tone: "good" },
    figures: [{ label: "Rows", value: 8 }],
    counts: { title: "Counts", rowLabel: "City", columns: [{ name: "a", tone: null }], rows: [] },
    sections: [{ title: "Facts", facts }],
  } as const

  it.each([false, true])("stays as it is while more becomes known, with a cover: %s", async (hasCover) => {
    const pending = hasCover ? { name: "Cover", content: null } : null
    const cover = hasCover ? { name: "Cover", content } : null
    const [begun, ended, next, last] = [
      await Workbook.make(book([rowless], { cover: pending })),
      await Workbook.make(book([whole], { cover: pending })),
      await Workbook.make(book([whole, other], { cover: pending })),
      await Workbook.make(
        book([whole, more], { cover, opened: 1, facts: { a: "b" }, createdAt: "2026-03-01" }),
      ),
    ]
    expect(begun.styles).toEqual(last.styles)
    expect(new Set(Object.values(last.styles.usual)).size).toBeGreaterThan(8)
    expect(begun.sheets[0]!.head).toBe(last.sheets[0]!.head)
    expect(ended.sheets[0]).toEqual(last.sheets[0])
    expect(next.sheets[1]!.head).toBe(last.sheets[1]!.head)
    expect(next.styles).toEqual(last.styles)
    expect([...last.parts.values()].join("")).not.toContain("&apos;")
  })
})

describe("exceljs", () => {
  it("is the version whose XML this package edits", () => {
    const manifest = createRequire(import.meta.url).resolve("exceljs/package.json")
    expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ version: "4.4.0" })
  })
})

describe("the part of exceljs that is published", () => {
  const folder = mkdtempSync(join(tmpdir(), "deedkit-xlsx-"))
  const file = join(folder, "exceljs.mjs")
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "..", "build.ts"), file])
  const code = readFileSync(file, "utf8")

  it("asks for no module and evaluates no text", () => {
    expect(code).not.toMatch(/\brequire\(|\bimport\s*[("{]|\beval\(|new Function/)
    expect(code.length).toBeLessThan(200_000)
  })

  it("writes the same workbook as the whole of it, and needs nothing of Node", () => {
    const script = `
      import whole from "#exceljs"
      import { strFromU8, unzipSync } from "fflate"
      const { default: part } = await import(${JSON.stringify(file)})
      const textOf = async ({ Workbook }) => {
        const book = new Workbook()
        Object.assign(book, { creator: "a", lastModifiedBy: "b", created: new Date(0), modified: new Date(0), title: "c" })
        book.views = [{ activeTab: 1 }]
        const cover = book.addWorksheet("Cover")
        cover.addImage(book.addImage({ base64: "iVBORw0KGgo=", extension: "png" }), "A3:C9")
        cover.getCell("A1").value = { text: "list", hyperlink: "#'Sheet'!A1" }
        cover.mergeCells("B1:C1")
        const sheet = book.addWorksheet("Sheet", { views: [{ state: "frozen", ySplit: 1 }] })
        sheet.getColumn(1).width = 20
        sheet.getCell("A2").value = "a & <b> ακή 🏠"
        sheet.getCell("A2").style = { font: { bold: true }, numFmt: "0" }
        sheet.addTable({ name: "T", ref: "A1", rows: Array(9), columns: [{ name: "h", filterButton: true }], style: {} })
        sheet.addConditionalFormatting({ ref: "A2:A3", rules: [{ type: "cellIs", operator: "equal", priority: 1, formulae: ['"x"'], style: { font: { color: { argb: "FF14532D" } } } }] })
        Object.assign(sheet.pageSetup, { fitToPage: true, fitToHeight: 0, printArea: "A$1:A$9", printTitlesRow: "1:1" })
        sheet.headerFooter.oddFooter = "&L x"
        const parts = Object.entries(unzipSync(new Uint8Array(await book.xlsx.writeBuffer())))
        return JSON.stringify(parts.filter(([path]) => !/\\/$|\\.png$/.test(path)).map(([path, bytes]) => [path, strFromU8(bytes)]).sort())
      }
      const one = await textOf(whole)
      const { stdout } = process
      delete globalThis.Buffer
      delete globalThis.process
      const other = await textOf(part)
      stdout.write(one === other && one.length > 5000 ? "the same" : one + "\\n" + other)
    `
    const output = execFileSync(
      process.execPath,
      ["--conditions=@deedkit/source", "--input-type=module", "-e", script],
      { cwd: join(import.meta.dirname, "..", ".."), encoding: "utf8" },
    )
    rmSync(folder, { recursive: true })
    expect(output).toBe("the same")
  })
})
