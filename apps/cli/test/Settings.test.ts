import { chmod, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bench, run } from "./Cli.ts"

describe("settings", () => {
  it.concurrent("take the key from a file that only its owner can read", async () => {
    await using it = await bench()
    const path = join(it.folder, "key")
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY_FILE: path }
    await writeFile(path, `${it.emulator.apiKey}\n`, { mode: 0o600 })
    const me = () => run(["me", "--quiet"], { cwd: tmpdir(), env })
    expect((await me()).code).toBe(0)
    await chmod(path, 0o644)
    const open = await me()
    expect([open.code, open.stdout]).toEqual([2, ""])
    expect(open.stderr).toContain("Run chmod 600 on it")
  })

  it.concurrent("take the key from standard input before the environment", async () => {
    await using it = await bench()
    const { code } = await it.run(["me", "--api-key-stdin"], {
      env: { DEEDKIT_API_KEY: "wrong" },
      stdin: `${it.emulator.apiKey}\r\n`,
    })
    expect(code).toBe(0)
  })

  it.concurrent("prefer flags to the environment", async () => {
    await using it = await bench({ assumptions: { cursorParameter: "after" } })
    const env = { DEEDKIT_BASE_URL: "https://unreachable.example", DEEDKIT_CURSOR_PARAM: "wrong" }
    const args = ["contracts", "list", "--all", "--json", "--rate", "0", "--base-url", it.url]
    expect((await it.run([...args, "--cursor-param", "after"], { env })).code).toBe(0)
    expect((await it.run(args, { env })).code).toBe(11)
  })

  it.concurrent.each([
    ["an empty base URL", ["--base-url", ""], {}, /^Base URL: is empty/i],
    ["plain http to another host", ["--base-url", "http://example.com"], {}, /plain http to example\.com/],
    ["an empty key", [], { DEEDKIT_API_KEY: "" }, /^API key: is empty/i],
    ["a key with a line break", [], { DEEDKIT_API_KEY: "one\ntwo" }, /holds a line break/],
    ["a parameter that means something else", ["--cursor-param", "limit"], {}, /^cursor parameter: /i],
  ])("are refused in one sentence before any request: %s", async (_, args, env, words) => {
    await using it = await bench()
    const { code, stderr, stdout } = await it.call(["me", ...args], { env })
    expect([code, stdout, it.emulator.journal.entries.length]).toEqual([2, "", 0])
    expect(stderr).toMatch(words)
    expect(stderr.trimEnd()).not.toContain("\n")
  })

  it.concurrent("are asked for when they are missing", async () => {
    await using it = await bench()
    const nothing = await run(["me"], { cwd: it.folder })
    const noKey = await run(["me", "--base-url", it.url], { cwd: it.folder })
    expect([nothing.code, noKey.code]).toEqual([2, 2])
    expect(nothing.stderr).toContain("There is no base URL. Set DEEDKIT_BASE_URL or pass --base-url")
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY_FILE: "missing" }
    const noFile = await run(["me"], { cwd: it.folder, env })
    expect([noFile.code, noFile.stderr.includes("missing could not be read (ENOENT)")]).toEqual([2, true])
    expect(noKey.stderr).toContain("There is no API key. Set DEEDKIT_API_KEY")
  })
})
