import { join } from "node:path"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import type { Bench } from "../harness/Cli.ts"
import { bench, lastJson } from "../harness/Cli.ts"

type Flags = ReadonlyArray<string>

const attempts = (number: number): Flags => ["--attempts", String(number)]
const once = attempts(1)

const harmless: ReadonlyArray<readonly [fault: string, flags: Flags]> = [
  ["rate-limit:page=2,times=1", attempts(2)],
  ["drop:page=2,times=1", attempts(2)],
  ["wrong-record", once],
  ["cursor-renamed", once],
  ["mutate:insert=1", once],
]

const hurting: Flags = ["missing-field", "odd-timestamp:form=rubbish"]

/** One for each exit code. */
const fatal: ReadonlyArray<readonly [fault: string, error: string, code: number, flags: Flags]> = [
  ["status:code=404,page=2", "NotFound", 3, attempts(3)],
  ["key-revoked:from=3", "Unauthenticated", 4, attempts(3)],
  ["scope-missing", "Forbidden", 5, attempts(3)],
  ["rate-limit:retryAfter=86400,page=3", "RateLimited", 6, attempts(6)],
  ["cut:page=5", "TransportFailed", 7, once],
  ["slow:page=2", "TimedOut", 7, [...once, "--timeout", "0.4"]],
  ["missing-next:page=5", "EnvelopeInvalid", 8, attempts(3)],
  ["missing-field:records=1+2+3+4+5", "TooManyRejected", 8, once],
  ["cursor-constant", "CursorIgnored", 11, once],
]

/** The arguments that export 250 contracts in five pages. */
const exporting = (it: Bench, flags: Flags): Flags => [
  ..."export contracts --headers api --page-size 50 --json --verbose --rate 0 --out".split(" "),
  join(it.folder, "out.csv"),
  ...flags,
]

const idsOf = (it: Bench): ReadonlyArray<number> => it.emulator.store.contracts.map(({ id }) => id)

const idsIn = (csv: string): ReadonlyArray<number> =>
  Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data.map((row) =>
    Number(row["id"]),
  )

describe("an export meets a fault", () => {
  it.concurrent.each(harmless)("%s: and writes the whole file", async (fault, flags) => {
    await using it = await bench({ faults: [fault] })
    const all = idsOf(it)
    const { code, stdout } = await it.call(exporting(it, flags))
    expect([code, await it.files()]).toEqual([0, ["out.csv", "out.csv.manifest.json"]])
    expect(idsIn(await it.file("out.csv"))).toEqual(all)
    expect(JSON.parse(stdout)).toMatchObject({
      manifest: { verdict: "complete", tables: [{ rows: 250, reading: { complete: true } }], rejected: null },
    })
  })

  it.concurrent.each(hurting)("%s: and rejects those records", async (fault) => {
    await using it = await bench({ faults: [fault] })
    // Without the pages that overlap: a record that is hurt on one of its two pages only would be in the file as well.
    const { code, stderr } = await it.call(exporting(it, [...once, "--quick"]))
    expect([code, await it.files()]).toEqual([
      9,
      ["out.csv", "out.csv.manifest.json", "out.csv.rejected.ndjson"],
    ])
    expect(JSON.parse(await it.file("out.csv.manifest.json"))).toMatchObject({
      verdict: "unverified",
      reasons: [
        expect.stringContaining("nothing was read twice"),
        expect.stringContaining("5 records not as specified"),
      ],
    })
    expect(lastJson(stderr)).toMatchObject({ error: "NotComplete", exitCode: 9, records: 5 })
    const kept = idsIn(await it.file("out.csv"))
    const aside = (await it.file("out.csv.rejected.ndjson"))
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly id: number }).id)
    expect([kept.length, aside.length]).toEqual([245, 5])
    expect([...kept, ...aside].toSorted((left, right) => right - left)).toEqual(idsOf(it))
  })

  it.concurrent.each(hurting)("%s: and loses no record where pages overlap", async (fault) => {
    await using it = await bench({ faults: [fault] })
    const { code, stderr } = await it.call(exporting(it, once))
    expect(code).toBe(9)
    expect(JSON.parse(await it.file("out.csv.manifest.json"))).toMatchObject({ verdict: "partial" })
    const kept = idsIn(await it.file("out.csv"))
    const rejected = (await it.file("out.csv.rejected.ndjson"))
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly id: number }).id)
    expect(lastJson(stderr)).toMatchObject({ exitCode: 9, records: rejected.length })
    expect(new Set(kept).size).toBe(kept.length)
    expect(new Set([...kept, ...rejected])).toEqual(new Set(idsOf(it)))
  })

  it.concurrent.each(fatal)(
    "%s: and leaves no file, but %s and exit code %i",
    async (fault, error, exitCode, flags) => {
      await using it = await bench({ faults: [fault] })
      const { code, stderr, stdout } = await it.run(exporting(it, flags))
      expect(lastJson(stderr)).toMatchObject({ error, exitCode })
      expect([code, stdout]).toEqual([exitCode, ""])
      const left = await it.files()
      if (left.length === 0) return
      expect(left).toEqual(["out.csv.interrupted.json", "out.csv.part.records"])
      expect(JSON.parse(await it.file("out.csv.interrupted.json"))).toMatchObject({ verdict: "interrupted" })

      it.emulator.faults.clear()
      const resumed = await it.call([...exporting(it, attempts(2)), "--resume"])
      expect([resumed.code, await it.files()]).toEqual([0, ["out.csv", "out.csv.manifest.json"]])
      expect(idsIn(await it.file("out.csv"))).toEqual(idsOf(it))
    },
  )
})
