/**
 * The file of a real run, read back by programs that had no part in writing it: Python's csv module and LibreOffice. Both must see the
 * emulator's records, value by value. `DEEDKIT_ROWS` sets how many there are.
 */
import { execFile, spawnSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/emulator"
import Papa from "papaparse"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench } from "../../harness/Cli.ts"

const execute = promisify(execFile)

const isThere = (command: string): boolean =>
  spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0
const required = process.env["DEEDKIT_REQUIRE_LIBREOFFICE"] === "1"
const withPython = required || isThere("python3")
const withLibreOffice = required || isThere("soffice")
if (!withPython) console.warn("SKIPPED: python3 is not installed, so no file is read back by it.")
if (!withLibreOffice) console.warn("SKIPPED: LibreOffice is not installed, so no file is read back by it.")

/** One apostrophe before what a spreadsheet might evaluate, and before what looks guarded already: texts only, numbers never. */
const guarded = (text: string): string =>
  /^'*[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n]/u.test(text) ? `'${text}` : text

/** What the file should hold, by the wire's names: made here, not by the tables that wrote it. */
const expected = (contract: Contract): Readonly<Record<string, string>> => {
  const text = (value: unknown): string =>
    value === null || value === undefined
      ? ""
      : typeof value === "string"
        ? guarded(value.toWellFormed().replaceAll("\0", ""))
        : Json.stringify(Json.parse(Json.stringify(value)))
  const { listing, ...own } = contract
  return Object.fromEntries([
    ...Object.entries(own).map(([member, value]) => [member, text(value)]),
    ...["id", "slug", "title", "city", "area"].map((member) => [
      `listing.${member}`,
      text(listing?.[member as keyof typeof listing]),
    ]),
    ["extra", ""],
  ])
}

/** LibreOffice shows every line break in the same way. */
const shown = (rows: ReadonlyArray<Readonly<Record<string, string>>>) =>
  rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell.replaceAll(/\r\n?/g, "\n")])),
  )

const toJson = `
import csv, json, sys
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    json.dump(list(csv.DictReader(file, strict=True)), sys.stdout)
`

const contracts = Number(process.env["DEEDKIT_ROWS"] ?? 2_500)

describe(`a CSV file of ${contracts} contracts, with every text that hurts`, () => {
  let csv: Bench
  let records: ReadonlyArray<Readonly<Record<string, string>>>
  const file = () => join(csv.folder, "x.csv")

  beforeAll(async () => {
    csv = await bench({ contracts, hurting: true })
    records = csv.emulator.store.contracts.map(expected)
    const { code } = await csv.run(
      "export contracts --headers api --rate 0 --page-size 1000 --out x.csv".split(" "),
    )
    if (code !== 0) throw new Error(`the export ended with ${code}`)
  })
  afterAll(() => csv[Symbol.asyncDispose]())

  it.runIf(withPython)("is read by Python's csv module, value by value, as the service has it", async () => {
    const { stdout } = await execute("python3", ["-c", toJson, file()], { maxBuffer: 64_000_000 })
    expect(JSON.parse(stdout)).toEqual(records)
  })

  it.runIf(withLibreOffice)(
    "is read by LibreOffice, value by value, as the service has it",
    async () => {
      const columns = Object.keys(records[0]!).length
      const asText = Array.from({ length: columns }, (_, index) => `${index + 1}/2`).join("/")
      await execute(
        "soffice",
        [
          `-env:UserInstallation=file://${join(csv.folder, "profile")}`,
          "--headless",
          `--infilter=CSV:44,34,76,1,${asText}`,
          "--convert-to",
          "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false",
          "--outdir",
          join(csv.folder, "read-back"),
          file(),
        ],
        { timeout: 120_000 },
      )
      const text = await csv.file("read-back/x.csv")
      const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true })
      expect(shown(data)).toEqual(shown(records))
    },
    150_000,
  )

  it.runIf(withLibreOffice)(
    "holds dates for LibreOffice with --for libreoffice, and texts without",
    async () => {
      const dates = async (flavour: string): Promise<number> => {
        const flags = `--columns created_at --where status=active --rate 0 --for ${flavour} --out ${flavour}.csv`
        await csv.run(`export contracts ${flags}`.split(" "))
        await execute(
          "soffice",
          [
            `-env:UserInstallation=file://${join(csv.folder, "profile-dates")}`,
            "--headless",
            "--infilter=CSV:44,34,76,1",
            "--convert-to",
            "fods",
            "--outdir",
            join(csv.folder, "dates"),
            join(csv.folder, `${flavour}.csv`),
          ],
          { timeout: 120_000 },
        )
        const sheet = await csv.file(`dates/${flavour}.fods`)
        return sheet.match(/office:value-type="date"/g)?.length ?? 0
      }
      const active = csv.emulator.store.contracts.filter(({ status }) => status === "active")
      const real = active.filter(({ created_at: at }) => /^(?:19|20)/.test(at))
      expect(await dates("libreoffice")).toBe(real.length)
      expect(await dates("rfc4180")).toBe(0)
    },
    250_000,
  )

  it.runIf(withLibreOffice)(
    "holds no cell that LibreOffice evaluates",
    async () => {
      await writeFile(join(csv.folder, "control.csv"), "cell\r\n=40+2\r\n")
      const values = async (name: string): Promise<string> => {
        const profile = `-env:UserInstallation=file://${join(csv.folder, "profile-plain")}`
        const outdir = join(csv.folder, "fods")
        await execute(
          "soffice",
          [
            profile,
            "--headless",
            "--infilter=CSV:44,34,76,1",
            "--convert-to",
            "fods",
            "--outdir",
            outdir,
            join(csv.folder, name),
          ],
          { timeout: 120_000 },
        )
        return csv.file(`fods/${name.replace(".csv", ".fods")}`)
      }
      expect(await values("control.csv")).toContain("table:formula=")
      expect(await values("x.csv")).not.toContain("table:formula=")
    },
    250_000,
  )
})
