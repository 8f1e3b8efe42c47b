import { mkdir, readdir, readFile, symlink } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { account } from "../harness/Account.ts"
import { connect, idsOf } from "../harness/Assistant.ts"
import type { Result } from "../harness/Assistant.ts"
import { bench } from "../harness/Cli.ts"

const firstOf = (result: Result): Result => (result["contracts"] as ReadonlyArray<Result>)[0] ?? {}

describe("results of deedkit mcp", () => {
  it("are given once, as a text", async () => {
    await using it = await bench({ contracts: 60 })
    await using mcp = await connect(it)
    const { content, structuredContent } = await mcp.raw("contracts_list")
    expect([(content as ReadonlyArray<unknown>).length, structuredContent]).toEqual([1, undefined])
    expect((await mcp.client.listTools()).tools.filter(({ outputSchema }) => outputSchema)).toEqual([])
  })

  it("have only the fields that were asked for", async () => {
    await using it = await bench({ contracts: 3 })
    await using mcp = await connect(it)
    const [first] = it.emulator.store.contracts
    const fields = ["id", "city", "unit_label"]
    const expected = { id: first?.id, listing: { city: first?.listing?.city }, unit_label: first?.unit_label }
    expect(firstOf(await mcp.call("contracts_list", { fields }))).toEqual(expected)
    expect(firstOf(await mcp.call("contracts_search", { fields }))).toEqual(expected)
    expect(firstOf(await mcp.call("contracts_get", { ids: [first?.id], fields }))).toEqual(expected)
    const { keys } = await mcp.call("keys_list", { fields: ["name"], limit: 1 })
    expect(keys).toEqual([{ name: it.emulator.store.apiKeys[0]?.name }])
    expect(await mcp.fail("contracts_list", { fields: ["citty"] })).toContain("listing.city")
  })

  it("are sorted over all pages, and continue in that order", async () => {
    await using it = await bench({ contracts: 250 })
    await using mcp = await connect(it)
    const args = { sort: ["-updated_at", "id"], limit: 100 }
    const seen: Array<number> = []
    let result = await mcp.call("contracts_search", args)
    seen.push(...idsOf(result))
    while (result["next"] !== null) {
      result = await mcp.call("contracts_search", { ...args, cursor: result["next"] })
      seen.push(...idsOf(result))
    }
    const newest = it.emulator.store.contracts
      .toSorted(
        (left, right) => Date.parse(right.updated_at) - Date.parse(left.updated_at) || left.id - right.id,
      )
      .map(({ id }) => id)
    expect(seen).toEqual(newest)
    expect(result).toMatchObject({ complete: true, applied: { sort: ["-updated_at", "id"] } })
    const part = await mcp.call("contracts_search", { ...args, max_pages: 1 })
    expect(part).toMatchObject({ complete: false, next: null, records_read: 100 })
  })

  it("continue a search that is written differently, and forget the oldest of a hundred places", async () => {
    await using it = await bench({ contracts: 110 })
    await using mcp = await connect(it)
    const { next } = await mcp.call("contracts_search", { text: " A ", where: ["city!=x"], limit: 1 })
    const again = {
      text: "a",
      where: ["listing.city != x"],
      account: "default",
      limit: 1,
      cursor: next,
    }
    expect(idsOf(await mcp.call("contracts_search", again))).toHaveLength(1)
    for (let calls = 0; calls < 100; calls += 1) await mcp.call("contracts_list", { limit: 1 })
    expect(await mcp.fail("contracts_search", again)).toContain("CursorUnknown")
  })

  it("count contracts in groups of several columns", async () => {
    await using it = await bench({ contracts: 120 })
    await using mcp = await connect(it)
    const { groups } = await mcp.call("summary", { group_by: ["status", "city"] })
    const athens = it.emulator.store.contracts.filter(
      ({ listing, status }) => status === "active" && listing?.city === "Athens",
    )
    expect(groups).toContainEqual({ values: ["active", "Athens"], records: athens.length })
  })

  it("count cities that look the same as one, as the command line does", async () => {
    await using it = await bench({ contracts: 2 })
    const forms = ["Mogán", "Mogán".normalize("NFD")]
    for (const [at, { id, listing }] of it.emulator.store.contracts.entries())
      it.emulator.store.update(id, { listing: { ...listing!, city: forms[at]! } })
    await using mcp = await connect(it)
    const { groups } = await mcp.call("summary", { group_by: ["city"] })
    expect(groups).toEqual([{ values: [expect.any(String)], records: 2 }])
    expect(await mcp.call("summary")).toMatchObject({ by: { city: [{ records: 2 }] } })
    const { stdout } = await it.call(["contracts", "count", "--by", "city", "--json"])
    expect(JSON.parse(stdout)).toMatchObject({ groups: [{ records: 2 }] })
  })

  it("are preceded by the progress of each page, if the client asks for it", async () => {
    await using it = await bench({ contracts: 250 })
    await using mcp = await connect(it)
    const progress: Array<number> = []
    const onprogress = (event: { readonly progress: number }): void => void progress.push(event.progress)
    await mcp.client.callTool({ name: "summary", arguments: {} }, undefined, { onprogress })
    // The answer can overtake the last event.
    await mcp.client.ping()
    expect(progress.slice(0, 2)).toEqual([100, 200])
  })
})

describe("deedkit mcp with several accounts", () => {
  it("reads each by its name, and names them where none was given", async () => {
    await using home = await account({ contracts: 3 })
    await using other = await bench({ contracts: 5 })
    for (const [name, { emulator, url }] of [
      ["athens", home],
      ["lisbon", other],
    ] as const) {
      const login = [
        "auth",
        "login",
        "--profile",
        name,
        "--base-url",
        url,
        "--with-key",
        "--insecure-storage",
      ]
      expect((await home.pipe(login, emulator.apiKey)).code).toBe(0)
    }
    const env = { XDG_CONFIG_HOME: join(home.folder, "config") }
    for (const args of [["--all"], ["--profile", "athens", "--profile", "lisbon"]]) {
      await using mcp = await connect(other, { args, env })
      expect(mcp.client.getInstructions()).toContain("Accounts: athens, lisbon.")
      expect(await mcp.call("summary", { account: "athens" })).toMatchObject({ contracts: 3 })
      expect(await mcp.call("summary", { account: "lisbon" })).toMatchObject({ contracts: 5 })
      expect(await mcp.fail("summary")).toContain("athens, lisbon")
      expect(await mcp.fail("summary", { account: "porto" })).toContain("athens, lisbon")
      const { next } = await mcp.call("contracts_list", { account: "athens", limit: 1 })
      const wrong = { account: "lisbon", limit: 1, cursor: next }
      expect(await mcp.fail("contracts_list", wrong)).toContain("CursorOfAnotherSearch")
    }
    expect((await home.call(["profile", "use", "lisbon"])).code).toBe(0)
    await using mcp = await connect(other, { args: [], env })
    expect(await mcp.call("summary", { account: "lisbon" })).toMatchObject({ contracts: 5 })
    expect(await mcp.fail("summary", { account: "default" })).toContain("lisbon")
    // The accounts that are named need no current one.
    await using all = await connect(other, { args: ["--all"], env: { ...env, DEEDKIT_PROFILE: "gone" } })
    expect(await all.call("summary", { account: "athens" })).toMatchObject({ contracts: 3 })
  })
})

describe("deedkit mcp with a mirror", () => {
  it("reads what the last sync left, without a request, and tells what changed", async () => {
    await using it = await bench({ contracts: 130 })
    const sync = ["sync", "--to", "mirror.sqlite", "--rate", "0"]
    expect((await it.run(sync)).code).toBe(0)
    const args = ["--from", join(it.folder, "mirror.sqlite")]
    await using mcp = await connect(it, { args: args, env: {} })
    const requests = it.emulator.journal.entries.length
    const ids = it.emulator.store.contracts.map(({ id }) => id)
    const first = await mcp.call("contracts_list", { limit: 100 })
    const second = await mcp.call("contracts_list", { limit: 100, cursor: first["next"] })
    expect(new Set([...idsOf(first), ...idsOf(second)])).toEqual(new Set(ids))
    expect(second).toMatchObject({
      complete: true,
      mirror: expect.stringContaining("130 contracts") as string,
    })
    expect(await mcp.call("contracts_get", { ids: [ids[0], 7] })).toMatchObject({ unknown_ids: [7] })
    expect(it.emulator.journal.entries).toHaveLength(requests)
    expect(await mcp.call("changes", { since: "1d" })).toMatchObject({ changes: [], next: null })

    it.emulator.store.update(ids[0] ?? 0, { unit_label: "After" })
    it.emulator.store.update(ids[1] ?? 0, { unit_label: "After" })
    expect((await it.run(sync)).code).toBe(0)
    const one = await mcp.call("changes", { since: "1d", limit: 1 })
    const two = await mcp.call("changes", { since: "1d", limit: 1, cursor: one["next"] })
    const changes = [one, two].flatMap((page) => page["changes"] as ReadonlyArray<Result>)
    expect(new Set(changes.map(({ id }) => id))).toEqual(new Set(ids.slice(0, 2)))
    expect(changes[0]).toMatchObject({
      change: "changed",
      differences: [{ member: "unit_label", after: "After" }],
    })
    expect(two["next"]).toBeNull()
    expect(await mcp.fail("changes", { since: "soon" })).toContain("SinceInvalid")
    expect(firstOf(await mcp.call("contracts_get", { ids: [ids[0]] }))).toMatchObject({ unit_label: "After" })
  })
})

describe("deedkit mcp with a folder for exports", () => {
  it("writes new files there, and nowhere else", async () => {
    await using it = await bench({ contracts: 60 })
    const folder = join(it.folder, "exports")
    await mkdir(folder)
    const links = ["link.csv", "other.csv.manifest.json"]
    for (const link of links) await symlink(join(it.folder, "outside.csv"), join(folder, link))
    await using mcp = await connect(it, { args: ["--export-to", folder] })
    const file = "contracts.csv"
    const result = await mcp.call("contracts_export", {
      file,
      where: ["status=active"],
      fields: ["id", "city"],
    })
    expect(result).toMatchObject({ file: join(folder, file) })
    const active = it.emulator.store.contracts.filter(({ status }) => status === "active")
    const lines = (await readFile(join(folder, file), "utf8")).trim().split(/\r?\n/)
    expect(lines).toHaveLength(active.length + 1)
    expect(await mcp.fail("contracts_export", { file })).toContain("already exists")
    const outside = [
      "../outside.csv",
      "/tmp/outside.csv",
      "sub/outside.csv",
      "..",
      "-",
      ".x.csv",
      "a{date}.csv",
      "~x.csv",
      "a\u0000.csv",
      "link.csv",
      "other.csv",
    ]
    for (const name of outside)
      expect([name, await mcp.fail("contracts_export", { file: name })]).toEqual([name, expect.any(String)])
    expect(await readdir(it.folder)).not.toContain("outside.csv")
    expect((await readdir(folder)).toSorted()).toEqual([file, `${file}.manifest.json`, ...links])
    const { tools } = await mcp.client.listTools()
    expect(tools.find(({ name }) => name === "contracts_export")?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
    })
  })
})
