import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readFile, utils } from "xlsx"
import type { CellObject } from "xlsx"
import { bench } from "../../harness/Cli.ts"

/** The rows of a sheet, headings included. */
const rowsOf = (path: string, sheet: string): ReadonlyArray<ReadonlyArray<unknown>> =>
  utils.sheet_to_json<Array<unknown>>(readFile(path).Sheets[sheet]!, { header: 1, defval: null })

const exporting = ["export", "report", "--rate", "0", "--quiet", "--out"]

describe("a report", () => {
  it("says on its cover whether it is complete, what it counts, and what the service does not give", async () => {
    await using it = await bench({ contracts: 60 })
    expect((await it.run([...exporting, "march.xlsx", "--with-keys"])).code).toBe(0)
    const path = join(it.folder, "march.xlsx")
    const cover = rowsOf(path, "Cover")
      .flat()
      .filter((cell) => cell !== null)
      .map(String)
    const keys = it.emulator.store.apiKeys.length
    expect(cover).toContain(
      `Complete: 60 contracts and ${keys} API keys, all that existed during the whole read.`,
    )
    expect(cover.join("\n")).toMatch(/Start, end, rent and tenant of a contract\./)
    const [, ...months] = rowsOf(path, "Months")
    const sum = (column: number) => months.reduce((total, row) => total + Number(row[column]), 0)
    const { contracts } = it.emulator.store
    expect([sum(1), sum(2), sum(3)]).toEqual([
      60,
      60,
      contracts.filter(({ status }) => status === "ended").length,
    ])
    const [headings, ...units] = rowsOf(path, "Units")
    const counts = units.map((row) => Number(row[headings!.indexOf("Contracts so far")]))
    expect(counts.reduce((total, count) => total + count, 0)).toBe(60)
    expect(rowsOf(path, "API keys")[0]).toEqual(expect.arrayContaining(["Priority", "Findings"]))
  })

  it("says on its cover that it is not shown to be complete, and why", async () => {
    await using it = await bench({ contracts: 250 })
    const { code } = await it.run([...exporting, "march.xlsx", "--quick"])
    expect(code).toBe(9)
    const cover = rowsOf(join(it.folder, "march.xlsx"), "Cover").flat().map(String)
    expect(cover.find((text) => text.startsWith("Not shown to be complete (unverified)."))).toMatch(
      /Pages of contracts do not overlap/,
    )
  })

  it("holds the same after it was interrupted and resumed", async () => {
    const env = { SOURCE_DATE_EPOCH: "1772357400" }
    await using it = await bench({ contracts: 250 })
    const sheets = () =>
      ["Contracts", "Units", "Months"].map((sheet) => rowsOf(join(it.folder, "r.xlsx"), sheet))
    expect((await it.run([...exporting, "r.xlsx"], { env })).code).toBe(0)
    const whole = sheets()
    it.emulator.faults.set(["server-error:page=3"])
    expect((await it.run([...exporting, "r.xlsx", "--overwrite", "--attempts", "1"], { env })).code).not.toBe(
      0,
    )
    expect(await it.files()).toContain("r.xlsx.part.records")
    it.emulator.faults.set([])
    expect((await it.run([...exporting, "r.xlsx", "--overwrite", "--resume"], { env })).code).toBe(0)
    expect(sheets()).toEqual(whole)
  })

  /** The rows of the cover that hold something. */
  const coverOf = (path: string) => rowsOf(path, "Cover").filter((row) => row.some((cell) => cell !== null))
  const sheetsOf = (path: string) => readFile(path).SheetNames
  const columnOf = (path: string, sheet: string, heading: string): ReadonlyArray<unknown> => {
    const [headings, ...rows] = rowsOf(path, sheet)
    return rows.map((row) => row[headings!.indexOf(heading)])
  }

  it("needs no scope but read:contracts, and holds nothing of keys", async () => {
    await using it = await bench({ contracts: 20 })
    const key = { env: { DEEDKIT_API_KEY: it.emulator.secrets.contractsOnly } }
    expect((await it.run([...exporting, "march.xlsx"], key)).code).toBe(0)
    const path = join(it.folder, "march.xlsx")
    expect(sheetsOf(path)).toEqual(["Cover", "Contracts", "Units", "Cities", "Months", "Source"])
    expect(rowsOf(path, "Cover").flat()).toContain(
      "Complete: 20 contracts, all that existed during the whole read.",
    )
    expect(it.emulator.journal.entries.some(({ path: asked }) => asked.includes("api-keys"))).toBe(false)
  })

  it.each([
    { place: "first", sheets: ["Cover", "Contracts", "Units", "Cities", "Months", "Source"] },
    { place: "last", sheets: ["Contracts", "Units", "Cities", "Months", "Source", "Cover"] },
    { place: "none", sheets: ["Contracts", "Units", "Cities", "Months", "Source"] },
  ])("has its cover at the place that is asked for: $place", async ({ place, sheets }) => {
    await using it = await bench({ contracts: 20 })
    expect((await it.run([...exporting, "march.xlsx", "--cover", place])).code).toBe(0)
    const path = join(it.folder, "march.xlsx")
    expect(sheetsOf(path)).toEqual(sheets)
    expect(rowsOf(path, "Contracts")).toHaveLength(21)
    if (place !== "none")
      expect(coverOf(path).flat()).toContain(
        "Complete: 20 contracts, all that existed during the whole read.",
      )
  })

  it("is titled by the account's name at the service, or as asked", async () => {
    await using it = await bench({ contracts: 3 })
    const { body } = await it.emulator
      .fetch(
        new Request("http://emulator/v1/me/", { headers: { authorization: `Bearer ${it.emulator.apiKey}` } }),
      )
      .then(async (answer) => ({ body: await answer.json() }))
    await it.run([...exporting, "one.xlsx"])
    const name = (body as { readonly account: { readonly name: string } }).account.name
    expect(coverOf(join(it.folder, "one.xlsx"))[0]![0]).toBe(`Contracts of ${name}`)
    await it.run([...exporting, "two.xlsx", "--title", "Sea View\u202e", "--prepared-for", "A. Papadaki"])
    const [title, subtitle] = coverOf(join(it.folder, "two.xlsx"))
    expect(title![0]).toBe("Sea View")
    expect(subtitle![0]).toMatch(
      /^Prepared for A\. Papadaki\. As the service listed them, read on \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC$/,
    )
  })

  it("names statuses and kinds as people do, and leaves others as they came", async () => {
    await using it = await bench({ contracts: 3 })
    const [one, two, three] = it.emulator.store.contracts
    it.emulator.store.update(one!.id, { status: "active", kind: "rent" })
    it.emulator.store.update(two!.id, { status: "ended", kind: "rent" })
    it.emulator.store.update(three!.id, { status: "On_hold!", kind: "sublet" })
    await it.run([...exporting, "march.xlsx"])
    const path = join(it.folder, "march.xlsx")
    for (const sheet of ["Contracts", "Units"]) {
      expect(new Set(columnOf(path, sheet, "Status"))).toEqual(new Set(["Active", "Ended", "On_hold!"]))
      expect(new Set(columnOf(path, sheet, "Kind"))).toEqual(new Set(["Rent", "sublet"]))
    }
    expect(new Set(columnOf(path, "Units", "Occupancy"))).toEqual(new Set(["Occupied", "Vacant", null]))
  })

  it.each([
    {
      locale: { LANG: "el_GR.UTF-8" },
      flags: [],
      sheets: ["Εξώφυλλο", "Συμβόλαια", "Μονάδες", "Πόλεις", "Μήνες", "Προέλευση"],
      verdict: "Πλήρες: 3 συμβόλαια, όλα όσα υπήρχαν σε όλη τη διάρκεια της ανάγνωσης.",
      statuses: ["Ενεργό", "Έληξε", "On_hold!"],
      vacant: "Κενή",
      formats: ["dd/mm/yyyy", "[$-408]mmm yyyy"],
    },
    {
      locale: { LC_ALL: "el_GR", LANG: "en_US" },
      flags: ["--lang", "pt"],
      sheets: ["Capa", "Contratos", "Unidades", "Cidades", "Meses", "Origem"],
      verdict: "Completo: 3 contratos, tudo o que existia durante toda a leitura.",
      statuses: ["Ativo", "Terminado", "On_hold!"],
      vacant: "Livre",
      formats: ["dd/mm/yyyy", "[$-816]mmm yyyy"],
    },
  ])("is in the language of the machine, or as asked: $verdict", async (expected) => {
    await using it = await bench({ contracts: 3 })
    const [one, two, three] = it.emulator.store.contracts
    it.emulator.store.update(one!.id, { status: "active", kind: "rent" })
    it.emulator.store.update(two!.id, { status: "ended", kind: "rent" })
    it.emulator.store.update(three!.id, { status: "On_hold!", kind: "sublet" })
    const { flags, locale, sheets } = expected
    expect((await it.run([...exporting, "march.xlsx", ...flags], { env: locale })).code).toBe(0)
    const path = join(it.folder, "march.xlsx")
    expect(sheetsOf(path)).toEqual(sheets)
    expect(rowsOf(path, sheets[0]!).flat()).toContain(expected.verdict)
    const inSheet = (at: number) => rowsOf(path, sheets[at]!).flat()
    expect(inSheet(1)).toEqual(expect.arrayContaining(expected.statuses))
    expect(inSheet(2)).toEqual(expect.arrayContaining([...expected.statuses, expected.vacant]))
    const formats = readFile(path, { cellNF: true })
    const formatsOf = (at: number) =>
      Object.values(formats.Sheets[sheets[at]!]!).map(({ z }: CellObject) => z)
    expect([formatsOf(1), formatsOf(4)].map((all, at) => all.includes(expected.formats[at]))).toEqual([
      true,
      true,
    ])
  })

  it("counts contracts by status and vacant units of each city, as the units say", async () => {
    await using it = await bench({ contracts: 120 })
    expect((await it.run([...exporting, "march.xlsx"])).code).toBe(0)
    const path = join(it.folder, "march.xlsx")
    const [headings, ...cities] = rowsOf(path, "Cities")
    const { contracts } = it.emulator.store
    const [cityOf, occupancyOf] = ["City", "Occupancy"].map((name) => columnOf(path, "Units", name))
    expect(cities).toHaveLength(new Set(contracts.map(({ listing }) => listing?.city || "(none)")).size)
    for (const row of cities) {
      const of = (heading: string) => row[headings!.indexOf(heading)]
      const own = contracts.filter(({ listing }) => (listing?.city || "(none)") === row[0])
      const count = (status: string) => own.filter((each) => each.status === status).length
      const known = ["active", "draft", "ended"].map(count)
      const rest = own.length - known.reduce((sum, each) => sum + each, 0)
      expect(row.slice(1, 6)).toEqual([own.length, ...known, rest])
      const units = occupancyOf!.filter((_, at) => (cityOf![at] ?? "(none)") === row[0])
      expect([of("Units occupied"), of("Units vacant")]).toEqual(
        ["Occupied", "Vacant"].map((word) => units.filter((each) => each === word).length),
      )
    }
    const vacant = occupancyOf!.filter((each) => each === "Vacant").length
    expect(rowsOf(path, "Cover").flat().join("\n")).toMatch(new RegExp(` occupied and ${vacant} vacant`))
  })

  it("adds up the amounts of the data payloads by currency, with --data", async () => {
    await using it = await bench({ contracts: 40 })
    const rent = "extra.data.rent"
    const columns = ["--data", "--columns", `status,${rent}.currency,${rent}.amount`]
    expect((await it.run([...exporting, "march.xlsx", ...columns])).code).toBe(0)
    const path = join(it.folder, "march.xlsx")
    const [, ...contracts] = rowsOf(path, "Contracts")
    const currencies = [...new Set(contracts.map(([, currency]) => String(currency)))].toSorted()
    expect(currencies.length).toBeGreaterThan(1)
    const [, ...amounts] = rowsOf(path, "Amounts")
    for (const currency of currencies) {
      const own = contracts.filter(([, each]) => each === currency)
      const total = own.reduce((sum, [, , amount]) => sum + Number(amount), 0)
      const rows = amounts.filter(([member, each]) => member === "data.rent" && each === currency)
      expect(rows.reduce((sum, row) => sum + Number(row[4]), 0)).toBeCloseTo(total, 6)
      expect(rows.reduce((sum, row) => sum + Number(row[3]), 0)).toBe(own.length)
      expect(
        rowsOf(path, "Cover")
          .flat()
          .map(String)
          .find((text) => text.includes(` ${currency} in `)),
      ).toMatch(new RegExp(` in ${own.length} contracts?, of which `))
    }
    const formats = readFile(path, { cellNF: true }).Sheets["Contracts"]!
    expect((formats["C2"] as CellObject).z).toBe("#,##0.00")
  })

  it("adds up the amounts of payloads that a mirror has, and has no such sheet where there are none", async () => {
    await using it = await bench({ contracts: 12 })
    const path = join(it.folder, "march.xlsx")
    const mirror = join(it.folder, "mirror.sqlite")
    const reporting = ["export", "report", "--quiet", "--out", path, "--overwrite", "--from", mirror]
    const unknown = "Start, end, rent and tenant of a contract."
    for (const [flags, isThere] of [[[], false] as const, [["--data"], true] as const]) {
      expect((await it.call(["sync", "--to", mirror, "--rate", "0", ...flags])).code).toBe(0)
      expect((await it.call(reporting)).code).toBe(0)
      const cover = rowsOf(path, "Cover").flat().map(String)
      expect(readFile(path).SheetNames.includes("Amounts")).toBe(isThere)
      expect(cover.includes("Amounts")).toBe(isThere)
      expect(cover.some((text) => text.startsWith(unknown))).toBe(!isThere)
    }
    const total = rowsOf(path, "Amounts")
      .slice(1)
      .map(([, , , contracts]) => Number(contracts))
    expect(total.reduce((sum, contracts) => sum + contracts, 0)).toBe(12)
  })

  it("has days of members that are named as such, in the reader's zone, and leaves other values as they are", async () => {
    await using it = await bench({ contracts: 6 })
    const { contracts } = it.emulator.store
    const days = ["2026-02-28", "2026-02-30T10:00:00Z", "March 7", 7, null, "2026-03-01T23:30:00Z"]
    for (const [at, { id }] of contracts.entries())
      it.emulator.store.update(id, Object.fromEntries([["lease_date", days[at]!]]))
    const path = join(it.folder, "march.xlsx")
    const flags = ["--columns", "extra.lease_date", "--time-zone", "Europe/Athens"]
    expect((await it.call([...exporting, path, ...flags])).code).toBe(0)
    const sheet = readFile(path, { cellNF: true }).Sheets["Contracts"]!
    const cells = [1, 2, 3, 4, 5, 6, 7].map((row) => sheet[`A${row}`] as CellObject | undefined)
    expect(cells.map((cell) => cell?.v)).toEqual([
      "lease_date (Europe/Athens)",
      "2026-02-28",
      "2026-02-30T10:00:00Z",
      "March 7",
      7,
      undefined,
      expect.closeTo(46_083 + 1.5 / 24, 6),
    ])
    expect(cells[6]?.z).toBe("yyyy-mm-dd")
  })

  it("shows days and months, and holds the whole times", async () => {
    await using it = await bench({ contracts: 5 })
    await it.run([...exporting, "march.xlsx"])
    const { Sheets } = readFile(join(it.folder, "march.xlsx"), { cellNF: true })
    const cellOf = (sheet: string, heading: string): CellObject => {
      const cells = utils.sheet_to_json<Array<unknown>>(Sheets[sheet]!, { header: 1 })
      return Sheets[sheet]![utils.encode_cell({ r: 1, c: cells[0]!.indexOf(heading) })] as CellObject
    }
    const created = cellOf("Contracts", "Created (UTC)")
    const serial = 25_569 + Date.parse(it.emulator.store.contracts[0]!.created_at) / 86_400_000
    expect([created.t, created.z]).toEqual(["n", "yyyy-mm-dd"])
    expect(created.v).toBeCloseTo(serial, 5)
    expect(cellOf("Units", "Updated (UTC)").z).toBe("yyyy-mm-dd")
    const month = cellOf("Months", "Month (UTC)")
    expect([month.t, month.z]).toEqual(["n", "mmm yyyy"])
  })

  it("holds the contracts that meet conditions, in a time zone, and says so", async () => {
    await using it = await bench({ contracts: 60 })
    const args = ["march.xlsx", "--where", "status=active", "--time-zone", "Europe/Athens"]
    expect((await it.run([...exporting, ...args])).code).toBe(0)
    const path = join(it.folder, "march.xlsx")
    const active = it.emulator.store.contracts.filter(({ status }) => status === "active").length
    expect(columnOf(path, "Contracts", "Status")).toEqual(Array(active).fill("Active"))
    expect(rowsOf(path, "Contracts")[0]).toContain("Created (Europe/Athens)")
    expect(rowsOf(path, "Units")[0]).toContain("Created (Europe/Athens)")
    const cover = rowsOf(path, "Cover").flat().join("\n")
    expect(cover).toContain(
      `Complete: ${active} contracts, all that met the conditions and existed during the whole read.`,
    )
    expect(cover).toContain("status=active")
    expect(cover).toContain("(Europe/Athens)")
  })

  it.each([
    ["Europe/Athens", "Europe/Athens"],
    ["Etc/UTC", "UTC"],
    ["Nowhere/Land", "UTC"],
  ])("has times in the zone of the machine, TZ=%s as %s", async (TZ, zone) => {
    await using it = await bench({ contracts: 3 })
    const [one] = it.emulator.store.contracts
    it.emulator.store.update(one!.id, { created_at: "2026-02-28T23:30:00Z" })
    expect((await it.run([...exporting, "march.xlsx"], { env: { TZ } })).code).toBe(0)
    const path = join(it.folder, "march.xlsx")
    const row = columnOf(path, "Contracts", "Contract").indexOf(one!.id)
    const created = Number(columnOf(path, "Contracts", `Created (${zone})`)[row])
    const local = zone === "UTC" ? "2026-02-28T23:30:00Z" : "2026-03-01T01:30:00Z"
    expect(created).toBeCloseTo(25_569 + Date.parse(local) / 86_400_000, 5)
    expect(rowsOf(path, "Source")).toContainEqual(["Times are in", zone])
  })

  it("says on its last sheet where it is from, and nothing of that on the cover", async () => {
    await using it = await bench({ contracts: 20 })
    await it.run([...exporting, "march.xlsx"])
    const path = join(it.folder, "march.xlsx")
    const source = new Map(rowsOf(path, "Source").map(([what, value]) => [what, String(value)]))
    expect(source.get("Verdict")).toBe("complete")
    expect(source.get("Made by")).toMatch(/^deedkit /)
    const cover = rowsOf(path, "Cover").flat().join("\n")
    for (const what of ["Service", "Key fingerprint", "Made by"])
      expect(cover).not.toContain(source.get(what))
  })

  it.each(["march.csv", "march", "march.json"])("is refused as %s, which is no workbook", async (name) => {
    await using it = await bench()
    const { code, stderr } = await it.call([...exporting, join(it.folder, name)])
    expect([code, stderr]).toEqual([2, expect.stringContaining("A report is a workbook")])
    expect(await it.files()).toEqual([])
  })

  it.each(["http://site.example/{slug}", "https://site.example/", "https://{slug}.example/"])(
    "takes no links like %s",
    async (link) => {
      await using it = await bench()
      const { code, stderr } = await it.call([...exporting, join(it.folder, "r.xlsx"), "--link", link])
      expect([code, stderr]).toEqual([2, expect.stringContaining("is not the address of a public page")])
    },
  )
})

describe("an export of all lists", () => {
  const everything = ["export", "all", "--rate", "0", "--out", "all.xlsx"]

  it("leaves API keys out where the key may not read them, and says so", async () => {
    await using it = await bench({ contracts: 20 })
    const { code, stderr } = await it.run([...everything, "--quiet"], {
      env: { DEEDKIT_API_KEY: it.emulator.secrets.contractsOnly },
    })
    expect([code, stderr]).toEqual([0, "API keys are left out: the key lacks the scope read:api_keys.\n"])
    expect(readFile(join(it.folder, "all.xlsx")).SheetNames).toEqual(["Contracts", "Summary"])
  })

  it("still fails for a key that may read nothing, and where keys cannot be read for another reason", async () => {
    await using it = await bench({ contracts: 20 })
    const env = { DEEDKIT_API_KEY: it.emulator.secrets.noScopes }
    expect((await it.run(everything, { env })).code).toBe(5)
    it.emulator.faults.set(["server-error:path=/v1/api-keys/"])
    expect((await it.run([...everything, "--attempts", "1"])).code).toBe(7)
  })

  it("selects contracts, and no keys", async () => {
    await using it = await bench({ contracts: 60 })
    const chosen = ["--where", "status=active", "--columns", "id,status"]
    expect((await it.run([...everything, ...chosen])).code).toBe(0)
    const path = join(it.folder, "all.xlsx")
    const active = it.emulator.store.contracts.filter(({ status }) => status === "active")
    expect(rowsOf(path, "Contracts")).toEqual([
      ["Contract", "Status"],
      ...active.map(({ id, status }) => [id, status]),
    ])
    expect(rowsOf(path, "API keys")).toHaveLength(1 + it.emulator.store.apiKeys.length)
  })
})
