import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"
import { until } from "../harness/Until.ts"

const nowhere = "postgres://owner@127.0.0.1:1/warehouse"

describe("deedkit sync --queue and deedkit sync worker", () => {
  it.each([
    ["sync --queue --to :memory:", "--to :memory: is not a file"],
    [`sync --queue --data --to ${nowhere}`, "--queue and --data cannot be combined"],
    [`sync --queue --only keys --to ${nowhere}`, "--queue and --only cannot be combined"],
    [`sync --queue --concurrency 2 --to ${nowhere}`, "--queue and --concurrency cannot be combined"],
    [`sync --queue --page-size 10 --to ${nowhere}`, "--queue and --page-size cannot be combined"],
    ["sync --night today --to mirror.sqlite", "--night is for --queue"],
    ["sync worker", "Missing --to MIRROR"],
    ["sync worker --to -", "--to - is not a file"],
    ["sync worker --to :memory:", "--to :memory: is not a file"],
    ["sync worker --to mirror.sqlite --nightly 2am", "--nightly 2am is not a cron expression"],
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

describe("a worker on a file", () => {
  it("says which variable of the environment the engine refuses, and takes no value of any", async () => {
    await using it = await bench({ contracts: 3 })
    const args = ["--to", join(it.folder, "mirror.sqlite")]
    const refused = await it.run(["sync", "worker", ...args], { env: { PORT: "tcp://10.0.0.1:80" } })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('at ["port"]')])
    expect(refused.stderr).toContain("Unset the variable for this command")
    await it.run(["sync", "--queue", ...args])
    const worked = await it.run(["sync", "worker", ...args], {
      // With any of these the queue would not be looked into.
      env: { PORT: "1", SHARDS_PER_GROUP: "1", SHARD_GROUPS: "none", ENTITY_MESSAGE_POLL_INTERVAL: "1 hour" },
      onStart: until("12 API keys, 12 added"),
    })
    expect(worked.code).toBe(143)
  })

  it(
    "syncs what was queued and each night, is the only one, and ends on SIGTERM",
    { timeout: 60_000 },
    async () => {
      await using it = await bench({ contracts: 30 })
      const mirror = join(it.folder, "mirror.sqlite")
      const args = ["--to", mirror]
      const queued = await it.run(["sync", "--queue", "--night", "first", ...args])
      expect([queued.code, queued.stderr]).toEqual([0, "1 account is queued for the night first.\n"])
      expect(it.emulator.journal.entries).toEqual([])
      const others: Array<Promise<readonly [code: number | null, stderr: string]>> = []
      const refused = async (command: ReadonlyArray<string>) => {
        const { code, stderr } = await it.run([...command, ...args])
        return [code, stderr] as const
      }
      const worked = await it.run(["sync", "worker", ...args], {
        onStart: (child) => {
          let seen = ""
          child.stderr?.on("data", (chunk: string) => {
            seen += chunk
            if (others.length > 0 || !seen.includes("12 API keys")) return
            others.push(refused(["sync", "worker"]), refused(["sync", "--queue"]))
            void Promise.allSettled(others).then(() => child.kill("SIGTERM"))
          })
        },
      })
      expect([worked.code, worked.stderr.split("\n").filter((line) => line.includes("added"))]).toEqual([
        143,
        [
          expect.stringContaining("30 contracts, 30 added, complete (proven)."),
          expect.stringContaining("12 API keys, 12 added, complete (proven)."),
        ],
      ])
      for (const [code, stderr] of await Promise.all(others))
        expect([code, stderr]).toEqual([
          10,
          expect.stringContaining(
            `Another process has locked the queue of the mirror ${mirror}. A mirror in a file has`,
          ),
        ])
      const nightly = await it.run(["sync", "worker", "--nightly", "* * * * * *", ...args], {
        onStart: until("account is queued for the night"),
      })
      expect([nightly.code, nightly.stderr]).toEqual([
        143,
        expect.stringContaining("1 account is queued for the night 20"),
      ])
      const status = await it.run(["sync", "status", mirror])
      expect([status.code, status.stdout]).toEqual([0, expect.stringContaining("proven")])
    },
  )
})
