/** Members that the specification does not name: no export loses them without saying so. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { read, utils } from "xlsx"
import { call } from "../harness/InProcess.ts"
import type { Server } from "../harness/Servers.ts"
import { answering, contract } from "../harness/Servers.ts"

const value = "value-of-a-member"
const listing = { id: 1, slug: "s", title: "T", city: "Athens", area: "Plaka" }
const odd = { deposit: { months: 2, note: value }, listing: { ...listing, price: 1_234_567_890_123 } }

/** Two pages; only the second has such members, and it is not found while `isBroken`. */
let isBroken = false
let server: Server
let folder: string

beforeAll(async () => {
  server = await answering((url) => {
    if (url.pathname.endsWith("/me/")) return '{"ok":true}'
    const page = (from: number, more: object, next: number | null) =>
      JSON.stringify({
        ok: true,
        items: [from, from - 1].map((id) => contract(id, { listing, ...more })),
        next_before_id: next,
      })
    if (!url.searchParams.has("before_id")) return page(4, {}, 3)
    return isBroken ? null : page(2, odd, null)
  })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-undocumented-"))
})
afterEach(() => rm(folder, { recursive: true }))

const run = (...args: ReadonlyArray<string>) =>
  call(["export", "contracts", "--headers", "api", "--rate", "0", "--attempts", "1", ...args], {
    env: {
      DEEDKIT_BASE_URL: server.url,
      DEEDKIT_API_KEY: "dk_test_key_of_this_test",
      // Workbooks say when they were made, and two runs may fall into two seconds.
      SOURCE_DATE_EPOCH: "1772357400",
    },
  })
const file = (name: string) => readFile(join(folder, name), "utf8")

const extra = { deposit: { months: 2, note: value }, listing: { price: 1_234_567_890_123 } }
const names = ["a.csv", "a.tsv", "a.xlsx", "a.json", "a.ndjson", "a.parquet"]
const everyFormat = (...more: ReadonlyArray<string>) =>
  run(...names.flatMap((name) => ["--out", join(folder, name)]), ...more)

describe("members that the specification does not name", () => {
  it("are in every format, also when the first page has none, and the run says which, never what", async () => {
    const { code, stderr } = await everyFormat()
    expect(code).toBe(0)
    expect(stderr).toContain("Included, not in the specification: deposit, listing.price.\n")
    const rows = (await file("a.csv")).trimEnd().split("\r\n")
    expect(rows[0]).toMatch(/,listing\.id,extra$/)
    expect(rows[1]).toMatch(/,1,$/)
    expect(rows[4]).toContain(`,"${JSON.stringify(extra).replaceAll('"', '""')}"`)
    expect((await file("a.tsv")).split("\r\n")[4]).toContain(JSON.stringify(extra).replaceAll('"', '""'))
    const book = read(await readFile(join(folder, "a.xlsx")))
    const sheet = utils.sheet_to_json<Record<string, unknown>>(book.Sheets["Contracts"]!, { defval: null })
    expect(sheet.map((row) => row["extra"])).toEqual([null, null, ...[1, 2].map(() => JSON.stringify(extra))])
    const nested = JSON.parse(await file("a.json")) as ReadonlyArray<Record<string, unknown>>
    expect(nested[3]).toEqual(contract(1, odd))
    expect(
      (await file("a.ndjson"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(nested)
    const manifest = await file("a.csv.manifest.json")
    expect((JSON.parse(manifest) as { tables: unknown }).tables).toMatchObject([
      { undocumented: { included: ["deposit", "listing.price"], excluded: [] } },
    ])
    for (const said of [stderr, manifest])
      expect(said).not.toMatch(new RegExp(`${value}|1234567890123|1,234,567`))
  })

  it("are left out where chosen columns do not name them, and the run says so", async () => {
    const { code, stderr } = await run("--columns", "id,extra.listing.price", "--out", join(folder, "a.csv"))
    expect(code).toBe(0)
    expect(stderr).toContain("Included, not in the specification: listing.price.\n")
    expect(stderr).toContain("Not included, because --columns does not name them: deposit (add extra).\n")
    expect(stderr).not.toContain("No record has")
    const inside = "id,extra.deposit.months,extra.data.rent"
    const { stderr: said } = await run("--columns", inside, "--out", join(folder, "b.csv"))
    expect(said).not.toContain("Not included, because --columns does not name them: deposit")
    expect(said).toContain("No record has data.rent (add --data for members of the data payload).\n")
    expect((await file("a.csv")).split("\r\n").slice(0, 5)).toEqual([
      "id,extra.listing.price",
      "4,",
      "3,",
      "2,1234567890123",
      "1,1234567890123",
    ])
    expect(JSON.parse(await file("a.csv.manifest.json"))).toMatchObject({
      tables: [{ undocumented: { included: ["listing.price"], excluded: ["deposit"] } }],
    })
  })

  it("come out byte for byte the same from an export that was resumed", async () => {
    await everyFormat()
    const whole = await Promise.all(names.map((name) => readFile(join(folder, name))))
    await rm(folder, { recursive: true })
    folder = await mkdtemp(join(tmpdir(), "deedkit-undocumented-"))
    isBroken = true
    expect((await everyFormat()).code).toBe(3)
    isBroken = false
    expect(await readdir(folder)).toContain("a.csv.part.records")
    const { code, stderr } = await everyFormat("--resume")
    expect([code, stderr]).toEqual([0, expect.stringContaining("deposit, listing.price.")])
    expect(await Promise.all(names.map((name) => readFile(join(folder, name))))).toEqual(whole)
  })

  it("are not spoken of where there are none", async () => {
    const { stderr } = await run("--where", "id>2", "--out", join(folder, "a.csv"))
    expect(stderr).not.toMatch(/specification does not name/)
  })
})
