/**
 * Exports of a list that shifts while it is read: what is called complete holds every contract that was there all the time, and what lacks one
 * is never called complete.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import { call } from "../harness/InProcess.ts"
import type { CursorKind, ShiftingList, ShiftingOptions } from "../harness/ShiftingService.ts"
import { shiftingService } from "../harness/ShiftingService.ts"

const seeds = Number(process.env["DEEDKIT_SEEDS"] ?? 6)

interface Manifest {
  readonly verdict: string
  readonly reasons: ReadonlyArray<string>
  readonly evidence: ReadonlyArray<string>
}

/** A service, a folder, and exports of pages of 20 into it. */
const world = async (options: ShiftingOptions) => {
  const [service, folder] = await Promise.all([
    shiftingService(options),
    mkdtemp(join(tmpdir(), "deedkit-shifting-")),
  ])
  const out = join(folder, "out.csv")
  const env = { DEEDKIT_BASE_URL: service.url, DEEDKIT_API_KEY: "dk_test_key_of_this_test" }
  const fixed = "export contracts --headers api --page-size 20 --rate 0 --attempts 1 --out".split(" ")
  return {
    list: service.list,
    recover: service.recover,
    export: async (...flags: ReadonlyArray<string>) => await call([...fixed, out, ...flags], { env }),
    verify: async () => await call(["export", "verify", out, "--json"], { env }),
    manifest: async () => JSON.parse(await readFile(`${out}.manifest.json`, "utf8")) as Manifest,
    /** Contracts that were there all the time and are not in the file. */
    missing: async () => {
      const csv = await readFile(out, "utf8")
      const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true })
      const ids = new Set(data.map(({ id }) => Number(id)))
      return service.list.throughout.filter((id) => !ids.has(id))
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([service[Symbol.asyncDispose](), rm(folder, { recursive: true })])
    },
  }
}

/** Removes one contract that was read before each of seven requests, as when somebody tidies up. */
const tidying = (list: ShiftingList, request: number): void => {
  if (request > 2 && request < 10) list.remove(5)
}

const positions: ReadonlyArray<CursorKind> = ["position", "opaque position"]

describe("contracts that are removed while the list is read by position", () => {
  it.each(positions)("hide no other one from an export that says complete: by %s", async (cursor) => {
    await using it = await world({ cursor, contracts: 300, change: tidying })
    const { code, stderr } = await it.export()
    expect([code, await it.missing()]).toEqual([0, []])
    expect(stderr).toMatch(
      / contracts in \d+ pages, read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d-\d\d:\d\d:\d\d \+00:00, complete\.\n/,
    )
    const { evidence, verdict } = await it.manifest()
    expect(verdict).toBe("complete")
    expect(evidence.join("\n")).toMatch(/ between \S+Z and \S+Z/)
    expect((await it.verify()).code).toBe(0)
  })

  it.each(positions)(
    "hide others with --quick, which is never called complete, by %s: not by the export, not by its check",
    async (cursor) => {
      await using it = await world({ cursor, contracts: 300, change: tidying })
      const { code, stderr } = await it.export("--quick")
      // Else this shows nothing.
      expect((await it.missing()).length).toBeGreaterThan(0)
      expect(code).toBe(9)
      expect(stderr).toContain("end reached, completeness not checked")
      expect(stderr).not.toMatch(/, complete\b/)
      expect(await it.manifest()).toMatchObject({
        verdict: "unverified",
        reasons: [expect.stringContaining("removed records may have hidden others")],
        evidence: [],
      })
      expect((await it.verify()).code).toBe(9)
    },
  )
})

describe("an export of a list that stands still", () => {
  it.each<[CursorKind, number]>([
    ["position", 21],
    ["opaque position", 37],
    ["last id", 16],
  ])("is read once with --quick, and otherwise with more requests: by %s, %i", async (cursor, requests) => {
    let asked = 0
    const change = (): void => void (asked += 1)
    await using it = await world({ cursor, contracts: 300, change })
    expect((await it.export("--quick")).code).toBe(9)
    expect(asked).toBe(15)
    asked = 0
    expect((await it.export("--overwrite")).code).toBe(0)
    expect(asked).toBe(requests)
  })
})

describe("contracts that go while an export is interrupted", () => {
  const interrupted = async (cursor: CursorKind) => {
    const it = await world({ cursor, contracts: 300, change: () => {}, failFrom: 7 })
    expect((await it.export()).code).toBe(8)
    it.recover()
    return it
  }

  it.each(positions)(
    "hide no other one once it is resumed, and the pause is reported: by %s",
    async (cursor) => {
      await using it = await interrupted(cursor)
      it.list.remove(20, 5)
      const { code, stderr } = await it.export("--resume")
      const { evidence, reasons, verdict } = await it.manifest()
      expect([code, verdict]).toEqual(verdict === "complete" ? [0, "complete"] : [9, "unverified"])
      if (verdict === "complete") expect(await it.missing()).toEqual([])
      expect([...evidence, ...reasons].join("\n")).toMatch(
        /before a pause of \d+ s and not read again: \d+ contracts\.|before the pause/,
      )
      expect(stderr).toMatch(/, resumed after \S+ \S+, \d+ contracts from before, /)
    },
  )

  it("make it unverified, with the pause as the reason, where others were changed meanwhile", async () => {
    await using it = await interrupted("position")
    it.list.remove(20, 5)
    it.list.update(280)
    expect((await it.export("--resume")).code).toBe(9)
    expect(await it.manifest()).toMatchObject({
      verdict: "unverified",
      reasons: [
        expect.stringMatching(
          /before a pause of \d+ s and not read again: \d+ contracts\. Seen later and changed during it: 1\.$/,
        ),
      ],
    })
  })
})

describe("contracts that come, go and change at random", () => {
  /** A seeded generator (mulberry32). */
  const generator = (seed: number) => (): number => {
    seed = (seed + 0x6d2b79f5) | 0
    let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }

  const busy = (seed: number): ShiftingOptions["change"] => {
    const random = generator(seed)
    return (list) => {
      const at = Math.floor(random() * list.contracts.length)
      const kind = random() * 4
      if (kind < 1) list.remove(at, random() < 0.2 ? 12 : 1)
      else if (kind < 2) list.insert()
      else if (kind < 3) list.update(at)
    }
  }

  it.each<CursorKind>(["position", "opaque position", "last id"])(
    `leave no gap in what is called complete, ${seeds} times: by %s`,
    async (cursor) => {
      let complete = 0
      for (let seed = 1; seed <= seeds; seed++) {
        await using it = await world({ cursor, contracts: 110, change: busy(seed * 7_919) })
        const { code } = await it.export()
        const { verdict } = await it.manifest()
        expect({ seed, code }).toEqual({ seed, code: verdict === "complete" ? 0 : 9 })
        if (verdict !== "complete") continue
        complete += 1
        expect({ seed, missing: await it.missing() }).toEqual({ seed, missing: [] })
      }
      expect(complete).toBeGreaterThan(0)
    },
  )
})
