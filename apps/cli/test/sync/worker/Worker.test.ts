import type { ChildProcess } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, password, start } from "@deedkit/config/postgres"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bench } from "../../harness/Cli.ts"

const nowhere = "postgres://owner@127.0.0.1:1/warehouse"

describe("deedkit sync --queue and deedkit sync worker", () => {
  it.each([
    ["sync --queue --to mirror.sqlite", "--queue needs a mirror in PostgreSQL, and mirror.sqlite is a file"],
    [`sync --queue --data --to ${nowhere}`, "--queue and --data cannot be combined"],
    [`sync --queue --only keys --to ${nowhere}`, "--queue and --only cannot be combined"],
    [`sync --queue --concurrency 2 --to ${nowhere}`, "--queue and --concurrency cannot be combined"],
    [`sync --queue --page-size 10 --to ${nowhere}`, "--queue and --page-size cannot be combined"],
    ["sync --night today --to mirror.sqlite", "--night is for --queue"],
    ["sync worker", "Missing --to MIRROR"],
    ["sync worker --to mirror.sqlite", "A worker needs a mirror in PostgreSQL, and mirror.sqlite is a file"],
    [`sync worker --to ${nowhere} --nightly 2am`, "--nightly 2am is not a cron expression"],
    [`sync worker --to postgres://owner:secret-here@127.0.0.1:1/warehouse`, "PGPASSWORD"],
  ])("refuses `%s`, and sends nothing", async (line, message) => {
    await using it = await bench()
    const { code, stderr } = await it.call(line.split(" "))
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(stderr).not.toContain("secret-here")
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("refuses a night whose time never comes", async () => {
    await using it = await bench()
    const { code, stderr } = await it.call(["sync", "worker", "--to", nowhere, "--nightly", "0 2 30 2 *"])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("The time of --nightly 0 2 30 2 * never comes."),
    ])
  })

  it("confirms an account by a sync of it alone", async () => {
    await using it = await bench()
    const config = { version: 1, current: "acme", profiles: {} }
    await writeFile(join(it.folder, "config.json"), JSON.stringify(config))
    const accounts = join(it.folder, "accounts.jsonl")
    await writeFile(accounts, JSON.stringify({ name: "acme", baseUrl: it.url, keyEnv: "DEEDKIT_API_KEY" }))
    const args = ["sync", "--accounts", accounts, "--to", nowhere, "--queue", "--same-account", "acme"]
    const { code, stderr } = await it.call(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining("with a sync of it alone, without --queue.")])
  })

  it.each([
    ["sync", "--queue", "--to", nowhere],
    ["sync", "worker", "--to", nowhere],
  ])("fails as a network does where the server is not there: %s %s", async (...args) => {
    await using it = await bench()
    const { code, stderr } = await it.call(args)
    expect([code, stderr]).toEqual([7, expect.stringContaining("cannot be reached (ECONNREFUSED).")])
  })
})

describe.skipIf(!hasPostgres)("a worker on a PostgreSQL server", () => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  /** Runs until standard error holds a text so often, then sends SIGTERM. */
  const until = (text: string, times: number) => (child: ChildProcess) => {
    let seen = ""
    let isEnding = false
    const look = (chunk: string) => {
      seen += chunk
      if (isEnding || seen.split(text).length <= times) return
      isEnding = true
      child.kill("SIGTERM")
    }
    child.stderr?.on("data", look)
    child.stdout?.on("data", look)
  }

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
      const queued = await asked(["sync", "--queue", "--night", "first"], {
        env: { PGPASSWORD: password, DEEDKIT_API_KEY: "" },
      })
      expect([queued.code, queued.stderr]).toEqual([0, "2 accounts are queued for the night first.\n"])
      expect(it.emulator.journal.entries).toEqual([])
      const worked = await asked(["sync", "worker"], { onStart: until("beta: ", 1) })
      const report = worked.stderr
        .split("\n")
        .filter((each) => each.startsWith("acme") || each.startsWith("beta"))
      expect(worked.code).toBe(143)
      expect(report.toSorted()).toEqual([
        "acme: 12 API keys, 12 added, complete (proven).",
        "acme: 30 contracts, 30 added, complete (proven).",
        expect.stringContaining("beta: The variable KEY_OF_BETA is not set"),
      ])
      const again = await asked(["sync", "--queue", "--night", "first", "--json"])
      expect(JSON.parse(again.stdout)).toMatchObject({ night: "first", queued: 1, waiting: 0, synced: 1 })
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
      let isAdded = false
      const worked = await it.run(["sync", "worker", "--json", ...args], {
        env,
        onStart: (child) => {
          until('"account":"second"', 1)(child)
          child.stdout?.on("data", () => {
            if (isAdded) return
            isAdded = true
            void writeFile(accounts, line("second")).then(() => it.run(["sync", "--queue", ...args], { env }))
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
    },
  )
})
