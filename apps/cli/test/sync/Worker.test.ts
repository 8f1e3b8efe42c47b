import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"

const nowhere = "postgres://owner@127.0.0.1:1/warehouse"

describe("deedkit sync --queue and deedkit sync worker", () => {
  it.each([
    ["sync --queue --to :memory:", "--to :memory: is not a file"],
    [`sync --queue --data --to ${nowhere}`, "--queue and --data cannot be combined"],
    [`sync --queue --only keys --to ${nowhere}`, "--queue and --only cannot be combined"],
    [`sync --queue --concurrency 2 --to ${nowhere}`, "--queue and --concurrency cannot be combined"],
    [`sync --queue --page-size 10 --to ${nowhere}`, "--queue and --page-size cannot be combined"],
    ["sync --since 1d --to mirror.sqlite", "--since is for --queue"],
    ["sync --queue --to mirror.sqlite", "`deedkit sync --to mirror.sqlite --every 24h` needs neither"],
    ["sync worker", "Missing --to MIRROR"],
    ["sync worker --to -", "--to - is not a file"],
    ["sync worker --to :memory:", "--to :memory: is not a file"],
    ["sync worker --to mirror.sqlite", "`deedkit sync --to mirror.sqlite --every 24h` needs neither"],
    [`sync worker --to ${nowhere} --nightly *****`, "--nightly ***** is not a cron expression"],
    [`sync worker --to ${nowhere} --metrics nine`, "--metrics nine is not an address"],
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
