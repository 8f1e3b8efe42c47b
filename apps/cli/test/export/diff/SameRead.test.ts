/** One read in every format: whatever the service sends, `export diff` finds no difference between its files. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../../harness/InProcess.ts"
import type { Server } from "../../harness/Servers.ts"
import { answering, contract } from "../../harness/Servers.ts"

const listing = { id: 1, slug: "s", title: "T", city: "Athens", area: "Plaka" }

/** JSON as the service might send it, in which a value such as `@1e400@` stands without its quotes. */
const items = [
  contract(20, { created_at: "2026-03-01t09:30:00z", unit_id: "@1e400@", data: { rent: "@1e400@" } }),
  contract(19, { created_at: "2026-03-01 09:30:00Z", unit_id: "@12345678901234567890@" }),
  contract(18, { created_at: "2026-03-01T09:30Z", unit_id: "@0.1e-9@" }),
  contract(17, { created_at: "2026-03-01T09:30:00+05:30", unit_id: true }),
  contract(16, { created_at: "2026-03-01T09:30:00", unit_id: { a: ["\ud800", null], "\udc00": 1 } }),
  contract(15, { created_at: "2026-03-01T09:30:00.999999Z", unit_id: "" }),
  contract(14, { created_at: "1850-01-01T00:00:00Z", unit_id: "\ud800=1+1" }),
  contract(13, { created_at: "9999-12-31T23:59:59Z", unit_label: "\u0000\u0001\ufffe\r\n_x0041_" }),
  contract(12, { created_at: "0001-01-01T00:00:00Z", unit_label: " '=cmd|' /C calc'!A0 " }),
  contract(11, { created_at: "2026-10-25T00:30:00Z", updated_at: "2026-10-25T01:30:00Z", kind: '"",;\t' }),
  contract(10, { data: { rent: 5, "a.b": { c: [1] }, no: null }, Contract: "x", Created: "2026", listing }),
  contract(9, {
    data: "text",
    listing: { ...listing, price: "@9007199254740993@", title: "x".repeat(40_000) },
  }),
  contract(8, { data: null, listing: null, Contract: false, __proto: 1 }),
  contract(7, { data: [], listing: { ...listing, title: "" }, extra: 5, link: "https://a.example/" }),
]

const keys = [
  { id: 3, name: "a", scopes: ["read:me", "b c"], note: { by: "x" }, revoked: "since", last_used_at: null },
  { id: 2, name: "", scopes: [], last_used_at: "2026-01-01T00:00:00Z" },
].map((key) => Object.assign({ created_at: "2026-01-01 00:00Z", revoked_at: null }, key))

let server: Server
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-same-"))
  server = await answering((url) => {
    if (url.pathname.endsWith("/me/")) return '{"ok":true}'
    if (url.pathname.includes("keys")) return JSON.stringify({ ok: true, items: keys, next_before_id: null })
    return JSON.stringify({ ok: true, items, next_before_id: null }).replaceAll(/"@([^"]*)@"/g, "$1")
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const runWith = (key: string, ...args: ReadonlyArray<string>) =>
  call(["export", ...args], { env: { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: key } })
const run = (...args: ReadonlyArray<string>) => runWith("dk_test_key_of_this_test", ...args)

const names = ["a.csv", "a.tsv", "a.xlsx", "a.json", "a.ndjson", "a.parquet"]
const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const))
const chosen = "id,created_at,listing.title,extra.data.rent,extra.data,extra.Contract,extra.Created,extra"

describe("the files of one read", () => {
  it.each(
    [
      ["contracts"],
      ["contracts", "--time-zone", "Europe/Athens"],
      ["contracts", "--time-zone", "America/New_York", "--headers", "api"],
      ["contracts", "--columns", chosen],
      ["contracts", "--columns", chosen, "--headers", "api", "--time-zone", "Asia/Tokyo"],
      ["contracts", "--columns", "id,link,extra.data.a.b.c", "--link", "https://homes.example/{slug}"],
      ["contracts", "--for", "excel", "--time-zone", "Europe/Athens"],
      ["keys"],
      ["keys", "--columns", "id,scopes,extra,extra.note.by,created_at", "--time-zone", "Europe/Athens"],
      ["keys", "--columns", "id,revoked,age_days,unused_days,extra.note"],
    ].map((args) => [args] as const),
  )("do not differ, with %j", async (args) => {
    const outs = names.flatMap((name) => ["--out", join(folder, name)])
    const { code, stderr } = await run(args[0]!, "--overwrite", ...outs, ...args.slice(1))
    expect([code, stderr]).toEqual([0, expect.anything()])
    const differences = []
    for (const [one, other] of pairs) {
      const compared = await run("diff", join(folder, one), join(folder, other))
      const [sentence, omitted] = compared.stderr.split("\n")
      if (compared.code !== 0 || !sentence!.startsWith("0 added, 0 changed, 0 gone") || omitted !== "") {
        differences.push([one, other, compared.stdout, compared.stderr])
      }
    }
    expect(differences).toEqual([])
  })
})

describe("files of two reads", () => {
  const path = (name: string) => join(folder, name)

  it("of two keys are told apart, by a diff and by a report", async () => {
    await run("contracts", "--out", path("one.csv"))
    await runWith("dk_test_key_of_another", "contracts", "--out", path("two.csv"))
    const note = "read with two keys"
    expect((await run("diff", path("one.csv"), path("two.csv"))).stderr).toContain(note)
    await run("contracts", "--out", path("three.csv"))
    expect((await run("diff", path("one.csv"), path("three.csv"))).stderr).not.toContain(note)
    const report = ["report", "--out", path("r.xlsx"), "--overwrite", "--changes-since", path("one.csv")]
    expect((await runWith("dk_test_key_of_another", ...report)).stderr).toContain(
      "one.csv was read with another key. If it is the key of another account, the differences are not changes.",
    )
    expect((await run(...report)).stderr).not.toContain("another key")
  })

  it("of which one has payloads alone do not differ by these", async () => {
    await run("contracts", "--out", path("without.csv"))
    const extra = (await readFile(path("without.csv"), "utf8")).replaceAll(/"\{.*\}"(?=\r\n)/g, "")
    await writeFile(path("with.csv"), extra)
    const manifest = await readFile(path("without.csv.manifest.json"), "utf8")
    await writeFile(path("with.csv.manifest.json"), manifest.replace('"rows"', '"withoutData": 0, "rows"'))
    const { code, stderr } = await run("diff", path("without.csv"), path("with.csv"))
    expect([code, stderr]).toEqual([
      0,
      "0 added, 0 changed, 0 gone, 14 records are unchanged.\n" +
        "Not compared, because only one of them has data payloads: extra.\n",
    ])
  })

  it.each(["foo,bar\r\n", "<html>\n", ""])("are refused where one is no export: %j", async (text) => {
    await run("contracts", "--out", path("whole.csv"), "--overwrite")
    await writeFile(path("odd.csv"), text)
    const { code, stderr } = await run("diff", path("odd.csv"), path("whole.csv"))
    expect([code, stderr]).toEqual([10, expect.stringContaining("odd.csv")])
  })

  it("are refused where one has an id twice, on either side", async () => {
    await run("contracts", "--out", path("whole.csv"), "--headers", "api", "--overwrite")
    const whole = await readFile(path("whole.csv"), "utf8")
    const row = whole.trimEnd().split("\r\n").at(-1)!
    await writeFile(path("odd.csv"), `${whole}${row}\r\n`)
    const [id] = /^\d+/.exec(row)!
    for (const files of [
      ["odd.csv", "whole.csv"],
      ["whole.csv", "odd.csv"],
    ]) {
      const { code, stderr } = await run("diff", ...files.map(path))
      expect([code, stderr]).toEqual([10, expect.stringContaining(`each id once (${id} is repeated)`)])
    }
  })
})
