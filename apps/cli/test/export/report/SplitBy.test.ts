import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { readFile, utils } from "xlsx"
import { fileNames } from "../../../src/export/SplitBy.ts"
import { bench } from "../../harness/Cli.ts"
import { call } from "../../harness/InProcess.ts"

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

  it("is none for contracts without a value, and for no others", () => {
    expect(fileNames(["none", "None", "..", ""])).toEqual(["none 2", "None 3", "_", "none"])
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

  it.each(["{value}.xlsx", "r.xlsx"])(
    "judges rejected records by the whole list, and not by a part of it: --out %s",
    async (out) => {
      await using it = await bench({ contracts: 250 })
      it.emulator.faults.set(["missing-field:records=1"])
      const { code, stderr } = await it.run([...exporting, "--split-by", "status", "--out", out])
      expect([code, stderr]).toEqual([9, expect.stringMatching(/^3 records are not as specified/m)])
      const statuses = new Set(it.emulator.store.contracts.map(({ status }) => status))
      const made = await workbooks(it.folder)
      expect(made).toHaveLength(out === "r.xlsx" ? 1 : statuses.size)
      for (const name of made) {
        const rejected = await it.file(`${name}.rejected.ndjson`)
        expect(rejected.trim().split("\n")).toHaveLength(3)
      }
    },
  )

  it("rejects records whose data cannot be judged by the condition, although no part has them", async () => {
    await using it = await bench({ contracts: 3 })
    it.emulator.faults.set(["wrong-record:path=/v1/contracts/"])
    const args = ["--data", "--where", "extra.data.rent.currency=EUR", "--split-by", "status"]
    const { code, stderr } = await it.run([...exporting, ...args, "--out", "{value}.xlsx"])
    expect([code, stderr]).toEqual([9, expect.stringContaining("3 records are not as specified")])
    expect(stderr).not.toContain("saved in")
  })

  it("stops at too many rejected records of the whole list, and writes nothing", async () => {
    await using it = await bench({ contracts: 250 })
    it.emulator.faults.set(["missing-field:records=3"])
    const args = [...exporting, "--split-by", "status", "--out", "{value}.xlsx", "--max-rejects", "2"]
    expect((await it.run(args)).code).toBe(8)
    expect(await workbooks(it.folder)).toEqual([])
  })

  it.each([
    [["--columns", "id,citty"], /citty/],
    [["--sort", "nope"], /nope/],
    [["--time-zone", "Europe/Athen"], /Europe\/Athen/],
    [["--keep", "30d"], /\{date\}/],
    [["--out", "{city}.xlsx"], /Use \{profile\}, \{table\}, \{date\} or \{value\}\./],
  ])("is refused before the first request with %j", async (more, sentence) => {
    await using it = await bench({ contracts: 3 })
    const out = more.includes("--out") ? [] : ["--out", "{value}.xlsx"]
    const { code, stderr } = await it.run([...exporting, "--split-by", "city", ...out, ...more])
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("replaces no workbook, and looks before it reads or writes", async () => {
    await using it = await bench({ contracts: 60 })
    const [last] = it.emulator.store.contracts
      .map(({ status }) => status)
      .toSorted()
      .slice(-1)
    await writeFile(join(it.folder, "r.xlsx"), "older")
    await writeFile(join(it.folder, `${last}.xlsx`), "older")
    const split = [...exporting, "--split-by", "status", "--out"]
    expect((await it.run([...split, "r.xlsx"])).code).toBe(10)
    expect(it.emulator.journal.entries).toEqual([])
    expect((await it.run([...split, "{value}.xlsx"])).code).toBe(10)
    expect((await workbooks(it.folder)).toSorted()).toEqual([`${last}.xlsx`, "r.xlsx"].toSorted())
    expect(await it.file(`${last}.xlsx`)).toBe("older")
  })

  it.each([
    [["--where", "status=nope"], 0],
    [["--where", "status=nope", "--fail-on-empty"], 12],
    [["--where", "status=nope", "--quick"], 9],
  ])("says that nothing was found, and keeps the verdict of the list, with %j", async (more, expected) => {
    await using it = await bench({ contracts: 250 })
    const args = [...exporting, "--split-by", "city", "--out", "{value}.xlsx", ...more]
    const { code, stderr } = await it.run(args)
    expect(code).toBe(expected)
    expect(stderr).toMatch(/^250 contracts in/m)
    expect(stderr).toContain('No contract has status "nope". Values seen:')
    expect(stderr).toContain("no workbook was written")
  })

  it("says of a condition what is true of the whole list, once", async () => {
    await using it = await bench({ contracts: 250 })
    const [one, two] = new Set(it.emulator.store.contracts.map(({ listing }) => listing?.city ?? ""))
    const where = ["--where", `city=${one},${two},Nowhere`]
    const args = [...exporting, "--quiet", ...where, "--split-by", "city", "--out", "{value}.xlsx"]
    const { code, stderr } = await it.run(args)
    expect(code).toBe(0)
    expect(stderr.match(/No contract has/g)).toHaveLength(1)
    expect(stderr).toContain('No contract has listing.city "Nowhere"')
  })

  it("names in each manifest what was new in the list, and prints a line of JSON for each workbook", async () => {
    await using it = await bench({ contracts: 20 })
    it.emulator.store.update(it.emulator.store.contracts[0]!.id, { status: "frozen" })
    const args = [...exporting, "--json", "--split-by", "status", "--out", "{value}.xlsx"]
    const { code, stdout } = await it.run(args)
    expect(code).toBe(0)
    const documents = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { manifest: { newValues: ReadonlyArray<string> } })
    expect(documents).toHaveLength((await workbooks(it.folder)).length)
    for (const { manifest } of documents) expect(manifest.newValues.join(" ")).toContain("frozen")
  })

  it("names every workbook by the day on which the export began", async () => {
    await using it = await bench({ contracts: 20 })
    const midnight = Date.parse("2026-03-02T00:00:00.000Z")
    // Midnight is between the request for the list and the first workbook.
    const millis = () => midnight + (it.emulator.journal.entries.length === 0 ? -1_000 : 1_000)
    const clock = await Effect.runPromise(
      Effect.map(Clock.Clock, (real) =>
        Object.assign(Object.create(real) as Clock.Clock, {
          currentTimeMillis: Effect.sync(millis),
          currentTimeMillisUnsafe: millis,
        }),
      ),
    )
    const out = ["--time-zone", "UTC", "--out", join(it.folder, "{date} {value}.xlsx")]
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey }
    const { code } = await call([...exporting, "--split-by", "status", ...out], { env, clock })
    expect(code).toBe(0)
    const days = (await workbooks(it.folder)).map((name) => name.slice(0, 10))
    expect(new Set(days)).toEqual(new Set(["2026-03-01"]))
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
