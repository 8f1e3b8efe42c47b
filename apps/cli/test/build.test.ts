import { execFile } from "node:child_process"
import { copyFile, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { bench } from "./Cli.ts"

const app = join(import.meta.dirname, "..")
const node = (args: ReadonlyArray<string>, options: { cwd: string; env?: NodeJS.ProcessEnv }) =>
  promisify(execFile)(process.execPath, args, options)

describe("the bundle", () => {
  it("needs nothing but Node, also for what is loaded late", async () => {
    await using it = await bench()
    const file = join(it.folder, "dist", "deedkit.js")
    await mkdir(join(it.folder, "dist"))
    await copyFile(join(app, "package.json"), join(it.folder, "package.json"))
    await node([join(app, "build.ts"), join(it.folder, "dist")], { cwd: app })
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey }
    expect((await node([file, "--version"], { cwd: it.folder, env })).stdout).toBe("deedkit 0.0.0\n")
    const args = ["export", "keys", "--out", "-", "--columns", "id"]
    const { stdout } = await node([file, ...args], { cwd: it.folder, env })
    expect(stdout.trimEnd().split("\r\n")).toHaveLength(1 + it.emulator.store.apiKeys.length)
  })
})
