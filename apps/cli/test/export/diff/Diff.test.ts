import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench, lastJson } from "../../harness/Cli.ts"

const exported = async (it: Bench, name: string, ...more: ReadonlyArray<string>): Promise<string> => {
  const path = join(it.folder, name)
  const { code } = await it.call(["export", "contracts", "--out", path, "--quiet", "--rate", "0", ...more])
  expect(code).toBe(0)
  return path
}

const setLabel = (it: Bench, unit_label: string): void => {
  for (const { id, updated_at } of it.emulator.store.contracts.slice(0, 1)) {
    it.emulator.store.update(id, { unit_label, updated_at })
  }
}

describe("deedkit export diff", () => {
  it("sees labels as they are, whatever the formula guard put before them", async () => {
    await using it = await bench({ contracts: 3 })
    setLabel(it, "=1+1")
    const [formula, lines] = [await exported(it, "a.csv"), await exported(it, "a.ndjson")]
    setLabel(it, "'=1+1")
    const [quoted, json] = [await exported(it, "b.csv"), await exported(it, "b.json")]
    for (const same of [
      [formula, lines],
      [quoted, json],
    ]) {
      const { stderr } = await it.call(["export", "diff", ...same])
      expect(stderr).toBe("0 added, 0 changed, 0 gone, 3 records are unchanged.\n")
    }
    const { stdout } = await it.call(["export", "diff", formula, quoted, "--json"])
    expect(JSON.parse(stdout)).toMatchObject({
      changed: 1,
      changes: [{ member: "unit_label", before: "=1+1", after: "'=1+1" }],
    })
  })

  it("sees no difference between formats of one export, whatever they look like inside", async () => {
    await using it = await bench({ contracts: 60 })
    for (const kind of ["contracts", "keys"]) {
      for (const chosen of [
        [],
        ["--columns", kind === "keys" ? "scopes,id,revoked" : "city,id,listing.area"],
      ]) {
        const out = join(it.folder, kind)
        const formats = ["csv", "tsv", "json", "ndjson", "parquet", "xlsx"]
        const args = ["export", kind, "--out", out, "--overwrite", "--quiet", ...chosen]
        const all = formats.flatMap((format) => ["--format", format])
        expect((await it.call([...args, ...all])).code).toBe(0)
        const records = kind === "keys" ? it.emulator.store.apiKeys : it.emulator.store.contracts
        for (const other of formats.slice(1)) {
          for (const pair of [
            [`${out}.csv`, `${out}.${other}`],
            [`${out}.${other}`, `${out}.csv`],
          ]) {
            const { stderr } = await it.call(["export", "diff", ...pair])
            expect(stderr).toBe(`0 added, 0 changed, 0 gone, ${records.length} records are unchanged.\n`)
          }
        }
      }
    }
  })

  it("sees no difference between flavours, packed files and zones of one list", async () => {
    await using it = await bench({ contracts: 30, hurting: true })
    const plain = await exported(it, "plain.ndjson")
    for (const [name, ...more] of [
      ["excel.csv", "--for", "excel"],
      ["eu.csv", "--for", "excel-eu", "--time-zone", "Europe/Athens"],
      ["libreoffice.csv.gz", "--for", "libreoffice"],
      ["athens.csv", "--time-zone", "Europe/Athens", "--headers", "api"],
      ["athens.json.zst", "--time-zone", "America/St_Johns"],
    ] as const) {
      const path = await exported(it, name, "--formula-guard", "on", ...more)
      for (const pair of [
        [plain, path],
        [path, plain],
      ]) {
        const { code, stderr } = await it.call(["export", "diff", ...pair, "--fail-on-changes"])
        expect([name, code, stderr]).toEqual([
          name,
          0,
          expect.stringMatching(/^0 added, 0 changed, 0 gone, 30 records/),
        ])
      }
    }
  })

  it("sees no difference between a workbook and other formats of hostile texts, long ones beside it included", async () => {
    await using it = await bench({ contracts: 60, hurting: true })
    const formats = ["csv", "xlsx", "ndjson", "parquet"]
    const out = join(it.folder, "all")
    const args = ["export", "contracts", "--out", out, "--quiet", "--rate", "0"]
    expect((await it.call([...args, ...formats.flatMap((each) => ["--format", each])])).code).toBe(0)
    expect(await it.files()).toContain("all.csv.texts.ndjson")
    for (const other of formats) {
      const { stderr } = await it.call(["export", "diff", `${out}.xlsx`, `${out}.${other}`])
      expect([other, stderr]).toEqual([other, "0 added, 0 changed, 0 gone, 60 records are unchanged.\n"])
    }
    await writeFile(join(it.folder, "all.csv.texts.ndjson"), '{"text":"short"}\n')
    const { stdout } = await it.call(["export", "diff", `${out}.csv`, `${out}.xlsx`, "--json"])
    expect(stdout).toContain("[33000 characters: see line 1 of all.csv.texts.ndjson]")
  })

  it("ends with 12 where anything differs and --fail-on-changes is set, after the changes were shown", async () => {
    await using it = await bench({ contracts: 3 })
    const before = await exported(it, "a.parquet")
    setLabel(it, "Loft")
    const after = await exported(it, "b.csv")
    const id = String(it.emulator.store.contracts[0]?.id)
    expect((await it.call(["export", "diff", before, after])).code).toBe(0)
    const { code, stderr, stdout } = await it.call(["export", "diff", before, after, "--fail-on-changes"])
    expect(code).toBe(12)
    expect(stdout).toMatch(new RegExp(`changed +${id} +Loft +unit_label`))
    expect(stderr).toContain("The exports differ: 0 added, 1 changed, 0 gone.")
    const same = await it.call(["export", "diff", after, after, "--fail-on-changes"])
    expect(same.code).toBe(0)
  })

  it("refuses clocks of different zones, and says which", async () => {
    await using it = await bench({ contracts: 3 })
    const zoned = (name: string, zone: string) => exported(it, name, "--time-zone", zone, "--for", "excel")
    const [berlin, athens] = [
      await zoned("berlin.csv", "Europe/Berlin"),
      await zoned("athens.csv", "Europe/Athens"),
    ]
    const { code, stderr, stdout } = await it.call(["export", "diff", berlin, athens])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toBe(
      "The earlier export is in Europe/Berlin, the later one in Europe/Athens. Export again with the same --time-zone.\n",
    )
    const named = await exported(
      it,
      "api.csv",
      "--time-zone",
      "Europe/Athens",
      "--for",
      "excel",
      "--headers",
      "api",
    )
    const byManifest = await it.call(["export", "diff", named, berlin, "--json"])
    expect(lastJson(byManifest.stderr)).toMatchObject({
      error: "TimeZonesDiffer",
      reason: { before: "Europe/Athens", after: "Europe/Berlin" },
    })
    await rm(`${named}.manifest.json`)
    const utc = await exported(it, "utc.csv")
    const byTimes = await it.call(["export", "diff", named, utc])
    expect(byTimes.stderr).toContain("earlier export is in an unnamed zone")
    expect((await it.call(["export", "diff", athens, named])).code).toBe(0)
  })
})
