import { readFile as readText, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { make } from "@deedkit/emulator"
import type { Emulator } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { describe, expect, it } from "vitest"
import { readFile, utils } from "xlsx"
import { bench, run } from "../../harness/Cli.ts"

const rowsOf = (path: string, sheet: string): ReadonlyArray<ReadonlyArray<unknown>> =>
  utils.sheet_to_json<Array<unknown>>(readFile(path).Sheets[sheet]!, { header: 1, defval: null })

const report = ["export", "report", "--rate", "0", "--out", "all.xlsx"]

/** Profiles and a mirror of two services: acme with 250 contracts, beta with 20, whose ids and units are partly the same. */
const offices = async () => {
  const it = await bench({ contracts: 250 })
  const other = make({ contracts: 20, seed: 1 })
  const server = await listen(other)
  const of = [
    ["acme", it.url, it.emulator.apiKey],
    ["beta", server.url, other.apiKey],
  ] as const
  for (const [name, baseUrl, key] of of) {
    const file = join(it.folder, `${name}.key`)
    await writeFile(file, key, { mode: 0o600 })
    const login = ["auth", "login", "--profile", name, "--base-url", baseUrl, "--key-file", file]
    expect((await run(login, { cwd: it.folder })).code).toBe(0)
  }
  const lines = of.map(([name, baseUrl], at) =>
    JSON.stringify({
      name,
      baseUrl,
      keyEnv: at === 0 ? "DEEDKIT_API_KEY" : "BETA_KEY",
      tags: at === 0 ? ["crete"] : ["crete", "sea"],
    }),
  )
  await writeFile(join(it.folder, "accounts.jsonl"), lines.join("\n"))
  return {
    acme: it.emulator,
    beta: other,
    path: join(it.folder, "all.xlsx"),
    run: (args: ReadonlyArray<string>) => run(args, { cwd: it.folder }),
    read: (name: string) => readText(join(it.folder, name), "utf8"),
    sync: () =>
      run(["sync", "--accounts", "accounts.jsonl", "--to", "mirror.sqlite"], {
        cwd: it.folder,
        env: { DEEDKIT_API_KEY: it.emulator.apiKey, BETA_KEY: other.apiKey },
      }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server.close(), it[Symbol.asyncDispose]()])
    },
  }
}

const contractsOf = (account: string, { store }: Emulator) =>
  store.contracts.map(({ id, unit_label }) => [account, id, unit_label])

/** Account, contract and unit of each row, in the order of both. */
const held = (path: string) =>
  rowsOf(path, "Contracts")
    .slice(1)
    .map(([account, id, , , unit]) => [account, id, unit])
const inOrder = (rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
  rows.map((row) => JSON.stringify(row)).toSorted()

describe("a report of every profile", () => {
  it("is one workbook also where there is one profile", async () => {
    await using it = await offices()
    expect((await it.run(["profile", "remove", "acme"])).code).toBe(0)
    expect((await it.run([...report, "--all"])).code).toBe(0)
    expect(inOrder(held(it.path))).toEqual(inOrder(contractsOf("beta", it.beta)))
  })
})

describe("a report of several accounts", () => {
  it.each(["--all", "--profile"])(
    "is one workbook by %s, with a column, a line and a total",
    async (flag) => {
      await using it = await offices()
      const chosen = flag === "--all" ? [flag] : ["--profile", "acme", "--profile", "beta"]
      const { code, stderr } = await it.run([...report, ...chosen])
      expect([code, stderr]).toEqual([0, expect.stringMatching(/acme: 250 contracts[^]*beta: 20 contracts/)])
      expect(inOrder(held(it.path))).toEqual(
        inOrder([...contractsOf("acme", it.acme), ...contractsOf("beta", it.beta)]),
      )
      const cover = rowsOf(it.path, "Cover")
      expect(cover.flat()).toContain("Contracts of acme, beta")
      expect(cover.flat()).toContain("Complete: 270 contracts, all that existed during the whole read.")
      expect(cover.find(([name]) => name === "beta")?.[1]).toMatch(/^20 contracts, read /)
      const [headings, ...units] = rowsOf(it.path, "Units")
      const counted = headings!.indexOf("Contracts so far")
      for (const [account, contracts] of [
        ["acme", 250],
        ["beta", 20],
      ] as const)
        expect(
          units.filter(([of]) => of === account).reduce((sum, row) => sum + Number(row[counted]), 0),
        ).toBe(contracts)
    },
  )

  it("is one workbook of all accounts of a mirror, without a request", async () => {
    await using it = await offices()
    expect((await it.sync()).code).toBe(0)
    it.acme.journal.clear()
    const { code, stderr } = await it.run([
      ...report.filter((arg) => arg !== "--rate" && arg !== "0"),
      "--all",
      "--from",
      "mirror.sqlite",
    ])
    expect([code, stderr]).toEqual([0, expect.stringContaining("20 contracts of beta")])
    expect(it.acme.journal.entries).toEqual([])
    expect(inOrder(held(it.path))).toEqual(
      inOrder([...contractsOf("acme", it.acme), ...contractsOf("beta", it.beta)]),
    )
  })

  it("is one workbook of the accounts of a mirror that have a tag", async () => {
    await using it = await offices()
    expect((await it.sync()).code).toBe(0)
    const ofTag = ["export", "report", "--from", "mirror.sqlite", "--out", "all.xlsx", "--overwrite", "--tag"]
    expect((await it.run([...ofTag, "sea"])).code).toBe(0)
    expect(inOrder(held(it.path))).toEqual(inOrder(contractsOf("beta", it.beta)))
    expect((await it.run([...ofTag, "crete"])).code).toBe(0)
    expect(held(it.path)).toHaveLength(270)
    const { code, stderr } = await it.run([...ofTag, "cretee"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("Choose one of its tags: crete, sea.")])
  })

  it("is not shown to be complete if one of them is not, and holds the others", async () => {
    await using it = await offices()
    expect((await it.run([...report, "--all", "--quick"])).code).toBe(9)
    const cover = rowsOf(it.path, "Cover").flat().map(String)
    expect(cover.some((text) => text.startsWith("Not shown to be complete"))).toBe(true)
    expect(held(it.path)).toHaveLength(270)
  })

  it("is not written if one of them fails, and resumes", async () => {
    await using it = await offices()
    it.beta.faults.set(["server-error"])
    const { code, stderr } = await it.run([...report, "--all", "--attempts", "1"])
    expect([code, stderr]).toEqual([7, expect.stringContaining("--resume")])
    it.beta.faults.set([])
    expect((await it.run([...report, "--all", "--resume"])).code).toBe(0)
    expect(held(it.path)).toHaveLength(270)
    expect(held(it.path).filter(([account]) => account === "acme")).toHaveLength(250)
  })

  it.each(["--with-keys", "--dry-run", "--split-by=city"])("is refused with %s", async (flag) => {
    await using it = await offices()
    const { code, stderr } = await it.run([...report, "--all", flag])
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be combined")])
  })
})

describe("contracts of several accounts of a mirror", () => {
  const contracts = ["export", "contracts", "--from", "mirror.sqlite"]

  it("are one file with a column for the account, and a line for each with its number", async () => {
    await using it = await offices()
    expect((await it.sync()).code).toBe(0)
    const { code, stderr } = await it.run([...contracts, "--all", "--columns", "id,unit_label", "all.csv"])
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/250 contracts of acme[^]*20 contracts of beta/),
    ])
    const [headings, ...rows] = (await it.read("all.csv")).trimEnd().split("\r\n")
    expect(headings).toBe("Account,Contract,Unit")
    expect(rows.map((row) => row.split(",").slice(0, 2).join(",")).toSorted()).toEqual(
      [...contractsOf("acme", it.acme), ...contractsOf("beta", it.beta)]
        .map(([account, id]) => `${account},${id}`)
        .toSorted(),
    )
    expect((await it.run(["export", "verify", "all.csv"])).code).toBe(0)
  })

  it("are a file of each where its name has {profile}, also API keys and whole workbooks", async () => {
    await using it = await offices()
    expect((await it.sync()).code).toBe(0)
    expect((await it.run([...contracts, "--tag", "crete", "--out", "{profile}.json"])).code).toBe(0)
    for (const [name, { store }] of [
      ["acme", it.acme],
      ["beta", it.beta],
    ] as const)
      expect(JSON.parse(await it.read(`${name}.json`))).toHaveLength(store.contracts.length)
    const from = ["--from", "mirror.sqlite", "--tag", "sea"]
    expect((await it.run(["export", "keys", ...from, "--out", "keys-{profile}.csv"])).code).toBe(0)
    expect((await it.read("keys-beta.csv")).trimEnd().split("\r\n")).toHaveLength(13)
    expect((await it.run(["export", "all", ...from, "--out", "all-{profile}.xlsx"])).code).toBe(0)
    await expect(it.read("all-acme.xlsx")).rejects.toThrow("ENOENT")
  })

  it.each([
    [["contracts", "--all", "all.json"], "without its account"],
    [["contracts", "--all", "--tag", "sea", "all.csv"], "--all and --tag cannot be combined"],
    [["contracts", "--tag", "sea", "--account", "acme", "all.csv"], "--account and --tag cannot be combined"],
    [["contracts", "--all", "--profile", "a", "--profile", "b", "all.csv"], "accounts and no profiles"],
    [["keys", "--all", "--out", "keys.csv"], "each account needs its own"],
  ])("are refused with %j", async ([table = "", ...args], why) => {
    await using it = await offices()
    expect((await it.sync()).code).toBe(0)
    const { code, stderr } = await it.run(["export", table, "--from", "mirror.sqlite", ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
  })

  it("cannot be chosen by a tag where the service is read", async () => {
    await using it = await offices()
    const { code, stderr } = await it.run(["export", "contracts", "--tag", "sea", "all.csv"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("Add --from MIRROR")])
  })
})

describe("--combine", () => {
  const csvOf = (text: string) =>
    text
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",").slice(0, 2))

  it("writes contracts and keys of several profiles into one file, with a column for the account", async () => {
    await using it = await offices()
    const combined = async (...args: ReadonlyArray<string>) => {
      const { code, stderr } = await it.run(["export", ...args, "--combine", "--headers", "api"])
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^acme: [^]*^beta: /m)])
    }
    const keysOf = (account: string, { store }: Emulator) =>
      store.apiKeys.map(({ id }) => [account, String(id)])
    const bothKeys = [...keysOf("acme", it.acme), ...keysOf("beta", it.beta)]

    await combined("keys", "--profile", "acme", "--profile", "beta", "--columns", "id", "keys.csv")
    expect(csvOf(await it.read("keys.csv"))).toEqual([["account", "id"], ...bothKeys])

    await combined("contracts", "--all", "--columns", "id,status", "two.json")
    const records = JSON.parse(await it.read("two.json")) as ReadonlyArray<object>
    expect(records).toHaveLength(270)
    expect(records.at(-1)).toEqual({
      account: "beta",
      id: it.beta.store.contracts.at(-1)!.id,
      status: it.beta.store.contracts.at(-1)!.status,
    })

    await combined("all", "--all", "all.xlsx")
    expect(
      rowsOf(it.path, "API keys")
        .slice(1)
        .map(([of]) => of),
    ).toEqual(bothKeys.map(([of]) => of))
    expect(rowsOf(it.path, "Contracts")).toHaveLength(271)
  })

  it("does the same for keys and everything of a mirror, without a request", async () => {
    await using it = await offices()
    expect((await it.sync()).code).toBe(0)
    it.acme.journal.clear()
    const from = ["--from", "mirror.sqlite", "--all", "--combine"]
    expect((await it.run(["export", "keys", ...from, "keys.csv"])).code).toBe(0)
    expect(csvOf(await it.read("keys.csv"))).toHaveLength(25)
    expect((await it.run(["export", "all", ...from, "all.xlsx"])).code).toBe(0)
    expect(rowsOf(it.path, "Contracts")).toHaveLength(271)
    expect(it.acme.journal.entries).toEqual([])
  })

  it("goes on with what was read of both accounts", async () => {
    await using it = await offices()
    it.beta.faults.add("server-error")
    const args = ["export", "contracts", "--all", "--combine", "both.csv", "--page-size", "100"]
    const { code, stderr } = await it.run([...args, "--attempts", "1"])
    expect([code, stderr]).toEqual([7, expect.stringContaining("pages are saved. To resume:")])
    it.beta.faults.clear()
    it.acme.journal.clear()
    expect((await it.run([...args, "--resume"])).code).toBe(0)
    expect(csvOf(await it.read("both.csv"))).toHaveLength(271)
    expect(it.acme.journal.entries.length).toBeLessThan(3)
  })

  it.each([
    [["contracts", "x.csv"], "--combine needs several accounts"],
    [["contracts", "--all", "{profile}.csv"], "Leave out --combine or {profile}."],
    [["contracts", "--all", "x.ndjson"], "without its account"],
    [["all", "--all", "x.json", "--columns", "id"], "Choose another format"],
    [["contracts", "--all", "--dry-run", "x.csv"], "--dry-run and a file of several accounts"],
    [["keys", "--profile", "acme", "--profile", "acme", "x.csv"], "acme is named twice"],
  ])("is refused with %j", async (args, why) => {
    await using it = await offices()
    const { code, stderr } = await it.run(["export", ...args, "--combine"])
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
  })
})
