import { rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readFile, utils } from "xlsx"
import type { Bench } from "../../harness/Cli.ts"
import { bench } from "../../harness/Cli.ts"

type Rows = ReadonlyArray<ReadonlyArray<string | null>>

/** The rows of a sheet, headings included. */
const sheetOf = (it: Bench, name: string, sheet: string): Rows => {
  const found = readFile(join(it.folder, name)).Sheets[sheet]
  return found === undefined ? [] : utils.sheet_to_json(found, { header: 1, defval: null })
}

const changesIn = (it: Bench, name: string): Rows => sheetOf(it, name, "Changes").slice(1)
const notesIn = (it: Bench, name: string): string =>
  changesIn(it, name)
    .filter(([change]) => change === "note")
    .map((row) => row[2])
    .join(" ")
const coverOf = (it: Bench, name: string): string =>
  sheetOf(it, name, "Cover")
    .map((row) => row.filter((cell) => cell !== null).join(": "))
    .join("\n")

const exporting = async (it: Bench, name: string, ...more: ReadonlyArray<string>) => {
  const ended = await it.call(["export", "contracts", "--out", join(it.folder, name), "--rate", "0", ...more])
  expect(ended.stderr).not.toContain("Error")
  return ended
}

const reporting = (it: Bench, name: string, ...more: ReadonlyArray<string>) =>
  it.call(["export", "report", "--out", join(it.folder, name), "--rate", "0", ...more])

/** One contract more, one fewer, one with another status and label. */
const change = ({ emulator: { store } }: Bench) => {
  const [changed, gone] = store.contracts.filter(
    ({ listing, status }) => listing != null && status === "active",
  )
  const after = store.update(changed!.id, { status: "ended", unit_label: "Loft" })
  store.remove(gone!.id)
  const added = store.insert({ unit_label: "New unit" })
  return { added, after, before: changed!, gone: gone! }
}

describe("the changes of a report", () => {
  it.each(["csv", "tsv", "xlsx", "json", "ndjson", "parquet", "csv.gz"])(
    "are those of export diff since an earlier export as %s, with unit and listing, and are counted on the cover",
    async (format) => {
      await using it = await bench({ contracts: 60, hurting: true })
      const earlier = `february.${format}`
      await exporting(it, earlier)
      const { added, after, before, gone } = change(it)
      const { code, stderr } = await reporting(it, "march.xlsx", "--changes-since", join(it.folder, earlier))
      expect(code).toBe(0)
      expect(stderr).toContain(`Since ${earlier}: 1 added, 1 changed, 1 gone.`)
      const listing = before.listing?.title ?? null
      expect(sheetOf(it, "march.xlsx", "Changes")).toEqual([
        ["Change", "Contract id", "Unit", "Listing", "What", "Before", "After"],
        ["added", String(added.id), "New unit", added.listing?.title ?? null, null, null, null],
        ["changed", String(after.id), "Loft", listing, "Status", before.status, "ended"],
        ["changed", String(after.id), "Loft", listing, "Unit", before.unit_label, "Loft"],
        ["gone", String(gone.id), gone.unit_label, gone.listing?.title ?? null, null, null, null],
      ])
      const cover = coverOf(it, "march.xlsx")
      expect(cover).toContain("Changes: 1 added, 1 changed, 1 gone, 58 unchanged")
      expect(cover).toMatch(
        new RegExp(
          `Before: ${earlier.replace(".", "\\.")}, read \\d{4}-\\d\\d-\\d\\d [\\d:]+ to [\\d: -]+ UTC\\n`,
        ),
      )
      expect(cover).toMatch(/After: march\.xlsx, read \d{4}-\d\d-\d\d [\d:]+ to [\d: -]+ UTC\n/)
      expect(cover).not.toContain("Note")
      const diff = await it.call(
        ["export", "diff", "--json"].concat([earlier, "march.xlsx"].map((name) => join(it.folder, name))),
      )
      expect(JSON.parse(diff.stdout)).toMatchObject({ added: 1, changed: 1, gone: 1, same: 58 })
    },
  )

  it("are since the file that the report replaces, unless another one is named", async () => {
    await using it = await bench({ contracts: 20 })
    expect((await reporting(it, "r.xlsx")).stderr).not.toContain("Since")
    expect(sheetOf(it, "r.xlsx", "Changes")).toEqual([])
    const { before } = change(it)
    const second = await reporting(it, "r.xlsx", "--overwrite")
    expect([second.code, second.stderr]).toEqual([
      0,
      expect.stringContaining("Since r.xlsx: 1 added, 1 changed, 1 gone."),
    ])
    await exporting(it, "named.csv")
    it.emulator.store.remove(before.id)
    const third = await reporting(
      it,
      "r.xlsx",
      "--overwrite",
      "--changes-since",
      join(it.folder, "named.csv"),
    )
    expect(third.stderr).toContain("Since named.csv: 0 added, 0 changed, 1 gone.")
    expect(changesIn(it, "r.xlsx").map(([change, id]) => [change, id])).toEqual([["gone", String(before.id)]])
  })

  it("are not known where the file that is replaced is no export, and the report is made", async () => {
    await using it = await bench({ contracts: 20 })
    await writeFile(join(it.folder, "r.xlsx"), "notes of an owner")
    const { code, stderr } = await reporting(it, "r.xlsx", "--overwrite")
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        "r.xlsx, which this report replaced, could not be read as an export of contracts",
      ),
    ])
    expect(coverOf(it, "r.xlsx")).toContain("Changes: Not known: r.xlsx, which this report replaced")
    expect(sheetOf(it, "r.xlsx", "Changes")).toEqual([])
  })

  it("call nothing gone where the report is not known to hold every contract", async () => {
    await using it = await bench({ contracts: 250 })
    await exporting(it, "earlier.csv")
    const { gone } = change(it)
    const { code, stderr } = await reporting(
      ...([it, "r.xlsx", "--quick", "--changes-since", join(it.folder, "earlier.csv")] as const),
    )
    expect([code, stderr]).toEqual([
      9,
      expect.stringContaining("Since earlier.csv: 1 added, 1 changed, 1 not in this report."),
    ])
    const rows = changesIn(it, "r.xlsx")
    expect(rows.at(-1)?.slice(0, 2)).toEqual(["not in this report", String(gone.id)])
    expect(rows.some(([change]) => change === "gone")).toBe(false)
    const note =
      "This report is not known to hold every contract. A contract that is not in it may still exist."
    expect(notesIn(it, "r.xlsx")).toBe(note)
    expect(coverOf(it, "r.xlsx")).toContain(`Note: ${note}`)
  })

  it.each([
    [
      "was not verified",
      async (it: Bench) => {
        expect((await exporting(it, "earlier.csv", "--quick")).code).toBe(9)
      },
      /Its verdict is unverified\. Pages of contracts do not overlap/,
    ],
    [
      "holds some contracts only",
      (it: Bench) => exporting(it, "earlier.csv", "--where", "id>0"),
      /It holds only contracts where id>0\./,
    ],
    [
      "has no manifest",
      async (it: Bench) => {
        await exporting(it, "earlier.csv")
        await rm(join(it.folder, "earlier.csv.manifest.json"))
      },
      /There is no manifest beside it\./,
    ],
    [
      "has a manifest of something else",
      async (it: Bench) => {
        await exporting(it, "earlier.csv")
        await writeFile(join(it.folder, "earlier.csv.manifest.json"), '{"verdict":"complete"}')
      },
      /Its manifest cannot be read\./,
    ],
    [
      "was changed",
      async (it: Bench) => {
        await exporting(it, "earlier.csv")
        const text = await it.file("earlier.csv")
        await writeFile(
          join(it.folder, "earlier.csv"),
          text.trimEnd().split("\r\n").slice(0, -1).join("\r\n"),
        )
      },
      /It was changed after its export\./,
    ],
  ])("call nothing added since an export that %s", async (_, prepare, reason) => {
    await using it = await bench({ contracts: 250 })
    await prepare(it)
    const { added } = change(it)
    const { code } = await reporting(it, "r.xlsx", "--changes-since", join(it.folder, "earlier.csv"))
    expect(code).toBe(0)
    const rows = changesIn(it, "r.xlsx")
    expect(rows.find(([, id]) => id === String(added.id))?.[0]).toBe("not in the earlier export")
    expect(rows.some(([change]) => change === "added")).toBe(false)
    expect(notesIn(it, "r.xlsx")).toMatch(reason)
    expect(coverOf(it, "r.xlsx")).toMatch(/1 not in the earlier export|2 not in the earlier export/)
    expect(coverOf(it, "r.xlsx")).toMatch(reason)
  })

  it("leave out what one of the two does not have, and say so", async () => {
    await using it = await bench({ contracts: 20 })
    await exporting(it, "ids.csv", "--columns", "id,status")
    await reporting(it, "r.xlsx", "--changes-since", join(it.folder, "ids.csv"))
    expect(notesIn(it, "r.xlsx")).toMatch(/^Not compared: Kind, Unit, Listing, City, /)

    await exporting(it, "data.csv", "--data")
    const plain = await reporting(it, "plain.xlsx", "--changes-since", join(it.folder, "data.csv"))
    expect(plain.stderr).toContain("Since data.csv: 0 added, 0 changed, 0 gone.")
    expect(notesIn(it, "plain.xlsx")).toBe("Not compared: Other members (JSON).")
    const both = await reporting(it, "both.xlsx", "--data", "--changes-since", join(it.folder, "data.csv"))
    expect(both.stderr).toContain("Since data.csv: 0 added, 0 changed, 0 gone.")
    expect(notesIn(it, "both.xlsx")).toBe("")
  })

  it("show times in the zone of the earlier export where that has clocks only, and say so", async () => {
    await using it = await bench({ contracts: 20 })
    await exporting(it, "athens.csv", "--for", "excel", "--time-zone", "Europe/Athens")
    const [first] = it.emulator.store.contracts
    it.emulator.store.update(first!.id, { updated_at: "2026-03-01T09:30:00Z" })
    await reporting(it, "r.xlsx", "--changes-since", join(it.folder, "athens.csv"))
    expect(changesIn(it, "r.xlsx").map((row) => [row[1], row[2], row[4], row[6]])).toEqual([
      [null, "Times before and after are those of Europe/Athens, as in athens.csv.", null, null],
      [String(first!.id), first!.unit_label, "Updated (UTC)", "2026-03-01T11:30:00"],
    ])
  })

  it("say where the earlier export is from where that is another service", async () => {
    await using it = await bench({ contracts: 20 })
    await using other = await bench({ contracts: 20, seed: 2 })
    await exporting(other, "theirs.csv")
    await reporting(it, "r.xlsx", "--changes-since", join(other.folder, "theirs.csv"))
    expect(coverOf(it, "r.xlsx")).toContain(`UTC, from ${other.url}\n`)
  })

  it("need of a manifest only what every version of it has", async () => {
    await using it = await bench({ contracts: 20 })
    await exporting(it, "earlier.csv")
    const path = join(it.folder, "earlier.csv.manifest.json")
    const { files } = JSON.parse(await it.file("earlier.csv.manifest.json")) as { readonly files: unknown }
    const tables = [{ table: "contracts", rows: 20 }]
    const least = {
      version: 1,
      verdict: "complete",
      reasons: [],
      origin: "https://old.example",
      tables,
      files,
    }
    await writeFile(path, JSON.stringify({ ...least, startedAt: "2026-03-01T09:30:00Z", endedAt: 5 }))
    change(it)
    const since = ["--changes-since", join(it.folder, "earlier.csv")]
    const { code, stderr } = await reporting(it, "r.xlsx", ...since)
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 added, 1 changed, 1 gone.")])
    expect(coverOf(it, "r.xlsx")).toContain(
      "Before: earlier.csv, read 2026-03-01 09:30:00 to 2026-03-01 09:30:00 UTC, from https://old.example\n",
    )
  })

  it("hold the same after the report was interrupted and resumed", async () => {
    await using it = await bench({ contracts: 250 })
    await exporting(it, "earlier.csv")
    change(it)
    const since = ["--changes-since", join(it.folder, "earlier.csv")]
    await reporting(it, "whole.xlsx", ...since)
    it.emulator.faults.set(["server-error:page=3"])
    expect((await reporting(it, "r.xlsx", ...since, "--attempts", "1")).code).not.toBe(0)
    it.emulator.faults.set([])
    expect((await reporting(it, "r.xlsx", ...since, "--resume")).code).toBe(0)
    expect(changesIn(it, "r.xlsx")).toHaveLength(4)
    expect(changesIn(it, "r.xlsx")).toEqual(changesIn(it, "whole.xlsx"))
  })

  it.each([
    ["a missing file", () => Promise.resolve(), 10, "does not exist"],
    [
      "an export of API keys",
      async (it: Bench) => {
        await it.call(["export", "keys", "--out", join(it.folder, "earlier.csv"), "--quiet"])
      },
      10,
      "is not an export of contracts with the column id that can be read",
    ],
    [
      "a file that is none",
      (it: Bench) => writeFile(join(it.folder, "earlier.csv"), "notes\r\nof an owner\r\n"),
      10,
      "is not an export with the column id",
    ],
    [
      "clocks of an unnamed zone",
      async (it: Bench) => {
        await exporting(
          it,
          "earlier.csv",
          "--for",
          "excel",
          "--headers",
          "api",
          "--time-zone",
          "Europe/Athens",
        )
        await rm(join(it.folder, "earlier.csv.manifest.json"))
      },
      2,
      "The earlier export is in an unnamed zone",
    ],
  ])("are refused for %s before anything is sent", async (_, prepare, code, words) => {
    await using it = await bench({ contracts: 20 })
    await prepare(it)
    const sent = it.emulator.journal.entries.length
    const ended = await reporting(it, "r.xlsx", "--changes-since", join(it.folder, "earlier.csv"))
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(words)])
    expect(it.emulator.journal.entries).toHaveLength(sent)
    await expect(stat(join(it.folder, "r.xlsx"))).rejects.toThrow("ENOENT")
  })
})
