import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, password, start } from "@deedkit/config/postgres"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bench } from "../../harness/Cli.ts"
import { until } from "../../harness/Until.ts"

describe.skipIf(!hasPostgres)("a mirror in a PostgreSQL server", () => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it("is filled and read by the commands that a file is, with the password of the environment", async () => {
    await using it = await bench({ contracts: 120 })
    const address = (await server.database("warehouse")).replace(`:${password}@`, "@")
    const asked = async (args: ReadonlyArray<string>, env: object = { PGPASSWORD: password }) => {
      const ended = await it.run(args, { env: { ...env } })
      expect(ended.stdout + ended.stderr).not.toContain(password)
      return ended
    }
    const synced = await asked(["sync", "--to", address])
    expect([synced.code, synced.stderr]).toEqual([0, expect.stringContaining("1 account is complete in ")])
    const status = await asked(["sync", "status", address, "--json"])
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('"proven"')])
    const changes = await asked(["sync", "changes", `${address}?sslmode=disable`, "--since", "1d", "--json"])
    expect([changes.code, JSON.parse(changes.stdout)]).toEqual([
      0,
      expect.objectContaining({ mirror: "warehouse" }),
    ])
    it.emulator.journal.clear()
    const listed = await asked(["contracts", "list", "--from", address, "--all", "--json"])
    const { items } = JSON.parse(listed.stdout) as { readonly items: ReadonlyArray<unknown> }
    expect(items).toEqual(it.emulator.store.contracts.toSorted((one, other) => other.id - one.id))
    const report = await asked(["export", "report", "--from", address, "--out", "report.xlsx"])
    expect([report.code, report.stderr]).toEqual([0, expect.stringContaining("complete (proven)")])
    expect((await asked(["export", "verify", "report.xlsx"])).code).toBe(0)
    expect(it.emulator.journal.entries).toEqual([])
    expect((await asked(["sync", "status", address], { PGPASSWORD: "wrong" })).code).toBe(4)
  })
})

describe.skipIf(!hasPostgres)("a worker on a PostgreSQL server", () => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it(
    "syncs what was queued with the keys that it has, ends on SIGTERM, and the mirror says so",
    { timeout: 60_000 },
    async () => {
      await using it = await bench({ contracts: 30 })
      const address = (await server.database("queued")).replace(`:${password}@`, "@")
      const accounts = join(it.folder, "accounts.jsonl")
      const line = (name: string, keyEnv: string) => JSON.stringify({ name, baseUrl: it.url, keyEnv })
      await writeFile(accounts, [line("acme", "DEEDKIT_API_KEY"), line("beta", "KEY_OF_BETA")].join("\n"))
      const asked = async (args: ReadonlyArray<string>, more: object = {}) => {
        const ended = await it.run([...args, "--accounts", accounts, "--to", address], {
          env: { PGPASSWORD: password },
          ...more,
        })
        expect(ended.stdout + ended.stderr).not.toContain(password)
        return ended
      }
      // A queue needs no key.
      const queued = await asked(["sync", "--queue"], {
        env: { PGPASSWORD: password, DEEDKIT_API_KEY: "" },
      })
      expect([queued.code, queued.stderr]).toEqual([0, "2 accounts are queued.\n"])
      expect(it.emulator.journal.entries).toEqual([])
      const worked = await asked(["sync", "worker"], { onStart: until("acme: 12 API keys", "beta: ") })
      // In a log, each line begins with its date.
      const report = worked.stderr
        .split("\n")
        .flatMap((each) => /^[\d-]{10} [\d:]{8} [+-]\d\d:\d\d ((?:acme|beta).*)$/.exec(each)?.[1] ?? [])
      expect(worked.code).toBe(143)
      expect(report.toSorted()).toEqual([
        "acme: 12 API keys, 12 added, complete (proven).",
        "acme: 30 contracts, 30 added, complete (proven).",
        expect.stringContaining("beta: The variable KEY_OF_BETA is not set"),
      ])
      const again = await asked(["sync", "--queue", "--json"])
      expect(JSON.parse(again.stdout)).toMatchObject({ queued: 1, waiting: 0, synced: 1 })
      const status = await it.run(["sync", "status", address], { env: { PGPASSWORD: password } })
      expect([status.code, status.stdout]).toEqual([0, expect.stringContaining("proven")])
    },
  )

  it(
    "takes a new line of the accounts file without a new start, and says in JSON what it did",
    { timeout: 60_000 },
    async () => {
      await using it = await bench({ contracts: 5 })
      const address = (await server.database("later")).replace(`:${password}@`, "@")
      const accounts = join(it.folder, "accounts.jsonl")
      const line = (name: string) => JSON.stringify({ name, baseUrl: it.url, keyEnv: "DEEDKIT_API_KEY" })
      await writeFile(accounts, line("first"))
      const env = { PGPASSWORD: password }
      const args = ["--accounts", accounts, "--to", address]
      await it.run(["sync", "--queue", ...args], { env })
      let added: ReturnType<typeof it.run> | undefined
      const worked = await it.run(["sync", "worker", "--json", ...args], {
        env,
        onStart: (child) => {
          until('"account":"second"')(child)
          child.stdout?.on("data", () => {
            added ??= writeFile(accounts, line("second")).then(() =>
              it.run(["sync", "--queue", ...args], { env }),
            )
          })
        },
      })
      const events = worked.stdout
        .trimEnd()
        .split("\n")
        .map((each) => JSON.parse(each) as object)
      expect(events).toEqual([
        expect.objectContaining({ event: "synced", account: "first" }),
        expect.objectContaining({
          event: "failed",
          account: "second",
          problem: expect.stringContaining("first"),
        }),
      ])
      expect(worked.code).toBe(143)
      expect((await added)?.code).toBe(0)
    },
  )
})
