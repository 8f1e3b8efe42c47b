/** Workbooks as this package writes them, and as other programs save them again. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Contract } from "@deedkit/core"
import { make } from "@deedkit/emulator"
import { Cell, contracts, Fit, Table, TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, it, onTestFinished } from "vitest"
import * as XLSX from "xlsx"
import { xlsx } from "../../src/Format.ts"
import { read } from "../../src/read/XlsxReader.ts"
import * as TextXml from "../../src/sheet/TextXml.ts"
import { writer } from "../../src/XlsxWriter.ts"

const { store } = make({ contracts: 400, hurting: true })
/** Longer texts are in a file of their own. */
const records = (store.contracts as ReadonlyArray<Contract.Contract>).filter((record) =>
  contracts.columns.every(({ get }) => String(Cell.scalar(get(record))).length <= 32_767),
)

const written = async (
  table: Table.Table<Contract.Contract>,
  all: ReadonlyArray<Contract.Contract> = records,
) =>
  Buffer.concat(
    await Effect.runPromise(
      Stream.runCollect(TableWriter.bytes(writer(), table, Stream.make(all.slice(0, 150), all.slice(150)))),
    ),
  )

/** What the cells of a record hold: texts without what XML cannot hold, times as clocks. */
const cellsOf = (record: Contract.Contract): ReadonlyArray<string> =>
  contracts.columns.map(({ get, kind }) => {
    const text = String(Cell.scalar(get(record)) ?? "")
    return kind === "timestamp"
      ? new Date(text).toISOString().replace(/(?:\.000)?Z$/, "")
      : TextXml.clean(text)
  })

/** LibreOffice and openpyxl write a carriage return as a line feed. */
const lines = (rows: ReadonlyArray<ReadonlyArray<string>> | undefined) =>
  rows?.map((row) => row.map((cell) => cell.replaceAll(/\r\n?/g, "\n")))

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "deedkit-xlsx-"))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const required = process.env["DEEDKIT_REQUIRE_LIBREOFFICE"] === "1"
const withLibreOffice = required || spawnSync("soffice", ["--version"]).status === 0
const python = ["python3", "/usr/bin/python3"].find(
  (each) => spawnSync(each, ["-c", "import openpyxl"]).status === 0,
)
if (!withLibreOffice) console.warn("SKIPPED: LibreOffice is not installed, so it saves no workbook again.")
if (python === undefined) console.warn("SKIPPED: openpyxl is not installed, so it saves no workbook again.")

describe("a workbook read back", () => {
  it("has every cell, by its headings", async () => {
    const table = await read(await written(contracts))
    expect(table?.headings).toEqual(contracts.columns.map(({ label }) => label))
    expect(table?.rows).toEqual(records.map(cellsOf))
  })

  it("has the rows of all sheets of one table", async () => {
    const few = records.slice(0, 7)
    const format = { ...xlsx, limits: { ...xlsx.limits, maxRows: 3 } }
    const chunks: Array<Uint8Array> = []
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const write = (chunk: Uint8Array) => Effect.sync(() => void chunks.push(chunk.slice()))
          const file = yield* writer().open({ write })
          const sheet = yield* Fit.begin(file, format, contracts, { onLongText: ({ text }) => text })
          yield* sheet.add(few)
          yield* sheet.end
          yield* file.end
        }),
      ),
    )
    expect((await read(Buffer.concat(chunks)))?.rows).toEqual(few.map(cellsOf))
  })

  it("has headings where there is no record", async () => {
    const table = Result.getOrThrow(Table.select(contracts, ["id", "created_at"]))
    expect(await read(await written(table, []))).toEqual({
      headings: ["Contract", "Created (UTC)"],
      rows: [],
    })
  })

  it.runIf(withLibreOffice)(
    "is the same when LibreOffice saved it again",
    async () => {
      const at = folder()
      writeFileSync(join(at, "a.xlsx"), await written(contracts))
      const profile = `-env:UserInstallation=file://${join(at, "profile")}`
      execFileSync("soffice", [
        profile,
        "--headless",
        "--convert-to",
        "xlsx",
        "--outdir",
        join(at, "again"),
        join(at, "a.xlsx"),
      ])
      const table = await read(readFileSync(join(at, "again", "a.xlsx")))
      expect(lines(table?.rows)).toEqual(lines(records.map(cellsOf)))
    },
    120_000,
  )

  it.runIf(python !== undefined)("is the same when openpyxl saved it again", async () => {
    const path = join(folder(), "a.xlsx")
    writeFileSync(path, await written(contracts))
    execFileSync(python!, [
      "-c",
      "import openpyxl, sys; openpyxl.load_workbook(sys.argv[1]).save(sys.argv[1])",
      path,
    ])
    expect(lines((await read(readFileSync(path)))?.rows)).toEqual(lines(records.map(cellsOf)))
  })

  it("is the same when SheetJS wrote it, with shared strings and days from 1904", async () => {
    const rows = [
      ["Contract", "Unit", "Created (UTC)", "Revoked"],
      [9_007_199_254_740_991, ' a <&> "q" ', new Date("2026-03-01T09:30:00Z"), true],
      [2, "again", null, false],
      [3, "again", new Date("1999-12-31T23:59:59Z"), null],
    ]
    for (const date1904 of [false, true]) {
      const book = XLSX.utils.book_new()
      book.Workbook = { WBProps: { date1904 } }
      const sheet = XLSX.utils.aoa_to_sheet(rows, { cellDates: false, dateNF: "yyyy-mm-dd hh:mm:ss" })
      XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([["About"], ["a summary"]]), "Summary")
      XLSX.utils.book_append_sheet(book, sheet, "Contracts")
      const bytes = XLSX.write(book, { type: "buffer", bookSST: true, compression: true }) as Buffer
      const table = await read(bytes)
      expect(table?.headings).toEqual(["Contract", "Unit", "Created (UTC)", "Revoked"])
      expect(table?.rows.map(([id, unit, , revoked]) => [id, unit, revoked])).toEqual([
        ["9007199254740991", ' a <&> "q" ', "true"],
        ["2", "again", "false"],
        ["3", "again", ""],
      ])
    }
  })

  it("is nothing where there is no workbook, or none with ids", async () => {
    const whole = await written(contracts, records.slice(0, 3))
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([["About"], ["a summary"]]), "Summary")
    const summary = XLSX.write(book, { type: "buffer" }) as Buffer
    for (const bytes of [
      summary,
      Buffer.alloc(0),
      Buffer.from("id,status\r\n"),
      whole.subarray(0, -30),
      whole.subarray(200),
    ]) {
      expect(await read(bytes)).toBeNull()
    }
  })
})
