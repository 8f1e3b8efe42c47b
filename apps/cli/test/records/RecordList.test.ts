import { describe, expect, it } from "vitest"
import { bench, lastJson } from "../harness/Cli.ts"
import type { Bench } from "../harness/Cli.ts"
import { call } from "../harness/InProcess.ts"
import { answering, contract } from "../harness/Servers.ts"

/** The cells of a printed table's first column. */
const firstColumn = (stdout: string): ReadonlyArray<string> =>
  stdout
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/ {2,}/)[0] ?? "")

const pagesOf = ({ emulator }: Bench): number =>
  emulator.journal.entries.filter(({ path, query }) => path === "/v1/contracts/" && query["id"] === undefined)
    .length

describe("a list", () => {
  it.concurrent("shows the records of all pages that meet every condition, and says so", async () => {
    await using it = await bench({ contracts: 250 })
    const { code, stderr, stdout } = await it.call(
      "contracts list --where status=active --where city=Athens --rate 0".split(" "),
    )
    const expected = it.emulator.store.contracts.filter(
      ({ listing, status }) => status === "active" && listing?.city === "Athens",
    )
    expect(expected.length).toBeGreaterThan(3)
    expect([code, firstColumn(stdout)]).toEqual([0, expected.map(({ id }) => String(id))])
    expect(stderr.replace(/read \d{4}-\d\d-\d\d [\d:-]+ [+-]\d\d:\d\d,/, "read FROM-TO,")).toBe(
      "Reading all pages, because the service does not filter.\n" +
        `${expected.length} of 250 contracts in 3 pages, read FROM-TO, end reached, completeness not checked.\n`,
    )
    expect(pagesOf(it)).toBe(3)
  })

  it.concurrent("says when nothing passes, and that is no error", async () => {
    await using it = await bench({ contracts: 3 })
    const { code, stderr, stdout } = await it.call([
      "contracts",
      "list",
      "--where",
      "title~no such title",
      "--all",
    ])
    expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 1])
    expect(stderr).toMatch(/^None of 3 contracts in 1 page,/)
  })

  it.concurrent("is sorted over all pages, descending after a minus", async () => {
    await using it = await bench({ contracts: 150, assumptions: { ordering: "random" } })
    const { stderr, stdout } = await it.call([
      "contracts",
      "list",
      "--sort",
      "-updated_at",
      "--limit",
      "5",
      "--rate",
      "0",
    ])
    const latest = it.emulator.store.contracts
      .toSorted((left, right) => (left.updated_at < right.updated_at ? 1 : -1))
      .slice(0, 5)
    expect(firstColumn(stdout)).toEqual(latest.map(({ id }) => String(id)))
    expect(stderr).toContain("Reading all pages, because the service does not sort.\n")
    expect(stderr).toContain("The first 5 records. There are more: use a higher --limit.")
  })

  it.concurrent("reads no more pages than the records that it may show need", async () => {
    await using it = await bench({ contracts: 250 })
    const args = ["contracts", "list", "--limit", "4", "--page-size", "3", "--rate", "0", "--json"]
    const { stdout } = await it.call(args)
    expect(JSON.parse(stdout)).toMatchObject({ read: 6, pages: 2, complete: false })
    expect((JSON.parse(stdout) as { readonly items: ReadonlyArray<unknown> }).items).toHaveLength(4)
    expect(pagesOf(it)).toBe(2)
    const one = await it.call(["contracts", "list", "--limit", "4"])
    expect([firstColumn(one.stdout).length, pagesOf(it)]).toEqual([4, 3])
  })

  it.concurrent("is complete when --limit leaves nothing out", async () => {
    await using it = await bench({ contracts: 5 })
    const { stderr, stdout } = await it.call(["contracts", "list", "--limit", "5", "--json"])
    expect(JSON.parse(stdout)).toMatchObject({ read: 5, next: null, complete: true })
    expect(stderr).toBe("")
  })

  it.concurrent("shows the columns that are asked for, by short names, computed ones too", async () => {
    await using it = await bench({ contracts: 1 })
    const contracts = await it.call(["contracts", "list", "--columns", "city, id,extra"])
    expect(contracts.stdout.split("\n")[0]).toMatch(/^City +Contract {2}Other members \(JSON\)$/)
    const keys = await it.call(["keys", "list", "--columns", "id,age_days,revoked", "--where", "age_days>0"])
    expect(keys.stdout.split("\n")[0]).toBe("Key  Age (days)  Revoked")
  })

  it.concurrent("fits the window", async () => {
    await using it = await bench({ contracts: 20 })
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey }
    const { stdout } = await call(["contracts", "list", "--columns", "id,title,area,city,slug"], {
      columns: 50,
      env: { ...env, NO_COLOR: "1" },
    })
    expect(stdout.split("\n").length).toBeGreaterThan(20)
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(50)
  })

  it.concurrent("is JSON with only the members that are asked for", async () => {
    await using it = await bench({ contracts: 3 })
    const { stdout } = await it.call([
      "contracts",
      "list",
      "--json=id,city",
      "--where",
      "id>=0",
      "--sort",
      "id",
    ])
    expect(JSON.parse(stdout)).toEqual({
      items: it.emulator.store.contracts
        .toSorted((left, right) => left.id - right.id)
        .map(({ id, listing }) => ({ id, listing: { city: listing?.city ?? null } })),
      rejected: [],
      where: ["id>=0"],
      sort: ["id"],
      unmatched: [],
      read: 3,
      pages: 1,
      next: null,
      complete: true,
    })
  })

  it.concurrent("is a record a line, every digit as it came", async () => {
    await using it = await bench({ contracts: 120, hurting: true })
    const { code, stdout } = await it.call(["contracts", "list", "--all", "--ndjson", "--rate", "0"])
    const lines = stdout.trimEnd().split("\n")
    const ids = lines.map((line) => (JSON.parse(line) as { readonly id: number }).id)
    expect([code, ids]).toEqual([0, it.emulator.store.contracts.map(({ id }) => id)])
    expect(stdout).toContain('"unit_id":9007199254740993,')
  })

  it.concurrent("gives out the good records a line each, and ends with 9 where others are not as specified", async () => {
    await using it = await bench({ contracts: 3, faults: ["missing-field:field=status"] })
    const { code, stderr, stdout } = await it.call(["contracts", "list", "--ndjson"])
    expect([code, stdout.trimEnd().split("\n").length]).toEqual([9, 2])
    expect(stderr).toContain("1 record is not as specified: rejected")
  })

  it.concurrent.each([
    [["--where", "citty=Athens"], 'Unknown column "citty". Did you mean "listing.city"?'],
    [["--where", "id=twelve"], 'Invalid condition "id=twelve": it takes a number.'],
    [["--sort", "-updated"], 'Unknown column "updated". Did you mean "updated_at"?'],
    [["--columns", "id,stats"], 'Unknown column "stats". Did you mean "status"?'],
    [["--columns", ","], "Missing column names."],
    [["--json", "--ndjson"], "--json and --ndjson cannot be combined."],
    [["--limit", "0"], 'Invalid value "0" for --limit'],
  ])("with %j sends nothing and says what is wrong", async (args, sentence) => {
    await using it = await bench({ contracts: 1 })
    const { code, stderr, stdout } = await it.call(["contracts", "list", ...args])
    expect([code, stdout, it.emulator.journal.entries.length]).toEqual([2, "", 0])
    expect(args.includes("--json") ? String(lastJson(stderr)["message"]) : stderr).toContain(sentence)
  })
})

it("names a problem that several records without an id share once, with their number", async () => {
  const items = [contract(9), contract(8, { id: "a" }), contract(7, { id: "a" }), contract(6, { kind: 5 })]
  await using server = await answering((url) =>
    url.pathname.endsWith("/me/") ? '{"ok":true}' : JSON.stringify({ ok: true, items, next_before_id: null }),
  )
  const env = { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: "dk_test_key_of_this_test" }
  const { code, stderr } = await call(["contracts", "list"], { env })
  expect(code).toBe(9)
  expect(stderr).toContain("id of a record without an id should be integer and is string (2 times)")
  expect(stderr).toContain("kind of 6 should be string and is number")
})
