import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { unusable } from "../../src/store/Keychain.ts"
import type { Account, Manner } from "../harness/Account.ts"
import { account, person } from "../harness/Account.ts"
import { lastJson } from "../harness/Cli.ts"

const loggedIn = async (it: Account, flags: ReadonlyArray<string> = []): Promise<void> => {
  const login = ["auth", "login", "--base-url", it.url, ...flags]
  const { code } = await it.call(login, { prompts: person(it.emulator.apiKey).service })
  expect(code).toBe(0)
}

const status = async (it: Account, manner?: Manner) => {
  const { code, stderr, stdout } = await it.call(["auth", "status", "--json"], manner)
  return { code, stderr, document: JSON.parse(stdout) as unknown }
}

const end = (key: string): string => `…${key.slice(-4)}`

describe("auth status", () => {
  it("says where the key is, how it ends, and what it can read", async () => {
    await using it = await account()
    await loggedIn(it)
    const { code, stderr, stdout } = await it.call(["auth", "status"])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout.trimEnd().split("\n")).toEqual([
      "Profile             default",
      `Base URL            ${it.url}`,
      `API key             ${end(it.emulator.apiKey)}, in the keychain (profile default)`,
      "Can read me         works",
      "Can read contracts  works",
      "Can read API keys   works",
      "Record              unknown: the service does not say which record belongs to this key, and 2 of 12 match",
    ])
  })

  it("shows the key's own record when no other matches what it can read", async () => {
    await using it = await account({ keys: 5 })
    await loggedIn(it)
    const { keyOf, updateKey, apiKeys } = it.emulator.store
    const own = keyOf(it.emulator.apiKey)!
    for (const { id } of apiKeys) if (id !== own.id) updateKey(id, { scopes: ["read:me"] })
    expect((await status(it)).document).toMatchObject({
      record: {
        _tag: "Known",
        record: { id: own.id, scopes: own.scopes },
        why: "the only record that is not revoked and has the scopes that worked",
      },
    })
    const { stdout } = await it.call(["auth", "status"])
    expect(stdout).toMatch(new RegExp(`^Record +${own.id}, "${own.name}": the only record`, "m"))
    expect(stdout).toMatch(/^Scopes +read:.*\nCreated +\d{4}-.*\nLast used +.*\nRevoked +no$/m)
  })

  it("names the missing scopes, and does not guess whose record it is without one", async () => {
    await using it = await account()
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.secrets.contractsOnly }
    expect(await status(it, { env })).toMatchObject({
      code: 0,
      document: {
        profile: null,
        key: { source: "DEEDKIT_API_KEY", place: "in the environment", insecure: false, hides: [] },
        accepted: true,
        works: ["contracts"],
        missingScopes: ["read:api_keys"],
        record: { _tag: "Unknown", why: "the list of keys cannot be read without read:api_keys" },
      },
    })
  })

  it("says which source wins, what it hides, and that a key is saved in plaintext", async () => {
    await using it = await account()
    await loggedIn(it, ["--insecure-storage"])
    const credentials = join(it.settings, "credentials.json")
    const plaintext = `in plaintext in ${credentials}, which is insecure`
    const own = await it.call(["auth", "status"])
    expect(own.stdout).toContain(`${plaintext} (profile default)`)
    expect(own.stdout).toMatch(/^Insecure +a key of this profile is saved in plaintext/m)

    const { secrets } = it.emulator
    const env = { DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: secrets.contractsOnly }
    expect((await status(it, { env })).document).toMatchObject({
      profile: null,
      key: {
        lastFour: end(secrets.contractsOnly),
        source: "DEEDKIT_API_KEY",
        insecure: true,
        hides: [{ source: "profile default", place: plaintext }],
      },
    })
  })

  it("shows what it knows of a key that is not accepted any more, and ends with 4", async () => {
    await using it = await account()
    await loggedIn(it)
    it.emulator.store.revoke(it.emulator.store.keyOf(it.emulator.apiKey)!.id)
    const { code, document, stderr } = await status(it)
    expect([code, lastJson(stderr)]).toEqual([4, expect.objectContaining({ error: "Unauthenticated" })])
    expect(document).toMatchObject({ accepted: false, works: [], key: { source: "profile default" } })
  })

  it("shows what it knows without a connection, and ends with 7", async () => {
    await using it = await account()
    await loggedIn(it)
    const args = ["auth", "status", "--attempts", "1", "--base-url", "http://127.0.0.1:1"]
    const { code, stdout } = await it.call(args, { env: { DEEDKIT_API_KEY: it.emulator.apiKey } })
    expect(code).toBe(7)
    expect(stdout).toMatch(/^Base URL +http:\/\/127\.0\.0\.1:1\nAPI key +…/m)
    expect(stdout).toContain("unknown: the service could not be asked")
  })

  it("sends a saved key to no other address", async () => {
    await using it = await account()
    await using other = await account()
    await loggedIn(it)
    const { code, stderr } = await it.call(["auth", "status", "--base-url", other.url])
    expect([code, other.emulator.journal.entries]).toEqual([2, []])
    expect(stderr).toBe(
      `The API key of profile default belongs to ${it.url}, and --base-url names another address. A saved key is sent to no other address. Pass the key of that address, or choose its profile with --profile.\n`,
    )
  })

  it("breaks its lines between words, beside the labels or in a narrow window below them", async () => {
    await using it = await account()
    await loggedIn(it)
    for (const columns of [80, 40]) {
      const { stdout } = await it.call(["auth", "status"], { columns, env: { NO_COLOR: "1" } })
      const lines = stdout.trimEnd().split("\n")
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
      expect(lines.map((line) => line.trim()).join(" ")).toContain("2 of 12 match")
    }
  })
})

describe("a saved key", () => {
  it("that is gone from its store is missed with advice", async () => {
    await using it = await account()
    await loggedIn(it)
    const { code, stderr } = await it.call(["me"], {
      keychain: {
        get: () => Effect.succeed(null),
        set: () => Effect.void,
        remove: () => Effect.succeed(false),
      },
    })
    expect([code, stderr]).toEqual([
      2,
      "The API key of profile default is not in the keychain any more. Run `deedkit auth login`.\n",
    ])
  })

  it("in plaintext is not used once others can read it, nor when the file is invalid", async () => {
    await using it = await account()
    await loggedIn(it, ["--insecure-storage"])
    const path = join(it.settings, "credentials.json")
    await chmod(path, 0o640)
    const open = await it.call(["me"])
    expect([open.code, open.stderr]).toEqual([
      2,
      `The file of plaintext keys ${path} can be read by others. Run chmod 600 on it; if others have read it, create new keys.\n`,
    ])
    await chmod(path, 0o600)
    await writeFile(path, "{")
    const broken = await it.call(["me"])
    expect([broken.code, broken.stderr.includes("is invalid. Remove it")]).toEqual([2, true])
  })
})

describe("auth logout", () => {
  it("deletes the key, keeps the profile, and says that the key stays valid", async () => {
    await using it = await account()
    await loggedIn(it)
    await it.call(["contracts", "list", "--all", "--json"])
    const { code, stderr } = await it.call(["auth", "logout"])
    expect([code, it.kept.size]).toEqual([0, 0])
    expect(stderr).toBe(
      "The key of profile default is no longer in the keychain. The key itself still works: revoke it in the service's dashboard (Settings, Integrations) if it is not needed.\n",
    )
    expect(JSON.parse(await it.read("config.json"))).toMatchObject({
      profiles: { default: { baseUrl: it.url, key: null, cursor: { parameter: "before_id" } } },
    })
    const me = await it.call(["me"])
    expect([
      me.code,
      me.stderr.startsWith("Missing API key: profile default has none. Run `deedkit auth login"),
    ]).toEqual([2, true])
    const again = await it.call(["auth", "logout", "--json"])
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { profile: "default", removed: false }])
  })

  it("removes the file of plaintext keys with its last key, and not before", async () => {
    await using it = await account()
    await loggedIn(it, ["--insecure-storage"])
    await loggedIn(it, ["--insecure-storage", "--profile", "office"])
    await it.call(["auth", "logout", "--profile", "office"])
    expect(Object.keys(JSON.parse(await it.read("credentials.json")).keys as object)).toEqual(["default"])
    await it.call(["auth", "logout"])
    expect(await it.files()).toEqual({ "config.json": "600" })
  })

  it("leaves a key file where it is, and says what still applies", async () => {
    await using it = await account()
    const path = join(it.folder, "key")
    await writeFile(path, it.emulator.apiKey, { mode: 0o600 })
    await loggedIn(it, ["--key-file", path])
    const { stderr } = await it.call(["auth", "logout"], { env: { DEEDKIT_API_KEY: "of-the-environment" } })
    expect(stderr).toContain(`no longer uses the file ${path}, which stays where it is.`)
    expect(stderr).toContain("DEEDKIT_API_KEY is still set.")
  })

  it("forgets a key whose keychain cannot be used, and says also with --quiet what is left", async () => {
    await using it = await account()
    await loggedIn(it)
    const { code, stderr } = await it.call(["auth", "logout", "--quiet"], { keychain: unusable("locked") })
    expect([code, stderr]).toEqual([
      0,
      `The keychain of this machine cannot be used (locked). The key of profile default may still be in it, as the entry deedkit for "default ${it.url}": delete it there. The key itself still works: revoke it in the service's dashboard (Settings, Integrations) if it is not needed.\n`,
    ])
    expect(JSON.parse(await it.read("config.json"))).toMatchObject({ profiles: { default: { key: null } } })
    await loggedIn(it)
    const out = await it.call(["auth", "logout", "--json"], { keychain: unusable("locked") })
    expect([out.code, JSON.parse(out.stdout)]).toEqual([
      0,
      { profile: "default", removed: false, left: true },
    ])
  })

  it("says so where there is nothing to log out of", async () => {
    await using it = await account()
    await mkdir(it.settings, { recursive: true })
    const { code, stderr } = await it.call(["auth", "logout"])
    expect([code, stderr]).toEqual([2, "No profile to log out of. Create one with `deedkit auth login`.\n"])
  })
})
