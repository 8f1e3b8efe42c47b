import { chmod, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "./Cli.ts"
import { bench } from "./Cli.ts"

/** Runs `deedkit me` and expects one sentence, exit code 2, no data and no request. */
const refused = async (
  it: Bench,
  args: ReadonlyArray<string>,
  words: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const { code, stderr, stdout } = await it.run(["me", ...args], { env })
  expect([code, stdout, it.emulator.journal.entries.length]).toEqual([2, "", 0])
  expect(stderr).toContain(words)
  expect(stderr.trimEnd()).not.toContain("\n")
}

describe("settings", () => {
  it.concurrent("take the key from a file that only its owner can read", async () => {
    await using it = await bench()
    const path = join(it.folder, "key")
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY_FILE: path }
    await writeFile(path, `${it.emulator.apiKey}\n`, { mode: 0o600 })
    const run = async () => (await import("./Cli.ts")).run(["me", "--quiet"], { cwd: "/", env })
    expect((await run()).code).toBe(0)
    await chmod(path, 0o644)
    const open = await run()
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

  it.concurrent("are refused in one sentence before any request", async () => {
    await using it = await bench()
    await refused(it, ["--base-url", ""], "base URL: is empty")
    await refused(it, ["--base-url", "http://example.com"], "plain http to example.com")
    await refused(it, [], "API key: is empty", { DEEDKIT_API_KEY: "" })
    await refused(it, [], "holds a line break", { DEEDKIT_API_KEY: "one\ntwo" })
    await refused(it, ["--cursor-param", "limit"], "cursor parameter")
    await refused(it, [], "could not be read (ENOENT)", {
      DEEDKIT_API_KEY_FILE: "missing",
      DEEDKIT_API_KEY: "",
    })
  })

  it.concurrent("are asked for when they are missing", async () => {
    await using it = await bench()
    const { run } = await import("./Cli.ts")
    const nothing = await run(["me"], { cwd: it.folder })
    const noKey = await run(["me", "--base-url", it.url], { cwd: it.folder })
    expect([nothing.code, noKey.code]).toEqual([2, 2])
    expect(nothing.stderr).toContain("There is no base URL. Set DEEDKIT_BASE_URL or pass --base-url")
    expect(noKey.stderr).toContain("There is no API key. Set DEEDKIT_API_KEY")
  })
})
