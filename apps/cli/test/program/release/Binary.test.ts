/** The program as a single file, in an empty folder, with an empty environment: no Node, no modules, no home. */
import { execFile, spawn } from "node:child_process"
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bench } from "../../harness/Cli.ts"

const app = join(import.meta.dirname, "..", "..", "..")

let folder: string
let program: string

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const run = (
  args: ReadonlyArray<string>,
  cwd: string,
  env: Readonly<Record<string, string>>,
  stdin = "",
  signal = new AbortController().signal,
) =>
  new Promise<Ended>((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] })
    signal.addEventListener("abort", () => child.kill())
    const output = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
    child.stdin.on("error", () => {}).end(stdin)
    child.once("close", (code) => resolve({ code, ...output }))
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-single-"))
  const build = ["--conditions=@deedkit/source", join(app, "binary/build.ts"), folder]
  await promisify(execFile)(process.execPath, build, { cwd: app })
  program = join(folder, process.platform === "win32" ? "deedkit.exe" : "deedkit")
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the single file", () => {
  it("exports, checks, mirrors and lists without anything beside it", async () => {
    await using trial = await bench()
    const env = {
      DEEDKIT_BASE_URL: trial.url,
      DEEDKIT_API_KEY: trial.emulator.apiKey,
      TMPDIR: join(trial.folder),
    }
    const ended = await run(["export", "all", "--out", "x.xlsx", "--rate", "0"], trial.folder, env)
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("contracts 250 rows, keys 12 rows"),
    })
    expect(await run(["export", "verify", "x.xlsx"], trial.folder, {})).toMatchObject({ code: 0 })
    expect(await run(["sync", "--to", "m.sqlite", "--rate", "0"], trial.folder, env)).toMatchObject({
      code: 0,
    })
    const listed = await run(
      ["keys", "list", "--all", "--from", "m.sqlite", "--json", "id"],
      trial.folder,
      {},
    )
    expect(JSON.parse(listed.stdout)).toMatchObject({ items: { length: 12 } })
    // What was written to load the binary modules is gone.
    const left = (await readdir(trial.folder)).filter((name) => name.startsWith("deedkit-"))
    expect(left).toEqual([])
  }, 60_000)

  it("holds locks: a second export of the same file is refused", async () => {
    await using trial = await bench({ faults: ["stall"] })
    const env = { DEEDKIT_BASE_URL: trial.url, DEEDKIT_API_KEY: trial.emulator.apiKey }
    const stop = new AbortController()
    const first = run(["export", "keys", "--out", "x.csv"], trial.folder, env, "", stop.signal)
    const isStarted = async () => (await readdir(trial.folder)).some((name) => name.startsWith("x.csv"))
    await expect.poll(isStarted).toBe(true)
    const second = await run(["export", "keys", "--out", "x.csv"], trial.folder, env)
    stop.abort()
    await first
    expect(second).toMatchObject({ code: 10, stderr: expect.stringContaining("Another export is writing") })
  }, 60_000)

  it("reaches for the keychain of the machine", async () => {
    await using trial = await bench()
    const args = ["auth", "login", "--base-url", trial.url, "--with-key"]
    const env = { HOME: trial.folder, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" }
    const { code, stderr } = await run(args, trial.folder, env, trial.emulator.apiKey)
    expect([code, stderr]).toEqual([10, expect.stringContaining("(no Secret Service runs here)")])
  }, 60_000)

  it("exports where nothing can be written but the folder of the file", async () => {
    await using trial = await bench()
    const closed = join(trial.folder, "closed")
    await writeFile(closed, "")
    await chmod(closed, 0o400)
    const env = {
      DEEDKIT_BASE_URL: trial.url,
      DEEDKIT_API_KEY: trial.emulator.apiKey,
      TMPDIR: closed,
      HOME: closed,
    }
    expect(await run(["export", "keys", "--out", "x.csv"], trial.folder, env)).toMatchObject({ code: 0 })
  }, 60_000)
})
