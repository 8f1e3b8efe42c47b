/**
 * The workbook of a real run, read back by programs that had no part in writing it: openpyxl, SheetJS and LibreOffice. All must see the
 * emulator's records, value by value, but for what the manifest counts. `DEEDKIT_ROWS` sets how many there are.
 */
import { execFile, spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/emulator"
import Papa from "papaparse"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { read, utils } from "xlsx"
import type { Bench } from "../../../harness/Cli.ts"
import { bench } from "../../../harness/Cli.ts"

const execute = promisify(execFile)
const contracts = Number(process.env["DEEDKIT_ROWS"] ?? 2_500)
const required = process.env["DEEDKIT_REQUIRE_LIBREOFFICE"] === "1"
const runs = (command: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0
/** Debian's package serves Debian's Python, which may not be the first on the path. */
const pythons = ["python3", "/usr/bin/python3"]
const python = pythons.find((command) => runs(command, ["-c", "import openpyxl"]))
const withOpenpyxl = required || python !== undefined
const withLibreOffice = required || runs("soffice", ["--version"])
if (!withOpenpyxl)
  console.warn("SKIPPED: Python's openpyxl is not installed, so no workbook is read back by it.")
if (!withLibreOffice)
  console.warn("SKIPPED: LibreOffice is not installed, so no workbook is read back by it.")

type Value = string | number | boolean | null

const mostExact = 999_999_999_999_999
const longText = /^\[\d+ characters: see line \d+ of contracts\.xlsx\.texts\.ndjson\]$/

/** What no workbook can hold is left out; the manifest counts it. */
const held = (text: string): string =>
  Array.from(text.toWellFormed())
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0
      return (code > 0x1f && code !== 0xfffe && code !== 0xffff) || "\t\n\r".includes(character)
    })
    .join("")

const text = (value: string): Value => (value === "" ? null : held(value))

/** A value of the wire, where a number may be written with more digits than it has. */
const json = (wire: unknown): Value => {
  if (wire === null || wire === undefined) return null
  const value = Json.parse(Json.stringify(wire))
  if (typeof value === "boolean") return value
  if (typeof value === "number") return Math.abs(value) <= mostExact ? value : String(value)
  return text(typeof value === "string" ? value : Json.stringify(value))
}

/** Ids that can be any JSON are texts, so that a column holds one type. */
const id = (wire: unknown): Value => {
  const value = json(wire)
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value
}

/** A row as it should be, by the wire's names: made here, not by the tables that wrote it. */
const expected = ({ listing, ...own }: Contract): { readonly [column: string]: Value } => ({
  id: own.id,
  status: text(own.status),
  kind: text(own.kind),
  unit_label: text(own.unit_label),
  "listing.title": listing == null ? null : text(listing.title),
  "listing.city": listing == null ? null : text(listing.city),
  "listing.area": listing == null ? null : text(listing.area),
  created_at: own.created_at,
  updated_at: own.updated_at,
  unit_id: id(own.unit_id),
  listing_id: own.listing_id,
  "listing.slug": listing == null ? null : text(listing.slug),
  template_id: own.template_id,
  "listing.id": listing == null ? null : listing.id,
  extra: null,
})

type Rows = ReadonlyArray<{ readonly [column: string]: Value }>

/** Differences, the first of them with its place; long texts are compared with the file that holds them elsewhere. */
const differences = (rows: Rows, found: Rows, same: (wanted: Value, got: Value) => boolean) => {
  const all = rows.flatMap((row, at) =>
    Object.entries(row)
      .filter(([column, wanted]) => {
        const got = found[at]?.[column] ?? null
        const isLong = typeof wanted === "string" && wanted.length > 32_767
        return isLong ? !longText.test(String(got)) : !same(wanted, got === "" ? null : got)
      })
      .map(([column, wanted]) => ({ row: at + 1, column, wanted, got: found[at]?.[column] ?? null })),
  )
  return { cells: all.length, first: all[0] ?? null, rows: found.length }
}

const none = { cells: 0, first: null, rows: contracts }

const toJson = `
import datetime, json, sys, openpyxl
sheet = openpyxl.load_workbook(sys.argv[1], read_only=True)["Contracts"]
rows = sheet.iter_rows(values_only=True)
names = next(rows)
def plain(value):
    return value.isoformat() if isinstance(value, datetime.datetime) else value
json.dump([dict(zip(names, map(plain, row))) for row in rows], sys.stdout)
`

const isTimestamp = (value: Value): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)

describe(`a workbook of ${contracts} contracts, with every text that hurts`, () => {
  let workbook: Bench
  let rows: Rows
  const file = () => join(workbook.folder, "contracts.xlsx")

  beforeAll(async () => {
    workbook = await bench({ contracts, hurting: true })
    rows = workbook.emulator.store.contracts.map(expected)
    const args = "export contracts --headers api --rate 0 --page-size 1000 --quiet --out contracts.xlsx"
    const { code, stderr } = await workbook.run(args.split(" "))
    if (code !== 0) throw new Error(`the export ended with ${code}: ${stderr}`)
  }, 120_000)
  afterAll(() => workbook[Symbol.asyncDispose]())

  it("is counted where a text could not be kept", async () => {
    const manifest = JSON.parse(await workbook.file("contracts.xlsx.manifest.json")) as {
      readonly verdict: string
      readonly textsChanged: { readonly xlsx: { readonly [column: string]: number } }
      readonly longTexts: { readonly texts: number }
    }
    const changed = workbook.emulator.store.contracts.flatMap((contract) =>
      [contract.status, contract.kind, contract.unit_label, ...Object.values(contract.listing ?? {})].filter(
        (value) => typeof value === "string" && held(value) !== value,
      ),
    )
    const counted = Object.values(manifest.textsChanged.xlsx).reduce((sum, cells) => sum + cells, 0)
    expect([manifest.verdict, counted]).toEqual(["complete", changed.length])
    const kept = (await workbook.file("contracts.xlsx.texts.ndjson")).trimEnd().split("\n")
    expect(kept).toHaveLength(manifest.longTexts.texts)
    for (const line of kept)
      expect((JSON.parse(line) as { text: string }).text.length).toBeGreaterThan(32_767)
  })

  it("is read by SheetJS, value by value, as the service has it", async () => {
    const book = read(await readFile(file()), { dense: true })
    const found = utils.sheet_to_json<Rows[number]>(book.Sheets["Contracts"]!, { defval: null })
    const serial = (timestamp: string) => Date.parse(timestamp) / 86_400_000 + 25_569
    const same = (wanted: Value, got: Value) =>
      isTimestamp(wanted) && typeof got === "number" ? Math.abs(serial(wanted) - got) < 1e-8 : wanted === got
    expect(differences(rows, found, same)).toEqual(none)
  }, 120_000)

  it.runIf(withOpenpyxl)(
    "is read by openpyxl, value by value, as the service has it",
    async () => {
      const { stdout } = await execute(python ?? "python3", ["-c", toJson, file()], {
        maxBuffer: 1_000_000_000,
      })
      const same = (wanted: Value, got: Value) =>
        isTimestamp(wanted) && isTimestamp(got)
          ? Math.abs(Date.parse(wanted) - Date.parse(`${got}Z`)) < 2
          : wanted === got
      expect(differences(rows, JSON.parse(stdout) as Rows, same)).toEqual(none)
    },
    240_000,
  )

  it.runIf(withLibreOffice)(
    "is read by LibreOffice, value by value, as the service has it, and no cell is evaluated",
    async () => {
      await execute(
        "soffice",
        [
          `-env:UserInstallation=file://${join(workbook.folder, "profile")}`,
          "--headless",
          "--convert-to",
          "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false",
          "--outdir",
          join(workbook.folder, "read-back"),
          file(),
        ],
        { timeout: 240_000 },
      )
      const csv = await workbook.file("read-back/contracts.csv")
      const { data } = Papa.parse<{ readonly [column: string]: string }>(csv, {
        header: true,
        skipEmptyLines: true,
      })
      // It shows what a cell holds: whole numbers and dates in their formats, and a carriage return as a line break.
      const shown = (value: string) => value.replaceAll(/\r\n?/g, "\n")
      const same = (wanted: Value, got: Value) =>
        wanted === null
          ? got === null
          : isTimestamp(wanted)
            ? Math.abs(Date.parse(wanted) - Date.parse(`${String(got).replace(" ", "T")}Z`)) < 1_000
            : shown(typeof wanted === "boolean" ? String(wanted).toUpperCase() : String(wanted)) ===
              shown(String(got ?? ""))
      expect(differences(rows, data, same)).toEqual(none)
    },
    300_000,
  )
})
