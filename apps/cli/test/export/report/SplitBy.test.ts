import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readFile, utils } from "xlsx"
import { fileNames } from "../../../src/export/SplitBy.ts"
import { bench } from "../../harness/Cli.ts"

const rowsOf = (path: string, sheet: string): ReadonlyArray<ReadonlyArray<unknown>> =>
  utils.sheet_to_json<Array<unknown>>(readFile(path).Sheets[sheet]!, { header: 1, defval: null })

const exporting = ["export", "report", "--rate", "0"]
const idsIn = (path: string, sheet = "Contracts") =>
  rowsOf(path, sheet)
    .slice(1)
    .map(([id]) => id)
const sorted = (ids: ReadonlyArray<unknown>) => ids.map(Number).toSorted((one, other) => one - other)
const workbooks = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith(".xlsx"))

describe("the name of a file for a value", () => {
  const hostile = [
    "../../etc/passwd",
    "..",
    ".",
    "",
    " ",
    "a/b",
    "a\\b",
    "C:",
    "con",
    "NUL.txt",
    "x".repeat(400),
    "東".repeat(300),
    "{date}",
    "{table}",
    "$&",
    "a\nb\0c",
    "\u202eexe.txt",
    "\ud800",
    "-",
    '*?<>|"',
  ]

  it.each(hostile)("names a file in the folder of the others, whatever the value is: %j", (value) => {
    const [name] = fileNames([value])
    expect(name).toMatch(/^[^-~./\\:*?"<>|{}\p{C}][^/\\:*?"<>|{}\p{C}]*$/u)
    expect(name).not.toMatch(/[. ]$/)
    expect(Buffer.byteLength(name!)).toBeLessThanOrEqual(121)
    expect(name).not.toMatch(/^(?:con|nul)\b/i)
  })

  it("is another one for each value, also where case and accents do not count", () => {
    const values = [...hostile, "Athens", "ATHENS", "athens", "athens 2", "Ath\u00e9ns", "Athe\u0301ns"]
    const names = fileNames(values)
    expect(new Set(names.map((name) => name.toLowerCase().normalize("NFD"))).size).toBe(values.length)
  })
})

describe("a report that is split by a column", () => {
  it("is a workbook for each value, which together hold every contract once, from one read", async () => {
    await using it = await bench({ contracts: 250 })
    const args = [...exporting, "--split-by", "city", "--out", "by/{value}.xlsx"]
    const { code, stderr } = await it.run(args)
    expect(code).toBe(0)
    expect(stderr.match(/250 contracts in/g)).toHaveLength(1)
    const lists = it.emulator.journal.entries.filter(({ path }) => path.startsWith("/v1/contracts/")).length
    expect(lists).toBeLessThan(8)
    const { contracts } = it.emulator.store
    const names = await workbooks(join(it.folder, "by"))
    const cities = new Set(contracts.map(({ listing }) => listing?.city || "none"))
    expect(new Set(names.map((name) => name.normalize("NFC")))).toEqual(
      new Set([...cities].map((city) => `${city}.xlsx`)),
    )
    const all = names.flatMap((name) => idsIn(join(it.folder, "by", name)))
    expect(sorted(all)).toEqual(sorted(contracts.map(({ id }) => id)))
    const inAthens = contracts.filter(({ listing }) => listing?.city === "Athens")
    const athens = join(it.folder, "by", "Athens.xlsx")
    expect(sorted(idsIn(athens))).toEqual(sorted(inAthens.map(({ id }) => id)))
    const cover = rowsOf(athens, "Cover").flat()
    expect(cover.find((text) => String(text).endsWith(" · Athens"))).toBeDefined()
    expect(cover).toContain("listing.city=Athens")
    expect(cover).toContain(
      `Complete: ${inAthens.length} contracts, all that met the conditions and existed during the whole read.`,
    )
  })

  it("is one workbook with a sheet for each value where the name has no place for it", async () => {
    await using it = await bench({ contracts: 60 })
    const [one, two, three, four, five] = it.emulator.store.contracts
    const hostile = ["[Annex]: ../a*b?", "x".repeat(40), "ATHENS", "Athens", "\u202egnp.exe"]
    for (const [at, contract] of [one, two, three, four, five].entries())
      it.emulator.store.update(contract!.id, { unit_label: hostile[at]! })
    const args = [...exporting, "--split-by", "unit_label", "--out", "r.xlsx"]
    expect((await it.run(args)).code).toBe(0)
    const path = join(it.folder, "r.xlsx")
    const [cover, ...sheets] = readFile(path).SheetNames
    expect(cover).toBe("Cover")
    const derived = new Set(["Units", "Cities", "Months", "Source"])
    const lists = sheets.filter((name) => !derived.has(name))
    expect(sorted(lists.flatMap((name) => idsIn(path, name)))).toEqual(
      sorted(it.emulator.store.contracts.map(({ id }) => id)),
    )
    expect(lists.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(["athens", "athens 2"]))
    expect(readFile(path).SheetNames.join("")).not.toContain("\u202e")
    expect(rowsOf(path, "Cover").flat()).toContain(
      "Complete: 60 contracts, all that existed during the whole read.",
    )
  })

  it("splits by a member of the data payload, with one request for each contract", async () => {
    await using it = await bench({ contracts: 20 })
    const args = ["--data", "--columns", "id,extra.data.rent.currency"]
    const split = ["--split-by", "extra.data.rent.currency", "--out", "{value}.xlsx"]
    expect((await it.run([...exporting, ...args, ...split])).code).toBe(0)
    const singles = it.emulator.journal.entries.filter(({ query }) => query["include_data"] === "1")
    expect(singles).toHaveLength(20)
    const names = await workbooks(it.folder)
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) {
      const currencies = rowsOf(join(it.folder, name), "Contracts")
        .slice(1)
        .map(([, currency]) => `${String(currency)}.xlsx`)
      expect(new Set(currencies)).toEqual(new Set([name]))
    }
  })

  it("writes every workbook of a list that is not shown to be complete, and ends with that verdict", async () => {
    await using it = await bench({ contracts: 250 })
    const args = [...exporting, "--quick", "--split-by", "status", "--out", "{value}.xlsx"]
    expect((await it.run(args)).code).toBe(9)
    const statuses = new Set(it.emulator.store.contracts.map(({ status }) => status))
    expect(await workbooks(it.folder)).toHaveLength(statuses.size)
  })

  it.each([
    [["--with-keys"], "--split-by and --with-keys cannot be combined"],
    [["--resume"], "--split-by and --resume cannot be combined"],
    [["--dry-run"], "--split-by and --dry-run cannot be combined"],
    [["--out", "other.xlsx"], "Some names of --out have {value}, and others do not"],
    [["--split-by", "cty"], 'Did you mean "listing.city"?'],
  ])("is refused with %j", async (more, sentence) => {
    await using it = await bench({ contracts: 3 })
    const base = more.includes("--split-by") ? [] : ["--split-by", "city"]
    const { code, stderr } = await it.run([...exporting, ...base, "--out", "{value}.xlsx", ...more])
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
    expect(await workbooks(it.folder)).toEqual([])
  })

  it("is refused with more values than a workbook has sheets for", async () => {
    await using it = await bench({ contracts: 120 })
    const { code, stderr } = await it.run([...exporting, "--split-by", "id", "--out", "r.xlsx"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("{value}")])
  })

  it("has a name with {value} only where it is split", async () => {
    await using it = await bench({ contracts: 3 })
    const { code, stderr } = await it.run([...exporting, "--out", "{value}.xlsx"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("There is no placeholder {value}")])
  })
})
