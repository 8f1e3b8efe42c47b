import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Account, Manner } from "../harness/Account.ts"
import { account, person } from "../harness/Account.ts"
import { bench } from "../harness/Cli.ts"

interface Explained {
  readonly setting: string
  readonly value: string | null
  readonly source: string
  readonly hides: ReadonlyArray<{ readonly source: string; readonly value: string }>
}

const explain = async (it: Account, flags: ReadonlyArray<string> = [], manner?: Manner) => {
  const { code, stdout } = await it.call(["config", "explain", "--json", ...flags], manner)
  expect(code).toBe(0)
  const { settings } = JSON.parse(stdout) as { readonly settings: ReadonlyArray<Explained> }
  return Object.fromEntries(settings.map(({ setting, ...rest }) => [setting, rest]))
}

const loggedIn = async (it: Account): Promise<void> => {
  await it.call(["auth", "login", "--base-url", it.url], { prompts: person(it.emulator.apiKey).service })
  it.emulator.journal.clear()
}

describe("config explain", () => {
  it("reports that nothing is set, and the defaults", async () => {
    await using it = await account()
    const { code, stdout } = await it.call(["config", "explain"])
    expect([code, stdout.trimEnd().split("\n")]).toEqual([
      0,
      [
        "profile           not set",
        "base URL          not set",
        "API key           not set",
        "cursor parameter  auto  [default]",
        "rate              20  [default]",
        "timeout           30  [default]",
        "attempts          4, or 6 where everything is read  [default]",
        `profiles are in   ${join(it.settings, "config.json")}`,
      ],
    ])
  })

  it("follows flags before variables before the profile, and names what each hides", async () => {
    await using it = await account()
    await loggedIn(it)
    const profile = `profile default`
    expect(await explain(it)).toMatchObject({
      profile: { value: "default", source: "the current profile" },
      "base URL": { value: it.url, source: profile, hides: [] },
      "API key": { value: `…${it.emulator.apiKey.slice(-4)}, in the keychain`, source: profile },
    })
    const env = {
      DEEDKIT_BASE_URL: `${it.url}/`,
      DEEDKIT_API_KEY: "dk_of_the_environment",
      DEEDKIT_CURSOR_PARAM: "after",
    }
    expect(await explain(it, [], { env })).toMatchObject({
      "base URL": {
        value: `${it.url}/`,
        source: "DEEDKIT_BASE_URL",
        hides: [{ source: profile, value: it.url }],
      },
      "API key": {
        value: "…ment, in the environment",
        source: "DEEDKIT_API_KEY",
        hides: [{ source: profile, value: `…${it.emulator.apiKey.slice(-4)}, in the keychain` }],
      },
      "cursor parameter": { value: "after", source: "DEEDKIT_CURSOR_PARAM", hides: [] },
    })
    const flags = ["--base-url", it.url, "--cursor-param", "cursor", "--rate", "2", "--api-key-stdin"]
    expect(await explain(it, flags, { env })).toMatchObject({
      "base URL": { source: "--base-url", hides: [{ source: "DEEDKIT_BASE_URL" }, { source: profile }] },
      "API key": {
        value: "from standard input",
        source: "--api-key-stdin",
        hides: [{ source: "DEEDKIT_API_KEY" }, { source: profile }],
      },
      "cursor parameter": { value: "cursor", hides: [{ source: "DEEDKIT_CURSOR_PARAM", value: "after" }] },
      rate: { value: "2", source: "--rate" },
      timeout: { value: "30", source: "default" },
    })
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("ignores what a profile holds for another address", async () => {
    await using it = await account()
    await loggedIn(it)
    await it.call(["contracts", "list", "--all", "--json"])
    const kept = await explain(it)
    expect(kept["cursor parameter"]).toMatchObject({ value: "before_id", source: "profile default" })
    const elsewhere = await explain(it, ["--base-url", "https://api.example.com"])
    expect(elsewhere).toMatchObject({
      "API key": { value: null, source: "not set" },
      "cursor parameter": { value: "auto", source: "default" },
    })
  })

  it("says it in one line of text, the key by its end only", async () => {
    await using it = await account()
    await loggedIn(it)
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: "dk_of_the_environment" }
    const { stdout } = await it.call(["config", "explain"], { env })
    expect(stdout).toContain("profile           not used, hides the current profile (default)\n")
    expect(stdout).toContain(
      `API key           …ment, in the environment  [DEEDKIT_API_KEY], hides profile default (…${it.emulator.apiKey.slice(-4)}, in the keychain)\n`,
    )
    expect(stdout).not.toContain("dk_of_the_environment")
  })

  it("shows nothing of a key that is short, and says why one cannot be read", async () => {
    await using it = await account()
    const short = await explain(it, [], { env: { DEEDKIT_API_KEY: "short" } })
    expect(short["API key"]).toMatchObject({
      value: "too short to show a part of it, in the environment",
    })
    const lost = await explain(it, [], { env: { DEEDKIT_API_KEY_FILE: "/nowhere/key" } })
    expect(lost["API key"]?.value).toContain("The key file /nowhere/key could not be read (ENOENT)")
  })

  it("warns of a file of profiles that cannot be read where nothing is needed from it", async () => {
    await using it = await account()
    await mkdir(it.settings, { recursive: true })
    await writeFile(join(it.settings, "config.json"), "{")
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey }
    const { code, stderr } = await it.call(["config", "explain"], { env })
    expect([code, stderr]).toEqual([0, expect.stringContaining("config.json is not JSON. Correct it")])
    const needed = await it.call(["config", "explain"])
    expect([needed.code, needed.stderr.includes("config.json is not JSON")]).toEqual([2, true])
  })
})

describe("a profile in force", () => {
  it("is that of the flag, then of the variable, then the current one", async () => {
    await using it = await account()
    for (const name of ["first", "second", "third"]) {
      await it.call(["auth", "login", "--base-url", it.url, "--profile", name], {
        prompts: person(it.emulator.apiKey).service,
      })
    }
    const name = async (flags: ReadonlyArray<string>, env = {}) =>
      (await explain(it, flags, { env }))["profile"]
    expect(await name([])).toMatchObject({ value: "first", source: "the current profile" })
    const env = { DEEDKIT_PROFILE: "second" }
    expect(await name([], env)).toMatchObject({ value: "second", source: "DEEDKIT_PROFILE" })
    expect(await name(["--profile", "third"], env)).toEqual({
      value: "third",
      source: "--profile",
      hides: [
        { value: "second", source: "DEEDKIT_PROFILE" },
        { value: "first", source: "the current profile" },
      ],
    })
  })

  it("is refused when there is none of that name, with the nearest one", async () => {
    await using it = await account()
    await loggedIn(it)
    const typo = await it.call(["me", "--profile", "defualt"])
    expect([typo.code, typo.stderr]).toEqual([2, 'Unknown profile "defualt". Did you mean default?\n'])
    const odd = await it.call(["me"], { env: { DEEDKIT_PROFILE: "../etc" } })
    expect([odd.code, odd.stderr.startsWith("Invalid profile name in DEEDKIT_PROFILE.")]).toEqual([2, true])
  })

  it("is not needed by anybody", async () => {
    await using it = await bench()
    expect((await it.call(["me", "--quiet"])).code).toBe(0)
  })
})
