import { execFile, execFileSync } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { account } from "../harness/Account.ts"
import { bench } from "../harness/Cli.ts"
import { canMount, runBeside } from "../harness/ReadOnlyDisk.ts"

interface Line {
  readonly at: string
  readonly pid: number
  readonly event: string
  readonly account?: string
  readonly text?: string
  readonly exitCode?: number
  readonly error?: { readonly error: string } | null
}

const linesOf = async (path: string): Promise<ReadonlyArray<Line>> =>
  (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)

describe("--log", () => {
  it("keeps of every run when it began, what it requested and said, and how it ended, whatever is shown", async () => {
    await using it = await bench({ contracts: 30, faults: ["rate-limit:page=1,times=1"] })
    const log = join(it.folder, "night.log")
    const args = ["export", "contracts", "--out", "a.csv", "--quiet", "--log", "night.log"]
    const first = await it.run(args)
    expect([first.code, first.stdout, first.stderr]).toEqual([0, "", ""])
    const second = await it.run([...args, "--json"])
    expect(second.code).toBe(10)
    const lines = await linesOf(log)
    expect(lines.every(({ at, pid }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) && pid > 0)).toBe(true)
    expect(lines.filter(({ event }) => event === "started")).toHaveLength(2)
    expect(lines.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["started", "Attempted", "Waiting", "PageRead", "message", "ended"]),
    )
    expect(lines.flatMap(({ text = "" }) => (text.startsWith("a.csv: 30 rows") ? [text] : []))).toHaveLength(
      1,
    )
    const ends = lines.filter(({ event }) => event === "ended")
    expect(ends.map(({ error, exitCode }) => [exitCode, error?.error ?? null])).toEqual([
      [0, null],
      [10, "TargetExists"],
    ])
    expect((await stat(log)).mode & 0o777).toBe(0o600)
  })

  it.each([
    ["an export", ["export", "contracts", "--all", "--out", "{profile}.csv"]],
    ["a report", ["export", "report", "--all", "--out", "all.xlsx"]],
    ["a sync", ["sync", "--all", "--to", "mirror.sqlite"]],
  ])("names the account of each page of %s, where it reads several", async (_, command) => {
    await using it = await account({ contracts: 3 })
    await using other = await bench({ contracts: 2 })
    for (const [name, { emulator, url }] of [
      ["athens", it],
      ["lisbon", other],
    ] as const) {
      const login = ["auth", "login", "--profile", name, "--base-url", url, "--with-key"]
      expect((await it.pipe([...login, "--insecure-storage"], emulator.apiKey)).code).toBe(0)
    }
    expect((await it.pipe([...command, "--log", "all.log"], "")).code).toBe(0)
    const pages = (await linesOf(join(it.folder, "all.log"))).filter(({ event }) => event === "PageRead")
    expect(new Set(pages.map((page) => page.account))).toEqual(new Set(["athens", "lisbon"]))
  })

  it.runIf(process.platform === "linux")(
    "waits for no pipe that somebody has put into /dev/shm, and a debug bundle replaces nothing there",
    async () => {
      await using it = await bench()
      const path = `/dev/shm/deedkit-${process.pid}`
      execFileSync("mkfifo", [path])
      const onStart = (child: ChildProcess): void => {
        const timer = setTimeout(() => child.kill("SIGKILL"), 20_000)
        child.once("close", () => clearTimeout(timer))
      }
      const logged = await it.run(["me", "--log", path], { onStart })
      const bundled = await it.run(["me", "--debug-bundle", path], { onStart })
      await rm(path)
      expect([logged.code, logged.stderr]).toEqual([0, expect.stringContaining("is not a regular file")])
      expect([bundled.code, bundled.stderr]).toEqual([2, expect.stringContaining("exists already")])
    },
  )

  it("has arguments that cannot be parsed too, and no secret that was typed", async () => {
    await using it = await bench({ contracts: 3 })
    const secret = "abcdefghij0123456789ABCDEF"
    const { code } = await it.run([
      "me",
      "--token",
      secret,
      "--log=wrong.log",
      "--ping",
      `http://h.test/${secret}`,
    ])
    expect(code).toBe(2)
    const text = await it.file("wrong.log")
    expect(text).not.toContain(secret)
    expect(text).toContain('"event":"ended","exitCode":2')
  })

  it("has one line an event for readers that end a line at U+0085, U+2028 and U+2029 too", async () => {
    await using it = await bench({ contracts: 1 })
    it.emulator.store.insert(JSON.parse('{"a\\u2028b\\u2029c\\u0085d":"x"}') as object)
    expect((await it.run(["contracts", "list", "--log", "a.log"])).code).toBe(0)
    const text = await it.file("a.log")
    expect(text).toContain(String.raw`a\u2028b`)
    expect(text).not.toMatch(/[\u0085\u2028\u2029]/)
  })

  it("begins a line of its own after one that a full disk cut off, and follows the file that is there", async () => {
    await using it = await bench({ contracts: 3 })
    await writeFile(join(it.folder, "old.log"), '{"at":"2026-', { mode: 0o640 })
    expect((await it.run(["me", "--quiet", "--log", "old.log"])).code).toBe(0)
    const [cut, started = ""] = (await it.file("old.log")).split("\n")
    expect([cut, (JSON.parse(started) as Line).event]).toEqual(['{"at":"2026-', "started"])
  })

  it.runIf(process.platform === "linux").each([
    ["/dev/full", "ENOSPC"],
    ["nowhere/a.log", "ENOENT"],
    [".", "EISDIR"],
    ["pipe", "it is not a regular file"],
  ])("that cannot be written is said once and ends nothing: %s", async (path, code) => {
    await using it = await bench({ contracts: 3 })
    await promisify(execFile)("mkfifo", [join(it.folder, "pipe")])
    const ended = await it.run(["export", "keys", "--out", "a.csv", "--quiet", "--log", path])
    expect([ended.code, ended.stderr]).toEqual([
      0,
      `The log ${path} could not be written (${code}). The command goes on without it.\n`,
    ])
    expect(await it.files()).toContain("a.csv")
  })

  it.skipIf(!canMount)("on a read-only file system says so, and what to do", async () => {
    await using it = await bench({ contracts: 3 })
    const { stderr } = await runBeside(it, ["me", "--quiet", "--log", "read-only/a.log"])
    expect(stderr).toBe(
      "The log read-only/a.log could not be written (its file system is mounted read-only; choose another path). " +
        "The command goes on without it.\n",
    )
  })
})
