import { rm } from "node:fs/promises"
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
        const formats = ["csv", "tsv", "json", "ndjson"]
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

  it("refuses times of different zones, and says which", async () => {
    await using it = await bench({ contracts: 3 })
    const utc = await exported(it, "utc.csv")
    const athens = await exported(it, "athens.csv", "--time-zone", "Europe/Athens")
    const lines = await exported(it, "athens.ndjson", "--time-zone", "Europe/Athens")
    const { code, stderr, stdout } = await it.call(["export", "diff", utc, athens])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toBe(
      "The earlier export is in UTC, the later one in Europe/Athens. Export again with the same --time-zone.\n",
    )
    const byManifest = await it.call(["export", "diff", lines, utc, "--json"])
    expect(lastJson(byManifest.stderr)).toMatchObject({
      error: "TimeZonesDiffer",
      reason: { before: "Europe/Athens", after: "UTC" },
    })
    await rm(`${lines}.manifest.json`)
    const byTimes = await it.call(["export", "diff", lines, utc])
    expect(byTimes.stderr).toContain("earlier export is in an unnamed zone")
    expect((await it.call(["export", "diff", athens, lines])).code).toBe(0)
  })
})
