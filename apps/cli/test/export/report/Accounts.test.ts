import { writeFile } from "node:fs/promises"
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
    JSON.stringify({ name, baseUrl, keyEnv: at === 0 ? "DEEDKIT_API_KEY" : "BETA_KEY" }),
  )
  await writeFile(join(it.folder, "accounts.jsonl"), lines.join("\n"))
  return {
    acme: it.emulator,
    beta: other,
    path: join(it.folder, "all.xlsx"),
    run: (args: ReadonlyArray<string>) => run(args, { cwd: it.folder }),
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
