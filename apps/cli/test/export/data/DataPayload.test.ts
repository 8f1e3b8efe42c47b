import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import { lastJson } from "../../harness/Cli.ts"
import { call } from "../../harness/InProcess.ts"
import { answering, contract } from "../../harness/Servers.ts"

const ids = Array.from({ length: 40 }, (_, at) => 140 - at)

type Answer = (id: number) => unknown

/**
 * An export with payloads from a service whose answer about some contracts is `odd`: the text of it, its status, or null for a 404. Contract 120 is
 * such a one.
 */
const exportWith = async (
  odd: Answer,
  args: ReadonlyArray<string> = [],
  isOdd = (id: number): boolean => id === 120,
) => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-data-"))
  await using server = await answering((url) => {
    const id = Number(url.searchParams.get("id"))
    if (id === 0) {
      return JSON.stringify({ ok: true, items: ids.map((each) => contract(each)), next_before_id: null })
    }
    const answer = isOdd(id) ? odd(id) : { ok: true, contract: contract(id, { data: { rent: id } }) }
    const isRaw = typeof answer === "string" || typeof answer === "number" || answer === null
    return isRaw ? answer : JSON.stringify(answer)
  })
  const out = join(folder, "o.csv")
  const fixed = ["export", "contracts", "--data", "--out", out, "--headers", "api", "--rate", "0"]
  const ended = await call([...fixed, "--attempts", "1", ...args], {
    env: { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: "dk_test_key_of_this_test" },
  })
  const names = (await readdir(folder)).toSorted()
  const read = async (name: string) =>
    names.includes(name) ? await readFile(join(folder, name), "utf8") : ""
  const [csv, rejects, manifest] = await Promise.all(
    ["o.csv", "o.csv.rejected.ndjson", "o.csv.manifest.json"].map(read),
  )
  await rm(folder, { recursive: true })
  const rows = Papa.parse<Record<string, string>>(csv ?? "", { header: true, skipEmptyLines: true }).data
  return {
    ...ended,
    names,
    rows,
    rejects: rejects ?? "",
    manifest: JSON.parse(manifest || "null") as unknown,
  }
}

describe("an export with data payloads", () => {
  it("has them all where every answer is as specified", async () => {
    const { code, manifest, rows } = await exportWith((id) => ({
      ok: true,
      contract: contract(id, { data: { rent: id } }),
    }))
    expect([code, rows.length]).toEqual([0, 40])
    expect(rows.map(({ extra }) => extra)).toEqual(ids.map((id) => `{"data":{"rent":${id}}}`))
    expect(manifest).toMatchObject({ verdict: "complete", tables: [{ withoutData: 0 }] })
  })

  it.each<[string, Answer, object, string]>([
    [
      "is not as specified",
      (id) => ({ ok: true, contract: contract(id, { kind: null }) }),
      { path: "kind", expected: "string", found: "null in the response with its data payload" },
      "kind should be string and is null in the response with its data payload",
    ],
    [
      "is another record",
      () => ({ ok: true, contract: contract(7) }),
      {
        path: "id",
        expected: "the one asked for",
        found: "another one in the response with its data payload",
      },
      "id should be the one asked for and is another one in the response with its data payload",
    ],
    [
      "is a list",
      () => ({ ok: true, items: [], next_before_id: null }),
      { path: "", expected: "one record", found: "a list in the response with its data payload" },
      "the record should be one record and is a list in the response with its data payload",
    ],
    [
      "is not ok",
      () => ({ ok: false }),
      { path: "ok", expected: "true", found: "something else in the response with its data payload" },
      "ok should be true",
    ],
    [
      "is cut",
      () => '{"ok":true,"contract":{',
      { path: "", expected: "JSON", found: "something else in the response with its data payload" },
      "the record should be JSON",
    ],
  ])("rejects the one record whose answer %s", async (_, odd, issue, words) => {
    const { code, manifest, names, rejects, rows, stderr } = await exportWith(odd)
    expect(code).toBe(9)
    expect(names).toEqual(["o.csv", "o.csv.manifest.json", "o.csv.rejected.ndjson"])
    expect(rows.map(({ id }) => Number(id))).toEqual(ids.filter((id) => id !== 120))
    expect(JSON.parse(rejects)).toEqual({ table: "contracts", id: 120, issues: [issue], raw: contract(120) })
    expect(manifest).toMatchObject({ verdict: "partial", rejected: { records: 1 } })
    expect(stderr).toContain(words)
  })

  it("keeps the row of a contract that is gone, and says so", async () => {
    const { code, manifest, names, rows, stderr } = await exportWith(() => null)
    expect(code).toBe(9)
    expect(names).toEqual(["o.csv", "o.csv.manifest.json"])
    expect(rows).toHaveLength(40)
    expect(rows.find(({ id }) => id === "120")).toMatchObject({ unit_label: "Unit 120", extra: "" })
    expect(manifest).toMatchObject({
      verdict: "partial",
      reasons: ["1 record without the data that was requested."],
      tables: [{ rows: 40, withoutData: 1 }],
    })
    expect(stderr).toMatch(
      /40 contracts in 1 page, read \d{4}-\d\d-\d\d \d\d:\d\d:\d\d-\d\d:\d\d:\d\d \+00:00, 1 record without data, partial\./,
    )
    expect(stderr).toContain(
      "1 record has no data payload: the service returned none. All other records are included.",
    )
    const { stderr: document } = await exportWith(() => null, ["--json"])
    expect(lastJson(document)).toMatchObject({
      error: "NotComplete",
      records: 0,
      withoutData: 1,
      path: null,
      exitCode: 9,
    })
  })

  it.each([403, 422, 451])("keeps the row of a contract that the service refuses with %d", async (status) => {
    const { code, manifest, rows } = await exportWith(() => status)
    expect([code, rows.length]).toEqual([9, 40])
    expect(rows.find(({ id }) => id === "120")).toMatchObject({ unit_label: "Unit 120", extra: "" })
    expect(manifest).toMatchObject({ verdict: "partial", tables: [{ rows: 40, withoutData: 1 }] })
  })

  it.each([
    [403, 5],
    [422, 8],
  ])("ends where the service refuses every contract with %d, with what it answered", async (status, exit) => {
    const { code, names, stderr } = await exportWith(
      () => status,
      [],
      () => true,
    )
    expect([code, names]).toEqual([exit, []])
    expect(stderr).toContain(String(status))
  })

  it("does not take a key that is refused from the second contract on for a contract that is", async () => {
    const { code, names } = await exportWith(
      () => 401,
      [],
      (id) => id < 140,
    )
    expect([code, names]).toEqual([4, []])
  })

  it.each([
    ["beside the contract", (id: number) => ({ ok: true, contract: contract(id), data: { rent: 5 } })],
    ["not at all", (id: number) => ({ ok: true, contract: contract(id) })],
  ])("is not complete where the payload comes %s", async (_, odd) => {
    const { code, manifest, rows } = await exportWith(odd)
    expect([code, rows.length]).toEqual([9, 40])
    expect(manifest).toMatchObject({ verdict: "partial", tables: [{ rows: 40, withoutData: 1 }] })
  })

  it("writes a payload that is nested more deeply than anything reads by itself", async () => {
    const nested = `${"[".repeat(9_000)}${"]".repeat(9_000)}`
    const whole = JSON.stringify(contract(120))
    const text = `{"ok":true,"contract":${whole.slice(0, -1)},"data":${nested}}}`
    const { code, names, rows } = await exportWith(() => text)
    expect([code, names]).toEqual([0, ["o.csv", "o.csv.manifest.json"]])
    expect(rows.find(({ id }) => id === "120")?.["extra"]).toBe(`{"data":${nested}}`)
  })
})
