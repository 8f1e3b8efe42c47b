import { chmod, mkdir, readlink, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { unusable } from "../../src/store/Keychain.ts"
import * as Profile from "../../src/store/Profile.ts"
import type { Account } from "../harness/Account.ts"
import { account, person } from "../harness/Account.ts"

const office: Profile.Profile = {
  baseUrl: "https://api.example.com",
  key: { in: "file", path: "/home/ada/key" },
  cursor: { parameter: "after", evidence: "3 new records", verifiedAt: "2026-01-02T03:04:05.000Z" },
  learnt: { at: "2026-01-02T03:04:05.000Z", answers: { "cursor type": "integer" } },
}
const home: Profile.Profile = { ...office, key: null, cursor: null, learnt: null }

describe("profiles", () => {
  it("come back from their file as they went in", () => {
    const profiles = Profile.add(Profile.add(Profile.none, "office", office), "home", home)
    expect(profiles.current).toBe("office")
    expect(Profile.parse(Profile.encode(profiles))).toEqual(profiles)
  })

  it("have no current one once that is removed", () => {
    const profiles = Profile.add(Profile.add(Profile.none, "office", office), "home", home)
    expect(Profile.remove(profiles, "home").current).toBe("office")
    expect(Profile.remove(profiles, "office")).toEqual({ current: null, byName: new Map([["home", home]]) })
  })

  it.each([
    ["{", "is not JSON"],
    ["[]", "does not hold profiles"],
    [`{"version":2,"profiles":{}}`, "is of another version of deedkit"],
    [`{"version":1,"profiles":{"a":{}}}`, 'has a profile that cannot be read: "a"'],
    [`{"version":1,"profiles":{"a":{"baseUrl":"x","key":{"in":"a box"}}}}`, 'cannot be read: "a"'],
    [`{"version":1,"profiles":{"../a":{"baseUrl":"x"}}}`, 'cannot be read: "../a"'],
    [`{"version":1,"current":"b","profiles":{}}`, "names a current profile that it does not hold"],
  ])("say in words what is wrong with %s", (text, words) => {
    expect(Profile.parse(text)).toContain(words)
  })

  it("lose what was kept for convenience, not more, when it is invalid", () => {
    const odd = { ...office, cursor: { parameter: 7 }, learnt: { at: "x", answers: { a: 1 } } }
    const parsed = Profile.parse(JSON.stringify({ version: 1, profiles: { office: odd } }))
    expect(parsed).toMatchObject({ byName: new Map([["office", { ...office, cursor: null, learnt: null }]]) })
  })

  it("have names that can be part of a path and of a command line", () => {
    for (const name of ["office", "a", "Ada-2.home_1"]) expect(Profile.isName(name)).toBe(true)
    for (const name of ["", ".", "-x", "a b", "a/b", "x".repeat(65)]) expect(Profile.isName(name)).toBe(false)
  })
})

const login = async (it: Account, ...flags: ReadonlyArray<string>): Promise<void> => {
  const args = ["auth", "login", "--base-url", it.url, ...flags]
  expect((await it.call(args, { prompts: person(it.emulator.apiKey).service })).code).toBe(0)
}

describe("profile list", () => {
  it("shows each profile, where its key is, and which one is active", async () => {
    await using it = await account()
    await login(it)
    await login(it, "--profile", "office", "--insecure-storage")
    await it.call(["contracts", "list", "--all", "--json"])
    const { stdout } = await it.call(["profile", "list"], { env: { DEEDKIT_PROFILE: "office" } })
    const [heading, ...rows] = stdout.trimEnd().split("\n")
    expect(heading).toMatch(/^Profile +Active +Base URL +Key +Cursor +Verified$/)
    expect(rows).toEqual([
      expect.stringMatching(/^default +http:\S+ +keychain +before_id +\d{4}-\d\d-\d\d$/),
      expect.stringMatching(/^office +yes +http:\S+ +plaintext, insecure +not verified$/),
    ])
    const { stdout: json } = await it.call(["profile", "list", "--json"])
    expect(JSON.parse(json)).toMatchObject({
      path: join(it.settings, "config.json"),
      current: "default",
      othersMayRead: false,
      profiles: [{ name: "default", active: true, key: { in: "keychain" } }, { name: "office" }],
    })
  })

  it("says that there is none, on standard error", async () => {
    await using it = await account()
    expect(await it.call(["profile", "list"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "No profiles. Create one with `deedkit auth login`.\n",
    })
  })
})

describe("profile use and remove", () => {
  it("change which account commands work with", async () => {
    await using it = await account()
    await login(it)
    await login(it, "--profile", "office")
    const used = await it.call(["profile", "use", "office"], { env: { DEEDKIT_PROFILE: "default" } })
    expect(used.stderr).toBe(
      "office is now the current profile.\nDEEDKIT_PROFILE is set to default and is used until it is unset.\n",
    )
    expect(JSON.parse(await it.read("config.json"))).toMatchObject({ current: "office" })
    const unknown = await it.call(["profile", "use", "offfice"])
    expect([unknown.code, unknown.stderr]).toEqual([2, 'Unknown profile "offfice". Did you mean office?\n'])
  })

  it("take the key along, and say what is left to do", async () => {
    await using it = await account()
    await login(it)
    await login(it, "--profile", "office")
    const removed = await it.call(["profile", "remove", "default"])
    expect([removed.code, [...it.kept.keys()]]).toEqual([0, [`office ${it.url}`]])
    expect(removed.stderr).toMatch(/^Removed profile default\. The key of profile default is no longer in/)
    expect(removed.stderr).toContain(
      "No profile is current. Choose one of office with `deedkit profile use NAME`.",
    )
    const me = await it.call(["me"])
    expect([me.code, me.stderr]).toEqual([
      2,
      "Missing base URL. No profile is current (office): choose one with `deedkit profile use NAME` or --profile NAME.\n",
    ])
  })
})

it("profile remove works where the keychain cannot be used, and says what is left", async () => {
  await using it = await account()
  await login(it)
  const { code, stderr } = await it.call(["profile", "remove", "default", "--quiet"], {
    keychain: unusable("locked"),
  })
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining("Removed profile default. The keychain of this machine cannot be used (locked)."),
  ])
  expect(stderr).toContain(`may still be in it, as the entry deedkit for "default ${it.url}"`)
  expect(JSON.parse(await it.read("config.json"))).toMatchObject({ profiles: {} })
})

describe("profiles with names that mean something to a program", () => {
  it("are profiles like any other", async () => {
    await using it = await account()
    const names = ["constructor", "toString", "hasOwnProperty", "profiles", "1"]
    for (const name of names) await login(it, "--profile", name, "--insecure-storage")
    for (const name of names) expect((await it.call(["me", "--profile", name])).code).toBe(0)
    const removed = await it.call(["profile", "remove", "toString"])
    const unknown = await it.call(["me", "--profile", "valueOf"])
    expect([removed.code, unknown.code, unknown.stderr]).toEqual([
      0,
      2,
      expect.stringContaining('Unknown profile "valueOf".') as string,
    ])
  })
})

describe("a command that learns something of its server", () => {
  it("makes no profile the current one", async () => {
    await using it = await account()
    await login(it, "--profile", "first")
    await login(it, "--profile", "office")
    await it.call(["profile", "remove", "first"])
    const reading = ["contracts", "list", "--all", "--json", "--rate", "0", "--profile", "office"]
    expect((await it.call(reading)).code).toBe(0)
    expect((await it.call(["doctor", "--save", "--profile", "office"])).code).toBe(0)
    expect(JSON.parse(await it.read("config.json"))).toMatchObject({
      current: null,
      profiles: { office: { cursor: { parameter: "before_id" }, learnt: {} } },
    })
  })
})

describe("the file of profiles", () => {
  it("is named with what to do when it is broken or cannot be read", async () => {
    await using it = await account()
    const path = join(it.settings, "config.json")
    await mkdir(it.settings, { recursive: true })
    await writeFile(path, "{}", { mode: 0o600 })
    const broken = await it.call(["me", "--json"])
    expect([broken.code, JSON.parse(broken.stderr)]).toEqual([
      2,
      {
        error: "StoreError",
        message: `The profile file ${path} does not hold profiles. Correct it, or move it away and run \`deedkit auth login\`.`,
        kind: "broken",
        path,
        exitCode: 2,
      },
    ])
    await using other = await account()
    await mkdir(join(other.settings, "config.json"), { recursive: true })
    const folder = await other.call(["me"])
    expect([folder.code, folder.stderr]).toEqual([
      10,
      expect.stringContaining("config.json could not be read (EISDIR). Check the file and its folder"),
    ])
  })

  it("that others can read is warned about, and fixed by the next change", async () => {
    await using it = await account()
    await login(it)
    const path = join(it.settings, "config.json")
    await chmod(path, 0o644)
    const me = await it.call(["me"])
    expect([me.code, me.stderr]).toEqual([
      0,
      `Other users can read the profile file ${path}: run chmod 600 on it.\n`,
    ])
    await login(it, "--profile", "office")
    expect(await it.files()).toEqual({ "config.json": "600" })
  })

  it("stays a link for people who keep their settings elsewhere", async () => {
    await using it = await account()
    const real = join(it.folder, "dotfiles.json")
    await mkdir(it.settings, { recursive: true })
    await writeFile(real, Profile.encode(Profile.none))
    await symlink(real, join(it.settings, "config.json"))
    await login(it)
    expect(await readlink(join(it.settings, "config.json"))).toBe(real)
    expect(JSON.parse(await it.read("config.json"))).toMatchObject({ current: "default" })
  })

  it("needs a folder, and says so where there is none", async () => {
    await using it = await account()
    const args = ["auth", "login", "--base-url", it.url]
    const { code, stderr } = await it.call(args, {
      prompts: person(it.emulator.apiKey).service,
      env: { XDG_CONFIG_HOME: "relative" },
    })
    expect([code, it.kept.size]).toEqual([10, 0])
    expect(stderr).toContain("There is no folder for settings. Set HOME or XDG_CONFIG_HOME")
  })
})
