import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readFile, utils } from "xlsx"
import { bench } from "../../harness/Cli.ts"

/** The rows of a sheet, headings included. */
const rowsOf = (path: string, sheet: string): ReadonlyArray<ReadonlyArray<unknown>> =>
  utils.sheet_to_json<Array<unknown>>(readFile(path).Sheets[sheet]!, { header: 1, defval: null })

const exporting = ["export", "report", "--rate", "0", "--quiet", "--out"]

describe("a report", () => {
  it("says on its cover whether it is complete, what it counts, and what the service does not give", async () => {
    await using it = await bench({ contracts: 60 })
    expect((await it.run([...exporting, "march.xlsx"])).code).toBe(0)
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
      ["Contracts", "Units", "Months", "API keys"].map((sheet) => rowsOf(join(it.folder, "r.xlsx"), sheet))
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
