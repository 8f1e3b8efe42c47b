import { join } from "node:path"
import { worded } from "@deedkit/export"
import { describe, expect, it } from "vitest"
import { readFile, utils } from "xlsx"
import { bench } from "../../harness/Cli.ts"
import type { Nights } from "../../harness/Nights.ts"
import { moments, nights } from "../../harness/Nights.ts"

type Rows = ReadonlyArray<ReadonlyArray<string | number | null>>

/** The rows of a sheet, headings included. */
const sheetOf = (it: Nights, sheet: string): Rows => {
  const found = readFile(join(it.folder, "r.xlsx")).Sheets[sheet]
  return found === undefined ? [] : utils.sheet_to_json(found, { header: 1, defval: null })
}

/** The rows of changes, without the times. */
const changesIn = (it: Nights): Rows => sheetOf(it, "Changes").map((row) => row.slice(0, 7))

const coverOf = (it: Nights): string =>
  sheetOf(it, "Cover")
    .map((row) => row.filter((cell) => cell !== null).join(": "))
    .join("\n")

const reporting = (it: Nights, ...more: ReadonlyArray<string>) =>
  it.call(["export", "report", "--from", it.mirror, "--out", join(it.folder, "r.xlsx"), ...more])

describe("the changes of a report", () => {
  it("are those that the mirror has seen since a moment, with unit, listing and both values", async () => {
    await using it = await nights({ contracts: 20 })
    const [one] = it.emulator.store.contracts
    const [changed, gone] = it.emulator.store.contracts.slice(1)
    const at = "2026-01-03T10:00:00Z"
    it.emulator.store.update(changed!.id, { status: "ended", unit_label: "Loft", updated_at: at })
    it.emulator.store.remove(gone!.id)
    const added = it.emulator.store.insert({ unit_label: "New unit", updated_at: at })
    await it.sync("2026-11-01T02:00:00Z")
    const { code, stderr } = await reporting(it, "--since", "2026-10-31T06:00:00Z")
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("Since 2026-10-31T06:00:00.000Z: 1 added, 1 changed, 1 removed."),
    ])
    const title = changed!.listing?.title ?? null
    const before = { status: changed!.status, label: changed!.unit_label }
    const [headings, ...rows] = changesIn(it)
    expect(headings).toEqual(["Change", "Contract id", "Unit", "Listing", "What", "Before", "After"])
    expect(rows).toHaveLength(4)
    expect(rows).toEqual(
      expect.arrayContaining([
        ["added", added.id, "New unit", added.listing?.title ?? null, null, null, null],
        ["changed", changed!.id, "Loft", title, "Status", worded(before.status), "Ended"],
        ["changed", changed!.id, "Loft", title, "Unit", before.label, "Loft"],
        ["removed", gone!.id, gone!.unit_label, gone!.listing?.title ?? null, null, null, null],
      ]),
    )
    expect(rows.some(([, id]) => id === one!.id)).toBe(false)
    expect(coverOf(it)).toMatch(/Since: 31 October 2026, 06:00 UTC\nChanges: 1 added, 1 changed, 1 removed/)
  })

  it("have their times in the reader's zone", async () => {
    await using it = await nights({ contracts: 20 })
    const { id, updated_at: before } = it.emulator.store.contracts[1]!
    it.emulator.store.update(id, { updated_at: "2026-11-01T01:00:00Z" })
    await it.sync("2026-11-01T02:00:00Z")
    await reporting(it, "--since", "2026-10-31T06:00:00Z", "--time-zone", "Europe/Athens")
    const local = new Date(before).toLocaleString("sv-SE", { timeZone: "Europe/Athens" })
    expect(
      changesIn(it)
        .find((row) => row[1] === id)
        ?.slice(4),
    ).toEqual(["Updated (Europe/Athens)", local, "2026-11-01 03:00:00"])
    expect(sheetOf(it, "Changes")[0]?.at(-1)).toBe("First seen (Europe/Athens)")
    expect(coverOf(it)).toContain("Since: 31 October 2026, 08:00 (Europe/Athens)")
  })

  it("end at the moment of --as-of, from which a span counts", async () => {
    await using it = await nights({ contracts: 20 })
    const then = ["--as-of", "2026-10-30T06:00:00Z", "--since", "1d"]
    const { stderr } = await reporting(it, ...then)
    expect(stderr).toContain("Since 2026-10-29T06:00:00.000Z: 1 changed, 1 removed.")
    expect(
      changesIn(it)
        .slice(1)
        .map(([change]) => change),
    ).toEqual(["removed", "changed"])
    expect(sheetOf(it, "Changes").at(-1)?.[7]).not.toBeNull()
  })

  it("count no contract as added that the mirror read for the first time", async () => {
    await using it = await nights({ contracts: 20 })
    await reporting(it, "--as-of", moments[0]!, "--since", "2026-10-01")
    expect(changesIn(it)).toHaveLength(1)
    expect(coverOf(it)).toContain("Changes: No changes\nNot counted: 20 contracts read for the first time")
  })

  it("are no part of a report without --since", async () => {
    await using it = await nights({ contracts: 20 })
    expect((await reporting(it)).stderr).not.toContain("Since")
    expect(sheetOf(it, "Changes")).toEqual([])
  })

  it.each([
    [["--since", "2026-12-24"], "--since 2026-12-24 is later than the report"],
    [["--since", "soon"], "it takes a date such as 2026-11-01"],
  ])("are refused with %j", async (args, words) => {
    await using it = await nights({ contracts: 3 })
    const { code, stderr } = await reporting(it, ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })

  it("are refused without a mirror, before anything is sent", async () => {
    await using it = await bench({ contracts: 3 })
    const args = ["export", "report", "--since", "7d", "--out", join(it.folder, "r.xlsx")]
    const { code, stderr } = await it.call(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining("Add --from MIRROR")])
    expect(it.emulator.journal.entries).toHaveLength(0)
  })
})
