import { chmod, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Account } from "../harness/Account.ts"
import { account, person } from "../harness/Account.ts"
import { bench } from "../harness/Cli.ts"
import { call } from "../harness/InProcess.ts"

describe("settings", () => {
  it.concurrent("take the key from a file that only its owner can read", async () => {
    await using it = await bench()
    const path = join(it.folder, "key")
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY_FILE: path }
    await writeFile(path, `${it.emulator.apiKey}\n`, { mode: 0o600 })
    const me = () => call(["me", "--quiet"], { env })
    expect((await me()).code).toBe(0)
    await chmod(path, 0o644)
    const open = await me()
    expect([open.code, open.stdout]).toEqual([2, ""])
    expect(open.stderr).toContain("Run chmod 600 on it")
  })

  it.concurrent("take the key from standard input before the environment", async () => {
    await using it = await bench()
    const { code } = await it.call(["me", "--api-key-stdin"], {
      env: { DEEDKIT_API_KEY: "wrong" },
      stdin: `${it.emulator.apiKey}\r\n`,
    })
    expect(code).toBe(0)
  })

  it.concurrent("prefer flags to the environment", async () => {
    await using it = await bench({ assumptions: { cursorParameter: "after" } })
    const env = {
      DEEDKIT_BASE_URL: "https://unreachable.example",
      DEEDKIT_API_KEY: "another",
      DEEDKIT_PROFILE: "another",
      DEEDKIT_CURSOR_PARAM: "wrong",
    }
    const options = { env, stdin: it.emulator.apiKey }
    const byHand = ["--base-url", it.url, "--api-key-stdin"]
    const args = ["contracts", "list", "--all", "--json", "--rate", "0", ...byHand]
    expect((await it.call([...args, "--cursor-param", "after"], options)).code).toBe(0)
    expect((await it.call(args, options)).code).toBe(11)
  })

  it.concurrent.each([
    ["an empty base URL", ["--base-url", ""], {}, /^Base URL: is empty/i],
    ["plain http to another host", [], { DEEDKIT_BASE_URL: "http://example.com" }, /http to example\.com/],
    ["an empty key", [], { DEEDKIT_API_KEY: "" }, /^DEEDKIT_API_KEY is set and empty\./],
    ["an empty address", [], { DEEDKIT_BASE_URL: "" }, /^DEEDKIT_BASE_URL is set and empty\./],
    [
      "an empty name",
      [],
      { DEEDKIT_PROFILE: "" },
      /^Invalid profile name in DEEDKIT_PROFILE\. .* is empty\./,
    ],
    ["two keys", [], { DEEDKIT_API_KEY_FILE: "key" }, /_KEY and DEEDKIT_API_KEY_FILE are both set\./],
    [
      "the key of another address",
      ["--base-url", "https://other.example"],
      {},
      /^DEEDKIT_API_KEY belongs to the address in DEEDKIT_BASE_URL, and --base-url names another one\./,
    ],
    [
      "an address without a scheme",
      ["--base-url", "localhost:4702"],
      {},
      /mean http:\/\/localhost:4702\?\n$/,
    ],
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
    const nothing = await call(["me"])
    const noKey = await call(["me", "--base-url", it.url])
    expect([nothing.code, noKey.code]).toEqual([2, 2])
    expect(nothing.stderr).toContain("Missing base URL. Set DEEDKIT_BASE_URL or pass --base-url")
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY_FILE: "missing" }
    const noFile = await call(["me"], { env })
    expect([noFile.code, noFile.stderr.includes("missing could not be read (ENOENT)")]).toEqual([2, true])
    expect(noKey.stderr).toContain("Missing API key. Set DEEDKIT_API_KEY")
  })
})

const loggedIn = async (it: Account, ...flags: ReadonlyArray<string>): Promise<void> => {
  const login = ["auth", "login", "--base-url", it.url, ...flags]
  expect((await it.call(login, { prompts: person(it.emulator.apiKey).service })).code).toBe(0)
  it.emulator.journal.clear()
}

describe("a profile and something else that names an account", () => {
  const own = "A profile is used with its own address (URL) and its own key only."
  const cases: ReadonlyArray<
    readonly [flags: ReadonlyArray<string>, env: Readonly<Record<string, string>>, sentence: string]
  > = [
    [
      ["--profile", "office"],
      { DEEDKIT_API_KEY: "of-another-account" },
      `--profile office cannot be combined with DEEDKIT_API_KEY. ${own} Unset DEEDKIT_API_KEY, or leave out --profile.`,
    ],
    [
      ["--profile", "office"],
      { DEEDKIT_BASE_URL: "https://other.example", DEEDKIT_API_KEY_FILE: "/nowhere" },
      `--profile office cannot be combined with DEEDKIT_API_KEY_FILE and DEEDKIT_BASE_URL. ${own} Unset DEEDKIT_API_KEY_FILE and DEEDKIT_BASE_URL, or leave out --profile.`,
    ],
    [
      ["--profile", "office", "--base-url", "https://other.example"],
      {},
      `--profile office cannot be combined with --base-url. ${own} Leave out --base-url, or leave out --profile.`,
    ],
    [
      ["--profile", "office", "--api-key-stdin"],
      { DEEDKIT_API_KEY: "of-another-account" },
      `--profile office cannot be combined with --api-key-stdin and DEEDKIT_API_KEY. ${own} Leave out --api-key-stdin and unset DEEDKIT_API_KEY, or leave out --profile.`,
    ],
    [
      [],
      { DEEDKIT_PROFILE: "office", DEEDKIT_API_KEY: "of-another-account" },
      `DEEDKIT_PROFILE=office cannot be combined with DEEDKIT_API_KEY. ${own} Unset DEEDKIT_API_KEY, or unset DEEDKIT_PROFILE.`,
    ],
    [
      [],
      { DEEDKIT_API_KEY: "of-no-address" },
      "DEEDKIT_API_KEY gives an API key without an address. Set DEEDKIT_BASE_URL or pass --base-url. To use the current profile office (URL) instead, unset DEEDKIT_API_KEY.",
    ],
    [
      ["--api-key-stdin"],
      {},
      "--api-key-stdin gives an API key without an address. Set DEEDKIT_BASE_URL or pass --base-url. To use the current profile office (URL) instead, leave out --api-key-stdin.",
    ],
  ]

  it.each(cases)("are refused by both names, and explained: %j %j", async (flags, env, sentence) => {
    await using it = await account()
    await loggedIn(it, "--profile", "office")
    const told = sentence.replace("URL)", `${it.url})`)
    const { code, stderr, stdout } = await it.call(["me", ...flags], { env })
    expect([code, stdout, stderr, it.emulator.journal.entries]).toEqual([2, "", `${told}\n`, []])
    const explained = await it.call(["config", "explain", "--json", ...flags], { env })
    expect([explained.code, JSON.parse(explained.stdout)]).toMatchObject([0, { problem: told }])
  })

  it("are refused where only the path tells two accounts of one host apart", async () => {
    await using it = await account()
    await loggedIn(it)
    for (const [flags, env] of [
      [["--base-url", `${it.url}/other`], {}],
      [[], { DEEDKIT_BASE_URL: `${it.url}/other` }],
      [["--profile", "default"], { DEEDKIT_BASE_URL: `${it.url}/other` }],
    ] as const) {
      const { code } = await it.call(["me", ...flags], { env })
      expect([code, it.emulator.journal.entries]).toEqual([2, []])
    }
    const same = await it.call(["me", "--profile", "default", "--base-url", `${it.url}/v1/`])
    expect(same.code).toBe(0)
  })

  it("leave the profile out where address and key are given by hand, and keep nothing in it", async () => {
    await using it = await account()
    await loggedIn(it)
    const before = await it.read("config.json")
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey }
    expect((await it.call(["contracts", "list", "--all", "--json"], { env })).code).toBe(0)
    const doctor = await it.call(["doctor", "--save"], { env })
    expect([doctor.code, doctor.stderr.startsWith("No profile of this address")]).toEqual([2, true])
    expect(await it.read("config.json")).toBe(before)
  })
})
