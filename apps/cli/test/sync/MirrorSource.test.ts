import { hash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"
import type { Nights } from "../harness/Nights.ts"
import { moments, nights } from "../harness/Nights.ts"

interface ListDocument {
  readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly rejected: ReadonlyArray<{ readonly id: number }>
  readonly complete: boolean
  readonly next: unknown
  readonly mirror: Readonly<Record<string, unknown>>
}

const listed = async (it: Nights, ...args: ReadonlyArray<string>): Promise<ListDocument> => {
  const { code, stderr, stdout } = await it.call([
    "contracts",
    "list",
    "--from",
    it.mirror,
    ...(args.some((arg) => arg.startsWith("--json=")) ? [] : ["--json"]),
    ...args,
  ])
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout) as ListDocument
}

const newestFirst = <A extends { readonly id: number }>(records: ReadonlyArray<A>): ReadonlyArray<A> =>
  records.toSorted((a, b) => b.id - a.id)

const manifestOf = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
  JSON.parse(await readFile(`${path}.manifest.json`, "utf8")) as Readonly<Record<string, unknown>>

describe("contracts list --from", () => {
  it("lists the records of a mirror, without an address, a key or a request", async () => {
    await using it = await nights()
    const document = await listed(it, "--all")
    expect(document.items).toEqual(newestFirst(it.truths[2]!))
    expect(document).toMatchObject({ complete: true, next: null })
    expect(document.mirror).toMatchObject({
      account: "acme",
      asOf: null,
      run: 5,
      startedAt: moments[2],
      completeness: "proven",
      problems: [],
    })
    const { code, stderr, stdout } = await it.call(["contracts", "list", "--from", it.mirror, "--all"])
    expect(code).toBe(0)
    expect(stdout).toContain("night-2")
    expect(stderr).toBe(
      `118 contracts of acme, read ${moments[2]} to ${moments[2]} by run 5 of the mirror, 2 days ago, complete (proven).\n`,
    )
  })

  it("takes the filters, order, columns and limits of a list, and says that there is more", async () => {
    await using it = await nights()
    const { items } = await listed(it, "--where", "status~night-")
    expect(items).toEqual(newestFirst(it.truths[2]!).filter(({ status }) => status.startsWith("night-")))
    expect(items.length).toBeGreaterThan(0)
    const sorted = await listed(it, "--sort", "id", "--limit", "2", "--json=id,status")
    expect(sorted.items).toEqual(
      newestFirst(it.truths[2]!)
        .toReversed()
        .slice(0, 2)
        .map(({ id, status }) => ({ id, status })),
    )
    expect(sorted.complete).toBe(false)
    const first = await listed(it)
    expect(first.items).toHaveLength(100)
    expect(first.complete).toBe(false)
    const words = await it.call(["contracts", "list", "--from", it.mirror])
    expect(words.stderr).toContain("First page only. Use --all to list all contracts.\n118 contracts of acme")
    const lines = await it.call(["contracts", "list", "--from", it.mirror, "--all", "--ndjson"])
    expect(lines.stdout.trimEnd().split("\n")).toHaveLength(118)
  })

  it("lists API keys too, with their ages at the moment", async () => {
    await using it = await nights()
    const keys = ["keys", "list", "--from", it.mirror, "--all", "--columns", "id,age_days"]
    const ages = async (...more: ReadonlyArray<string>) =>
      (await it.call([...keys, ...more], "2026-11-02T00:00:00Z")).stdout
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => Number(line.trim().split(/\s+/).at(-1)))
    const now = await ages()
    expect(now).toHaveLength(12)
    const then = await ages("--as-of", "2026-10-31")
    expect(then.map((age, at) => now[at]! - age)).toEqual(now.map(() => 2))
  })

  it("shows what the mirror knew at a moment, and nothing that came later", async () => {
    await using it = await nights()
    for (const [at, asOf] of ["2026-10-30", "2026-10-31", "2026-11-01T06:30:00Z"].entries()) {
      const document = await listed(it, "--all", "--as-of", asOf)
      expect(document.items).toEqual(newestFirst(it.truths[at]!))
      expect(document.mirror).toMatchObject({ asOf: new Date(asOf).toISOString(), startedAt: moments[at] })
    }
    const { stderr } = await it.call(["contracts", "list", "--from", it.mirror, "--as-of", "2026-10-31"])
    expect(stderr).toContain(", 22 h before 2026-10-31T00:00:00.000Z, complete (proven).")
  })

  it("shows the last whole read while another one is under way or was interrupted", async () => {
    await using it = await nights()
    for (const { id } of it.emulator.store.contracts)
      it.emulator.store.update(id, { status: "later", updated_at: "2026-01-02T10:00:00Z" })
    let left = 2
    await it.sync("2026-11-01T02:00:00Z", {
      fetch: async (request) =>
        left-- > 0 ? it.emulator.fetch(request) : new Response("broken", { status: 500 }),
    })
    const { items } = await listed(it, "--all")
    expect(items).toEqual(newestFirst(it.truths[2]!))
  })

  it("refuses a moment before the first read, and names the first one", async () => {
    await using it = await nights({ contracts: 3 })
    const { code, stderr } = await it.call([
      "contracts",
      "list",
      "--from",
      it.mirror,
      "--as-of",
      "2026-10-29",
    ])
    expect(code).toBe(2)
    expect(stderr).toContain(`It knows them from ${moments[0]} on.`)
    expect(stderr).toContain(`--as-of ${moments[0]}`)
    expect((await listed(it, "--as-of", moments[0]!)).items).toHaveLength(3)
  })

  it.each([
    [["--as-of", "2026-12-24"], 2, "--as-of 2026-12-24 is in the future"],
    [["--as-of", "2026-02-30"], 2, "it takes a date such as 2026-11-01"],
    [["--account", "beta"], 3, "The mirror has no account beta."],
    [["--page-size", "5"], 2, "--page-size is for requests"],
    [["--rate", "0"], 2, "--rate is for requests"],
    [["--timeout", "5"], 2, "--timeout is for requests"],
    [["--attempts", "2"], 2, "--attempts is for requests"],
    [["--cursor-param", "after"], 2, "--cursor-param is for requests"],
    [["--base-url", "https://a.example"], 2, "--base-url is for requests"],
    [["--profile", "acme"], 2, "Choose the account of the mirror with --account NAME."],
  ])("refuses %j", async (args, exitCode, words) => {
    await using it = await nights({ contracts: 3 })
    const { code, stderr, stdout } = await it.call(["contracts", "list", "--from", it.mirror, ...args])
    expect([code, stdout]).toEqual([exitCode, ""])
    expect(stderr).toContain(words)
  })

  it("refuses flags of a mirror without one, and a mirror that is not there", async () => {
    await using it = await nights({ contracts: 3 })
    for (const flag of [
      ["--as-of", "2026-10-31"],
      ["--account", "acme"],
    ]) {
      const { code, stderr } = await it.call(["contracts", "list", ...flag])
      expect([code, stderr]).toEqual([2, expect.stringContaining("Add --from MIRROR")])
    }
    const missing = await it.call(["contracts", "list", "--from", join(it.folder, "none.sqlite")])
    expect([missing.code, missing.stderr]).toEqual([10, expect.stringContaining("There is no mirror")])
    const password = await it.call(["contracts", "list", "--from", "postgres://owner:secret@127.0.0.1:1/x"])
    expect([password.code, password.stderr]).toEqual([2, expect.stringContaining("PGPASSWORD")])
    expect(password.stderr).not.toContain("secret@")
  })

  it("asks for the account where the mirror has several", async () => {
    await using it = await nights({ contracts: 3 })
    await it.sync("2026-11-01T02:00:00Z", { account: "beta", isConfirmed: true })
    it.damage("insert into account (account, base_url, added_at) values ('corp', 'https://corp.example', '')")
    const { code, stderr } = await it.call(["contracts", "list", "--from", it.mirror])
    expect([code, stderr]).toEqual([2, expect.stringContaining("Choose one with --account NAME: acme")])
    expect((await listed(it, "--account", "acme")).items).toHaveLength(1)
  })
})

/** What is wrong with a mirror, and the words that say so. */
const broken = [
  [
    "whose last read is not proven",
    "update sync_run set completeness = 'unverified', reason = 'moving', readings = 3 where run = 5",
    "After 3 readings, contracts were still found in one reading and missing from another.",
  ],
  [
    "whose last read had rejected records",
    "update sync_run set rejected = 2 where run = 5",
    "2 records are not as specified and not stored.",
  ],
  [
    "whose proof was changed",
    "update sync_run set records = 7 where run = 1",
    "The proof of run 3 does not follow the one before",
  ],
  [
    "whose history lost a version",
    "delete from contract_history where id = (select max(id) from contract)",
    "The mirror lacks 1 contract that its runs left: rows were changed or deleted.",
  ],
  [
    "whose current rows are too many",
    "insert into contract_history (account, id, version, change, members, seen_at, run, hash, body) select account, 1, 1, change, members, seen_at, run, hash, body from contract_history limit 1",
    "The mirror has 1 contract that its runs did not leave: rows were changed or deleted.",
  ],
  [
    "without a read that came to its end",
    "delete from sync_run",
    "The mirror has no read of the contracts of acme that reached the end of the list.",
  ],
] as const

describe("a mirror", () => {
  it.each(broken)("%s gives the exit code of sync status --check, and says why", async (_, sql, words) => {
    await using it = await nights({ contracts: 20 })
    it.damage(sql)
    const status = await it.call(["sync", "status", it.mirror, "--check"])
    const out = join(it.folder, "contracts.csv")
    const exported = await it.call(["export", "contracts", "--from", it.mirror, "--out", out])
    const list = await it.call(["contracts", "list", "--from", it.mirror])
    expect([status.code, exported.code, list.code]).toEqual([9, 9, 9])
    expect(exported.stderr).toContain(words)
    expect(list.stderr).toContain(words)
    const document = await it.call(["contracts", "list", "--from", it.mirror, "--all", "--json"])
    expect(document.code).toBe(9)
    if (document.stdout !== "") expect(JSON.parse(document.stdout)).toMatchObject({ complete: false })
  })

  it("whose records were changed gives none of them as if they were right", async () => {
    await using it = await nights({ contracts: 20 })
    it.damage(
      "update contract_history set body = replace(body, 'night-2', 'forged') where body like '%night-2%'",
    )
    const out = join(it.folder, "contracts.csv")
    const { code, stderr } = await it.call(["export", "contracts", "--from", it.mirror, "--out", out])
    expect(code).toBe(9)
    expect(stderr).toContain("1 record is not as specified")
    expect(await readFile(out, "utf8")).not.toContain("forged")
    expect(await readFile(`${out}.rejected.ndjson`, "utf8").catch(String)).toContain("forged")
    expect(await manifestOf(out)).toMatchObject({ verdict: "partial" })
    expect((await it.call(["contracts", "list", "--from", it.mirror])).code).toBe(9)
  })

  it("whose account has a name that is no file's gives it to none, and forges no line", async () => {
    await using it = await nights({ contracts: 3 })
    const [name, ...columns] = ["'../../up\nacme: complete'", "base_url", "added_at"]
    it.damage(
      `pragma foreign_keys = off;
       insert into account (account, ${columns.join(", ")}) select ${name}, ${columns.join(", ")} from account;
       update contract_history set account = ${name}; update api_key_history set account = ${name};
       update sync_run set account = ${name}; update sync_list set account = ${name}; delete from account where account = 'acme'`,
    )
    const exporting = ["export", "contracts", "--from", it.mirror, "--out"]
    const named = await it.call([...exporting, join(it.folder, "{profile}.csv")])
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining("leave {profile} out")])
    const { code, stderr } = await it.call([...exporting, join(it.folder, "a.csv")])
    expect(code).toBe(9)
    expect(stderr).not.toMatch(/^acme: complete/m)
  })

  it("with records that are none, and with their own hashes, gives the others", async () => {
    await using it = await nights({ contracts: 20 })
    const [one, two] = it.truths[2]!
    const texts = ['{"id":1}', "no JSON"]
    for (const [at, { id }] of [one!, two!].entries()) {
      const set = `set body = '${texts[at]}', hash = '${hash("sha256", texts[at]!)}' where id = ${id}`
      it.damage(`update contract_history ${set}`)
    }
    const { code, stdout } = await it.call(["contracts", "list", "--from", it.mirror, "--all", "--json"])
    expect(code).toBe(9)
    const { items, rejected } = JSON.parse(stdout) as ListDocument
    expect(items).toEqual(newestFirst(it.truths[2]!).filter(({ id }) => id !== one!.id && id !== two!.id))
    expect(new Set(rejected.map(({ id }) => id))).toEqual(new Set([one!.id, two!.id]))
  })
})

describe("export --from", () => {
  it("writes what an export of the service writes, with the proof of the mirror", async () => {
    await using it = await nights()
    await using service = await bench({ contracts: 1 })
    const out = join(it.folder, "contracts.csv")
    const { code, stderr } = await it.call(["export", "contracts", "--from", it.mirror, "--out", out])
    expect(code).toBe(0)
    expect(stderr).toContain("118 contracts of acme, read")
    for (const { id } of service.emulator.store.contracts) service.emulator.store.remove(id)
    for (const contract of newestFirst(it.truths[2]!).toReversed()) service.emulator.store.insert(contract)
    const other = join(service.folder, "contracts.csv")
    expect((await service.call(["export", "contracts", "--out", other])).code).toBe(0)
    expect(await readFile(out, "utf8")).toBe(await readFile(other, "utf8"))
    const manifest = await manifestOf(out)
    expect(manifest).toMatchObject({
      verdict: "complete",
      origin: "https://acme.example.test",
      mirror: { account: "acme", asOf: null },
      startedAt: moments[2],
      account: { profile: null, keyFingerprint: null, me: null },
      tables: [
        {
          rows: 118,
          stored: { run: 5, sha256: expect.stringMatching(/^[\da-f]{64}$/) },
          reading: { startedAt: moments[2], complete: true, completeness: { state: "proven" } },
        },
      ],
    })
    expect((await it.call(["export", "verify", out])).code).toBe(0)
    const stale = await it.call(["export", "verify", out, "--max-age", "36h"])
    expect([stale.code, stale.stderr + stale.stdout]).toEqual([
      9,
      expect.stringContaining("longer ago than 36h"),
    ])
  })

  it("writes several tables, names files after the account and the moment, and takes the payloads along", async () => {
    await using it = await nights({ contracts: 8 })
    await it.sync("2026-11-01T02:00:00Z", { data: true })
    const out = join(it.folder, "{profile}-{date}-{table}.ndjson")
    const args = ["export", "all", "--from", it.mirror, "--out", out]
    expect((await it.call([...args, "--as-of", "2026-10-31"])).code).toBe(0)
    const before = await readFile(join(it.folder, "acme-2026-10-31-contracts.ndjson"), "utf8")
    expect(JSON.parse(before.split("\n")[0]!)).toEqual(newestFirst(it.truths[1]!)[0])
    expect((await it.call(args)).code).toBe(0)
    const [first] = (await readFile(join(it.folder, "acme-2026-11-02-contracts.ndjson"), "utf8")).split("\n")
    const [listedFirst] = newestFirst(it.truths[2]!)
    expect(JSON.parse(first!)).toMatchObject(listedFirst!)
    expect(Object.keys(JSON.parse(first!) as object).length).toBeGreaterThan(Object.keys(listedFirst!).length)
    expect(await readFile(join(it.folder, "acme-2026-11-02-keys.ndjson"), "utf8")).toContain('"scopes"')
    const summary = await readFile(join(it.folder, "acme-2026-10-31-summary.ndjson"), "utf8")
    expect(summary).toContain("2026-10-31T00:00:00.000Z")
    expect(summary).not.toContain("Changed while they were read")
  })

  it.each(["--quick", "--resume", "--dry-run", "--data", "--data-columns"])(
    "refuses %s, which is about requests",
    async (flag) => {
      await using it = await nights({ contracts: 3 })
      const out = join(it.folder, "contracts.csv")
      const { code, stderr } = await it.call(["export", "contracts", "--from", it.mirror, "--out", out, flag])
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${flag} is for requests`)])
    },
  )
})

describe("a report of a moment", () => {
  it("has the same bytes whenever it is made, and so has its manifest", async () => {
    await using it = await nights()
    const report = ["export", "report", "--with-keys", "--from", it.mirror]
    const asOf = [...report, "--as-of", "2026-10-31", "--overwrite", "--out"]
    const out = join(it.folder, "october.xlsx")
    const made = async (moment: string) => {
      expect((await it.call([...asOf, out], moment)).code).toBe(0)
      return Promise.all([readFile(out, "base64"), readFile(`${out}.manifest.json`, "utf8")])
    }
    const first = await made("2026-11-02T09:00:00Z")
    expect(await made("2026-11-02T10:00:00Z")).toEqual(first)
    const [one] = it.emulator.store.contracts
    it.emulator.store.update(one!.id, { status: "later", updated_at: "2026-01-02T10:00:00Z" })
    it.emulator.store.updateKey(it.emulator.store.apiKeys[0]!.id, { last_used_at: "2026-11-01T00:00:00Z" })
    await it.sync("2026-11-03T02:00:00Z", { data: true })
    expect(await made("2027-11-03T09:00:00Z")).toEqual(first)
    const verified = await it.call(["export", "verify", out])
    expect(verified.code).toBe(0)
    expect(verified.stdout).toMatch(
      /account: acme in a mirror, as of 2026-10-31T00:00:00.000Z, contracts by its run \d+, keys by its run \d+\n/,
    )
  })

  it("says on its cover that a mirror knew it, when, and by which runs", async () => {
    await using it = await nights({ contracts: 20 })
    const { readFile: readBook, utils } = await import("xlsx")
    const out = join(it.folder, "october.xlsx")
    const args = ["export", "report", "--with-keys", "--from", it.mirror, "--as-of", "2026-10-31"]
    expect((await it.call([...args, "--out", out])).code).toBe(0)
    const { Sheets } = readBook(out)
    const rowsOf = (sheet: string) =>
      utils.sheet_to_json<Array<unknown>>(Sheets[sheet]!, { header: 1, defval: null })
    const cover = rowsOf("Cover").flat().map(String)
    expect(cover).toContain("Contracts of acme")
    expect(cover).toContain(
      "As a mirror knew them, as of 31 October 2026, 00:00 UTC, read on 30 October 2026, 02:00 UTC",
    )
    expect(cover.some((text) => text.startsWith("Complete: 19 contracts and 12 API keys"))).toBe(true)
    expect(rowsOf("Source")).toEqual(
      expect.arrayContaining([
        ["Account in the mirror", "acme"],
        ["Contracts: run of the mirror", "3"],
        ["API keys: run of the mirror", "4"],
      ]),
    )
  })
})
