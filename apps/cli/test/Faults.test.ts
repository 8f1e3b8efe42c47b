import { kinds } from "@deedkit/emulator"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import { bench, lastJson } from "./Cli.ts"

/** How an export of 250 contracts in five pages ends; `complete` with 0, `setAside` with 9. */
type Outcome = "complete" | "setAside" | readonly [error: string, code: number]

const attempts = (number: number): ReadonlyArray<string> => ["--attempts", String(number)]
const once = attempts(1)
const impatient = [...once, "--timeout", "0.4"]

const outcomes: ReadonlyArray<readonly [fault: string, outcome: Outcome, flags: ReadonlyArray<string>]> = [
  ["latency:ms=30", "complete", once],
  ["latency:ms=3000,page=2", ["TimedOut", 7], impatient],
  ["rate-limit:page=2,times=1", "complete", attempts(2)],
  ["rate-limit:page=3", ["RateLimited", 6], once],
  ["rate-limit:retryAfter=86400,page=3", ["RateLimited", 6], attempts(6)],
  ["storm:page=2,ms=60000", ["RateLimited", 6], once],
  ["quota:limit=3,windowMs=900,retryAfter=1", "complete", attempts(4)],
  ["server-error:page=3", ["ServerFault", 7], once],
  ["server-error:page=3,times=1", "complete", attempts(2)],
  ["burst:page=2,count=2", "complete", attempts(3)],
  ["status:code=418,page=4", ["Rejected", 8], attempts(3)],
  ["status:code=404,page=2", ["NotFound", 3], attempts(3)],
  ["drop:page=2", ["TransportFailed", 7], once],
  ["drop:page=2,times=1", "complete", attempts(2)],
  ["cut:page=5", ["TransportFailed", 7], once],
  ["slow:page=2", ["TimedOut", 7], impatient],
  ["stall:page=3", ["TimedOut", 7], impatient],
  ["huge:page=2", ["BodyTooLarge", 8], attempts(3)],
  ["gzip", "complete", once],
  ["not-json:page=2", ["NotTheApi", 8], attempts(3)],
  ["html-error:page=2", ["ServerFault", 7], once],
  ["ok-false:page=2", ["NotOk", 8], attempts(3)],
  ["invalid-json:page=2", ["BodyInvalid", 8], once],
  ["truncated-json:page=2", ["BodyInvalid", 8], once],
  ["redirect:page=2,to=other-host", ["Redirected", 8], attempts(3)],
  ["wrong-form:page=2", ["ShapeMismatch", 8], attempts(3)],
  ["wrong-record", "complete", once],
  ["unknown-status", "complete", once],
  ["missing-field", "setAside", once],
  ["missing-field:records=1+2+3+4+5", ["TooManyRejected", 8], once],
  ["wrong-type", "setAside", once],
  ["null-listing", "complete", once],
  ["odd-timestamp", "complete", once],
  ["odd-timestamp:form=rubbish", "setAside", once],
  ["missing-next:page=5", ["EnvelopeInvalid", 8], attempts(3)],
  ["cursor-ignored", ["CursorIgnored", 11], once],
  ["cursor-renamed", ["CursorIgnored", 11], once],
  ["cursor-inclusive", "complete", once],
  ["cursor-constant", ["CursorIgnored", 11], once],
  ["cursor-cycle", ["PaginationStalled", 11], once],
  ["empty-page:page=3", "complete", once],
  ["duplicate", "complete", once],
  ["mutate:insert=1", "complete", once],
  ["scope-missing", ["Forbidden", 5], attempts(3)],
  ["key-revoked:from=3", ["Unauthenticated", 4], attempts(3)],
]

const idsIn = (csv: string): ReadonlyArray<number> =>
  Papa.parse<Record<string, string>>(csv.replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: true,
  }).data.map((row) => Number(row["id"]))

describe("an export meets a fault", () => {
  it("that is every fault of the stand-in", () => {
    const tried = new Set(outcomes.map(([fault]) => fault.split(":")[0]))
    expect([...tried].toSorted()).toEqual(kinds.map(({ name }) => name).toSorted())
  })

  it.concurrent.each(outcomes)("%s: a whole file, or an error and none", async (fault, outcome, flags) => {
    await using it = await bench({ faults: [fault] })
    const all = it.emulator.store.contracts.map(({ id }) => id)
    const { code, stderr, stdout } = await it.run([
      ...["export", "contracts", "--out", "out.csv", "--limit", "50", "--headers", "api"],
      ...["--json", "--verbose", "--rate", "0", ...flags],
    ])
    const files = await it.files()
    if (outcome === "complete") {
      expect([code, files]).toEqual([0, ["out.csv"]])
      expect(idsIn(await it.file("out.csv"))).toEqual(all)
      expect(JSON.parse(stdout)).toMatchObject({ rows: 250, rejects: null, summary: { complete: true } })
      return
    }
    const error = lastJson(stderr)
    if (outcome === "setAside") {
      expect([code, files]).toEqual([9, ["out.csv", "out.csv.rejects.ndjson"]])
      expect(error).toMatchObject({ error: "SetAside", exitCode: 9, records: 5 })
      const kept = idsIn(await it.file("out.csv"))
      const aside = (await it.file("out.csv.rejects.ndjson"))
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { readonly id: number }).id)
      expect(kept).toHaveLength(245)
      expect([...kept, ...aside].toSorted((left, right) => right - left)).toEqual(all)
      return
    }
    expect([error["error"], error["exitCode"], code]).toEqual([...outcome, outcome[1]])
    expect([stdout, files]).toEqual(["", []])
  })
})
