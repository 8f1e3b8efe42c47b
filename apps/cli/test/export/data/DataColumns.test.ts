import { join } from "node:path"
import { worded } from "@deedkit/export"
import { describe, expect, it } from "vitest"
import { readFile, utils } from "xlsx"
import { columnsOf } from "../../../src/export/DataColumns.ts"
import { bench } from "../../harness/Cli.ts"
import { contract } from "../../harness/Servers.ts"

describe("--data-columns", () => {
  it.each(["contracts", "report"])(
    "of export %s lists the members of the payloads as names for --columns, without a value, and writes no file",
    async (command) => {
      await using it = await bench({ contracts: 60 })
      const { code, stderr, stdout } = await it.call(
        ["export", command].concat("--data-columns --page-size 20 --rate 0 --json".split(" ")),
      )
      expect([code, stderr]).toEqual([0, ""])
      const columns = JSON.parse(stdout) as ReadonlyArray<{
        readonly column: string
        readonly contracts: number
      }>
      expect(columns).toContainEqual({ column: "extra.data.rent.amount", types: ["number"], contracts: 20 })
      expect(columns).toContainEqual({ column: "extra.data.parties", types: ["list"], contracts: 20 })
      expect(stdout).not.toMatch(/EUR|tenant|No pets/)
      expect(await it.files()).toEqual([])
      const asked = it.emulator.journal.entries.filter(({ query }) => query["include_data"] === "1")
      expect(asked).toHaveLength(20)
    },
  )

  it("sends nothing together with --dry-run", async () => {
    await using it = await bench()
    const { code, stderr } = await it.call(["export", "report", "--data-columns", "--dry-run"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("--dry-run sends nothing")])
    expect(it.emulator.journal.entries).toHaveLength(0)
  })

  it("says how many contracts it looked at", async () => {
    await using it = await bench({ contracts: 60 })
    const { stderr, stdout } = await it.call(["export", "report", "--data-columns", "--page-size", "7"])
    expect(stdout).toMatch(/^Column +Type +Contracts\n/)
    expect(stdout).toMatch(/^extra\.data\.deposit_months +number +7$/m)
    expect(stderr).toMatch(/\d+ members in the payloads of 7 contracts, those of the first page\./)
  })

  it("has a member once, with every type, and objects by their members", () => {
    expect(
      columnsOf([
        contract(1, { payload: { rent: { amount: 5 }, odd: [], none: {} } }),
        contract(2, { payload: { rent: null, odd: "text" }, price: 7n }),
        contract(3),
      ] as never),
    ).toEqual([
      { column: "extra.payload.rent.amount", types: ["number"], contracts: 1 },
      { column: "extra.payload.odd", types: ["list", "string"], contracts: 2 },
      { column: "extra.payload.none", types: ["object"], contracts: 1 },
      { column: "extra.payload.rent", types: ["null"], contracts: 1 },
      { column: "extra.price", types: ["number"], contracts: 1 },
    ])
  })

  it("ends for payloads of any depth and number of members", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`) as object
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`m${at}`, at]))
    expect(columnsOf([contract(1, { deep, many })] as never)).toHaveLength(500)
  })
})

describe("members of the payload as columns", () => {
  it("are in a report's sheet of contracts as numbers, as in every other export", async () => {
    await using it = await bench({ contracts: 30 })
    const chosen = ["--data", "--columns", "id,status,extra.data.rent.amount,extra.data.deposit_months"]
    for (const [command, name] of [
      ["report", "r.xlsx"],
      ["contracts", "c.xlsx"],
    ] as const) {
      const out = join(it.folder, name)
      expect((await it.call(["export", command, "--out", out, "--rate", "0", ...chosen])).code).toBe(0)
      const [headings, ...rows] = utils.sheet_to_json<Array<unknown>>(readFile(out).Sheets["Contracts"]!, {
        header: 1,
      })
      expect(headings).toEqual(["Contract", "Status", "data.rent.amount", "data.deposit_months"])
      const wanted = it.emulator.store.contracts.map((each) => {
        const { deposit_months, rent } = it.emulator.store.payloadOf(each) as {
          readonly deposit_months: number
          readonly rent: { readonly amount: number }
        }
        const status = command === "report" ? worded(each.status) : each.status
        return [each.id, status, rent.amount, deposit_months]
      })
      expect(rows).toEqual(wanted)
    }
  })

  it("are refused with the nearest name where there is no such column", async () => {
    await using it = await bench()
    const { code, stderr } = await it.call(
      "export report --columns statu --out".split(" ").concat(join(it.folder, "r.xlsx")),
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "status"?')])
  })
})
