import { mkdir, readdir, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { removeOlder } from "../../src/export/Keep.ts"
import * as OutName from "../../src/export/OutName.ts"
import type { Bench } from "../harness/Cli.ts"
import { bench } from "../harness/Cli.ts"

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const put = async ({ folder }: Bench, ...names: ReadonlyArray<string>): Promise<void> => {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), "kept?")
  }
}

const names = async ({ folder }: Bench): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith(".config")).toSorted()

describe("--keep", () => {
  it("removes the files of earlier days with those beside them, says so, and touches no other", async () => {
    await using it = await bench({ contracts: 3 })
    const [today, old, edge] = [dayBefore(0), dayBefore(31), dayBefore(30)]
    const others = [
      `a-${edge}.csv`,
      `a-${old}.csv.bak`,
      `a-${old}.xlsx`,
      `a-${old}0.csv`,
      "a-2020-02-30.csv",
      "a-2020-13-45.csv",
      "a-0000-00-00.csv",
      `a-${old}-contracts.csv`,
      `b-${old}.csv`,
      `ba-${old}.csv`,
      `sub/a-${old}.csv`,
      "a-.csv",
      "a-{date}.csv",
    ]
    const removed = [
      `a-${old}.csv`,
      `a-${old}.csv.manifest.json`,
      `a-${old}.csv.rejected.ndjson`,
      `a-${dayBefore(900)}.csv`,
    ]
    await put(it, ...others, ...removed)
    await mkdir(join(it.folder, `a-${dayBefore(40)}.csv`))
    await symlink(join(it.folder, "a-.csv"), join(it.folder, `a-${dayBefore(50)}.csv`))
    const before = await names(it)
    const { code, stderr } = await it.run(["export", "contracts", "--out", "a-{date}.csv", "--keep", "30d"])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`Removed, older than ${edge}: a-${dayBefore(900)}.csv, a-${old}.csv.\n`),
    ])
    expect(await names(it)).toEqual(
      [
        ...before.filter((name) => !removed.includes(name)),
        `a-${today}.csv`,
        `a-${today}.csv.manifest.json`,
      ].toSorted(),
    )
  })

  it("removes the folder of a day, unless it holds something else, and files of every table", async () => {
    await using it = await bench({ contracts: 3 })
    const [one, two] = [dayBefore(8), dayBefore(9)]
    await put(it, `x/${one}/keys.csv`, `x/${one}/contracts.csv`, `x/${two}/keys.csv`, `x/${two}/notes.txt`)
    const args = ["export", "all", "--out", "x/{date}/{table}.csv", "--keep", "1w", "--quiet"]
    const { code, stderr } = await it.run(args)
    expect([code, stderr]).toEqual([0, ""])
    const left = await readdir(join(it.folder, "x"))
    expect(left.toSorted()).toEqual([two, dayBefore(0)])
    expect(await readdir(join(it.folder, "x", two))).toEqual(["notes.txt"])
  })

  it.each([
    ["2026-10-25T21:30:00Z", "late on a day of 25 hours", ["2026-10-24", "2026-10-25"]],
    ["2026-03-29T21:30:00Z", "early on the day after one of 23 hours", ["2026-03-29", "2026-03-30"]],
  ])("keeps yesterday for --keep 1d at %s in Athens, %s", async (now, _, kept) => {
    await using it = await bench({ contracts: 1 })
    const [yesterday, today] = kept
    const before = new Date(Date.parse(yesterday!) - 86_400_000).toISOString().slice(0, 10)
    await put(it, ...[before, ...kept].map((date) => `a-${date}.csv`))
    const facts = { profile: null, nowMillis: Date.parse(now), timeZone: "Europe/Athens" }
    expect(OutName.dateOf(facts)).toBe(today)
    await Effect.runPromise(removeOlder([join(it.folder, "a-{date}.csv")], (path) => [path], 1, facts))
    expect(await names(it)).toEqual(kept.map((date) => `a-${date}.csv`))
  })

  it("removes nothing after an export that is not complete", async () => {
    await using it = await bench({ contracts: 3 })
    await put(it, `a-${dayBefore(9)}.csv`)
    const args = ["export", "contracts", "--out", "a-{date}.csv", "--keep", "2d"]
    it.emulator.faults.set(["ok-false"])
    expect((await it.run(args)).code).toBe(8)
    it.emulator.faults.set([])
    expect((await it.run([...args, "--where", "id=0", "--fail-on-empty"])).code).toBe(12)
    expect((await it.run([...args, "--dry-run"])).code).toBe(0)
    expect(await names(it)).toContain(`a-${dayBefore(9)}.csv`)
  })

  it.each([
    ["--out a.csv --keep 30d", "no name has {date}"],
    ["--out a-{date}.csv --keep 0d", "days or weeks such as 30d or 8w"],
    ["--out a-{date}.csv --keep 30", "days or weeks such as 30d or 8w"],
  ])("refuses %s before anything is sent", async (line, words) => {
    await using it = await bench({ contracts: 3 })
    const { code, stderr } = await it.run(["export", "contracts", ...line.split(" ")])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(it.emulator.journal.entries).toEqual([])
  })
})
