/**
 * Workbooks as they are printed and opened: pages that LibreOffice makes of them, and what openpyxl finds in them. Neither had a part in writing.
 */
import { execFile, spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Bench } from "../../../harness/Cli.ts"
import { bench } from "../../../harness/Cli.ts"

const execute = promisify(execFile)
const required = process.env["DEEDKIT_REQUIRE_LIBREOFFICE"] === "1"
const runs = (command: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0
const python = ["python3", "/usr/bin/python3"].find((command) => runs(command, ["-c", "import openpyxl"]))
const withOpenpyxl = required || python !== undefined
const withLibreOffice = required || runs("soffice", ["--version"])
if (!withOpenpyxl)
  console.warn("SKIPPED: Python's openpyxl is not installed, so it reads no table and property.")
if (!withLibreOffice) console.warn("SKIPPED: LibreOffice is not installed, so no page is printed.")

/** The sizes of the pages of a PDF, in points. */
const pagesOf = async (it: Bench, name: string): Promise<ReadonlyArray<string>> => {
  await execute(
    "soffice",
    [
      `-env:UserInstallation=file://${join(it.folder, "profile")}`,
      "--headless",
      "--convert-to",
      "pdf",
      "--outdir",
      it.folder,
      join(it.folder, name),
    ],
    { timeout: 240_000 },
  )
  return pagesIn(it, name.replace(".xlsx", ".pdf"))
}

const pagesIn = async (it: Bench, name: string): Promise<ReadonlyArray<string>> => {
  const pdf = await readFile(join(it.folder, name), "latin1")
  return [...pdf.matchAll(/\/Type\s*\/Page\b[^>]*?\/MediaBox\s*\[([^\]]*)\]/gs)].map(([, box]) =>
    (box ?? "").trim().split(/\s+/).slice(2).map(Number).map(Math.round).join("x"),
  )
}

const find = `
import json, sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
tables = {table.displayName: table.ref for sheet in book for table in sheet.tables.values()}
json.dump({
  "sheets": book.sheetnames,
  "tables": tables,
  "titles": {sheet.title: sheet.print_title_rows for sheet in book},
  "areas": {sheet.title: sheet.print_area for sheet in book},
  "fits": [[sheet.page_setup.fitToWidth, sheet.sheet_properties.pageSetUpPr.fitToPage] for sheet in book],
  "charts": [len(sheet._charts) for sheet in book],
  "links": [[cell.hyperlink.target for row in sheet.iter_rows(max_row=4) for cell in row if cell.hyperlink and cell.hyperlink.target] for sheet in book],
  "title": book.properties.title, "created": str(book.properties.created),
}, sys.stdout)
`

interface Found {
  readonly sheets: ReadonlyArray<string>
  /** Cells by the name of the table. */
  readonly tables: { readonly [name: string]: string }
  readonly titles: { readonly [sheet: string]: string | null }
  readonly areas: { readonly [sheet: string]: string | ReadonlyArray<string> }
  readonly fits: ReadonlyArray<readonly [number, boolean]>
  readonly charts: ReadonlyArray<number>
  readonly links: ReadonlyArray<ReadonlyArray<string>>
  readonly title: string
  readonly created: string
}

const foundIn = async (it: Bench, name: string): Promise<Found> => {
  const { stdout } = await execute(python ?? "python3", ["-c", find, join(it.folder, name)])
  return JSON.parse(stdout) as Found
}

const wide = Array.from({ length: 40 }, (_, at) => `member_${at}`)

describe("a workbook of 250 contracts and 12 keys", () => {
  let workbook: Bench
  const env = { SOURCE_DATE_EPOCH: "1772357400" }
  const running = async (...args: ReadonlyArray<string>) => {
    const { code, stderr } = await workbook.run([...args, "--quiet"], { env })
    if (code !== 0) throw new Error(`the command ended with ${code}: ${stderr}`)
  }

  const exporting = (...args: ReadonlyArray<string>) => running("export", ...args, "--rate", "0")

  beforeAll(async () => {
    workbook = await bench({ contracts: 250, keys: 12 })
    await exporting("all", "--out", "all.xlsx")
    await exporting("all", "--paper", "letter", "--out", "letter.xlsx")
    const sync = ["sync", "--to", "mirror.sqlite", "--rate", "0"]
    await running(...sync)
    const { store } = workbook.emulator
    const { listing, listing_id } = store.contracts.find((each) => each.listing != null)!
    for (const { id } of store.contracts.slice(0, 12))
      store.update(id, { status: "ended", unit_label: "Loft" })
    for (const { id } of store.contracts.slice(12, 15)) store.remove(id)
    for (let added = 0; added < 3; added += 1) store.insert({ listing: listing!, listing_id })
    await running(...sync)
    const link = ["--link", "https://site.example/{slug}"]
    const mirror = ["--from", "mirror.sqlite", "--since", "1d"]
    await running("export", "report", ...mirror, ...link, "--out", "report.xlsx")
  }, 60_000)
  afterAll(() => workbook[Symbol.asyncDispose]())

  it.runIf(withLibreOffice)("prints many columns over several pages across", async () => {
    for (const { id } of workbook.emulator.store.contracts) {
      workbook.emulator.store.update(id, Object.fromEntries(wide.map((name) => [name, `${name} of ${id}`])))
    }
    const columns = ["id", ...wide.map((name) => `extra.${name}`)].join(",")
    await exporting("contracts", "--columns", columns, "--out", "wide.xlsx")
    const pages = await pagesOf(workbook, "wide.xlsx")
    expect(pages.length).toBeGreaterThan(12)
    expect(new Set(pages)).toEqual(new Set(["842x595"]))
  })

  it.runIf(withLibreOffice)(
    "prints on at most 8 pages, the lists across and the summary upright, on A4 or Letter",
    async () => {
      const a4 = await pagesOf(workbook, "all.xlsx")
      expect(a4.length).toBeGreaterThan(2)
      expect(a4.length).toBeLessThanOrEqual(8)
      expect(new Set(a4.slice(0, -1))).toEqual(new Set(["842x595"]))
      expect(a4.at(-1)).toBe("595x842")
      const letter = await pagesOf(workbook, "letter.xlsx")
      expect(letter.length).toBeLessThanOrEqual(8)
      expect(letter[0]).toBe("792x612")
    },
    300_000,
  )

  it.runIf(withLibreOffice)(
    "is a report with a cover of one page, and few pages behind it",
    async () => {
      const pages = await pagesOf(workbook, "report.xlsx")
      expect(pages.slice(0, 2)).toEqual(["595x842", "842x595"])
      expect(pages.length).toBeLessThanOrEqual(16)
    },
    300_000,
  )

  it.runIf(withLibreOffice)(
    "is printed by --pdf on the pages that LibreOffice makes of it",
    async () => {
      const mirror = ["--from", "mirror.sqlite", "--since", "1d"]
      await running("export", "report", ...mirror, "--pdf", "--out", "printed.xlsx")
      const printed = await pagesIn(workbook, "printed.pdf")
      expect(printed.slice(0, 2)).toEqual(["595x842", "842x595"])
      expect(printed).toEqual(await pagesOf(workbook, "printed.xlsx"))
      expect(await workbook.files()).not.toContain(".~lock.printed.xlsx#")
    },
    300_000,
  )

  it.runIf(withOpenpyxl)(
    "has a named table on each sheet, headings on each page, and the ids left to the screen",
    async () => {
      const { areas, created, fits, tables, title, titles } = await foundIn(workbook, "all.xlsx")
      expect(tables).toEqual({
        Contracts: "A1:O251",
        API_keys: "A1:G13",
        Summary: expect.stringMatching(/^A1:C\d+$/) as string,
      })
      expect(titles).toEqual({ Contracts: "$1:$1", "API keys": "$1:$1", Summary: "$1:$1" })
      expect(String(areas["Contracts"])).toContain("$A$1:$I$251")
      expect(fits).toEqual(fits.map(() => [1, true]))
      expect(title).toMatch(/^Contracts and API keys of 127\.0\.0\.1:\d+$/)
      expect(created).toBe("2026-03-01 09:30:00")
    },
    60_000,
  )

  it.runIf(withOpenpyxl)(
    "is a report of a cover with charts of cities and years, tables, and links to the listings",
    async () => {
      const { charts, links, sheets, tables } = await foundIn(workbook, "report.xlsx")
      expect(sheets).toEqual(["Cover", "Contracts", "Units", "Cities", "Months", "Changes", "Source"])
      expect(Object.keys(tables)).toEqual(["Contracts", "Units", "Cities", "Months", "Changes", "Source"])
      expect(charts).toEqual([2, 0, 0, 0, 0, 0, 0])
      expect(links[1]!.length).toBeGreaterThan(0)
      for (const link of links[1]!) expect(link).toMatch(/^https:\/\/site\.example\/[^/]+$/)
    },
    60_000,
  )

  it("is the same bytes again for the same moment, where the summary holds no other", async () => {
    await exporting("contracts", "--out", "once.xlsx")
    await exporting("contracts", "--out", "again.xlsx")
    const [once, again] = await Promise.all(
      ["once.xlsx", "again.xlsx"].map((name) => readFile(join(workbook.folder, name))),
    )
    expect(once!.equals(again!)).toBe(true)
  })
})
