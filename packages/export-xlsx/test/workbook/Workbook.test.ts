import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
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
    totals: "",
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
    counts: [{ title: "Counts", rowLabel: "City", columns: [{ name: "a", tone: null }], rows: [] }],
    sections: [{ title: "Facts", facts }],
  } as const

  it.each([null, "first", "last"] as const)(
    "stays as it is while more becomes known, with a cover: %s",
    async (at) => {
      const pending = at === null ? null : { name: "Cover", at, content: null }
      const cover = pending === null ? null : { ...pending, content }
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
    },
  )
})

describe("exceljs", () => {
  it("is the version whose XML this package edits", () => {
    const manifest = createRequire(import.meta.url).resolve("exceljs/package.json")
    expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ version: "4.4.0" })
  })
})
