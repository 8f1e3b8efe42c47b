import { execFileSync } from "node:child_process"
import { chmod, mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { unusable } from "../../src/store/Keychain.ts"
import { account, person } from "../harness/Account.ts"
import { lastJson } from "../harness/Cli.ts"
import { notTheApi } from "../harness/Servers.ts"

describe("auth login at a terminal", () => {
  it("asks for the address and, hidden, for the key; checks both; saves the key in the keychain", async () => {
    await using it = await account()
    const { apiKey } = it.emulator
    const { asked, service } = person(it.url, apiKey)
    const { code, stderr, stdout } = await it.call(["auth", "login"], { prompts: service })
    expect([code, stdout]).toEqual([0, ""])
    expect(asked).toEqual(["shown: Base URL: ", "hidden: API key: "])
    expect(stderr.trimEnd().split("\n")).toEqual([
      "The base URL of the API, without /v1/, like https://api.example.com",
      "An API key from the service's dashboard (Settings, Integrations). Input is hidden.",
      "me: works",
      "contracts: works",
      "API keys: works",
      `Profile default (${it.url}): the key …${apiKey.slice(-4)} is saved in the keychain.`,
    ])
    expect([...it.kept]).toEqual([[`default ${it.url}`, apiKey]])
    expect(await it.files()).toEqual({ "config.json": "600" })
    expect(JSON.parse(await it.read("config.json"))).toEqual({
      version: 1,
      current: "default",
      profiles: {
        default: { baseUrl: it.url, key: { in: "keychain" }, cursor: null, learnt: null },
      },
    })
    expect(it.emulator.journal.entries.map(({ path }) => path)).toEqual([
      "/v1/me/",
      "/v1/contracts/",
      "/v1/api-keys/",
    ])

    expect((await it.call(["contracts", "list"])).code).toBe(0)
  })

  it("reports which scopes a key lacks, and saves it", async () => {
    await using it = await account()
    const { service } = person(it.emulator.secrets.contractsOnly)
    const { code, stderr } = await it.call(["auth", "login", "--base-url", it.url], { prompts: service })
    expect(code).toBe(0)
    expect(stderr.split("\n").slice(1, 4)).toEqual([
      "me: not allowed; the specification does not say which scope it needs",
      "contracts: works",
      "API keys: not allowed: the key lacks the scope read:api_keys",
    ])
    expect(it.kept.size).toBe(1)
  })

  it("asks for nothing that was given", async () => {
    await using it = await account()
    const { asked, service } = person(it.emulator.apiKey)
    await it.call(["auth", "login"], { prompts: service, env: { DEEDKIT_BASE_URL: it.url } })
    expect(asked).toEqual(["hidden: API key: "])
  })

  it("saves nothing after Ctrl-C at a prompt", async () => {
    await using it = await account()
    const { code } = await it.call(["auth", "login"], { prompts: person(it.url).service })
    expect([code, it.kept.size, await it.files()]).toEqual([130, 0, {}])
  })
})

describe("auth login after a mistake", () => {
  it("asks for the key again", async () => {
    await using it = await account()
    const { asked, service } = person(it.url, it.emulator.secrets.revoked, "", it.emulator.apiKey)
    const { code, stderr } = await it.call(["auth", "login"], { prompts: service })
    expect([code, it.kept.get(`default ${it.url}`)]).toEqual([0, it.emulator.apiKey])
    const key = "hidden: API key: "
    expect(asked).toEqual(["shown: Base URL: ", key, key, key])
    expect(stderr).toContain("the service did not accept the API key (401)")
  })

  it("asks for the address again, and keeps the key", async () => {
    await using it = await account()
    await using site = await notTheApi()
    const { asked, service } = person("nonsense", site.url, it.emulator.apiKey, `${it.url}/v1/`)
    const { code, stderr } = await it.call(["auth", "login", "--attempts", "1"], { prompts: service })
    expect([code, it.kept.get(`default ${it.url}`)]).toEqual([0, it.emulator.apiKey])
    const address = "shown: Base URL: "
    expect(asked).toEqual([address, address, "hidden: API key: ", address])
    expect(stderr).toContain("This is not an address")
    expect(stderr).toContain("answered instead of the API")
  })

  it.each(["HOST", "HOST/", "HOST/v1/", "http://HOST/v1", " http://HOST/v1/ "])(
    "takes the address %j",
    async (form) => {
      await using it = await account()
      const { service } = person(form.replace("HOST", new URL(it.url).host), it.emulator.apiKey)
      expect((await it.call(["auth", "login"], { prompts: service })).code).toBe(0)
      expect(JSON.parse(await it.read("config.json"))).toMatchObject({
        profiles: { default: { baseUrl: it.url } },
      })
    },
  )

  it("does not send a key to another address than the flag names", async () => {
    await using it = await account()
    const { asked, service } = person(it.emulator.apiKey, it.url)
    const login = ["auth", "login", "--base-url", "http://127.0.0.1:1", "--attempts", "1"]
    const { code } = await it.call(login, { prompts: service })
    expect([code, asked, it.emulator.journal.entries]).toEqual([7, ["hidden: API key: "], []])
  })
})

describe("auth login without a terminal", () => {
  it("takes the key from standard input, and saves it in plaintext only on request", async () => {
    await using it = await account()
    const { apiKey } = it.emulator
    const login = ["auth", "login", "--base-url", it.url, "--with-key", "--insecure-storage"]
    const { code, stderr } = await it.pipe(login, `${apiKey}\n`)
    expect(code).toBe(0)
    expect(stderr).toContain(
      `is saved in plaintext in ${join(it.settings, "credentials.json")}, readable by anyone who can read your files.`,
    )
    expect(await it.files()).toEqual({ "config.json": "600", "credentials.json": "600" })
    expect(JSON.parse(await it.read("credentials.json"))).toMatchObject({
      warning: "API keys in plaintext",
      keys: { default: { origin: it.url, apiKey } },
    })
    expect((await it.call(["me"])).code).toBe(0)
  })

  it.each([["without a terminal", []] as const, ["with --no-input", ["--no-input"]] as const])(
    "%s says what to give, and asks nothing",
    async (_, flags) => {
      await using it = await account()
      const { asked, service } = person(it.url, it.emulator.apiKey)
      const manner = flags.length === 0 ? {} : { prompts: service }
      const noUrl = await it.call(["auth", "login", ...flags], manner)
      const noKey = await it.call(["auth", "login", "--base-url", it.url, ...flags], manner)
      expect([noUrl.code, noKey.code, asked, it.emulator.journal.entries]).toEqual([2, 2, [], []])
      expect(noUrl.stderr).toBe(
        "Missing base URL, and no terminal to ask for it. Pass --base-url or set DEEDKIT_BASE_URL.\n",
      )
      expect(noKey.stderr).toBe(
        "Missing API key, and no terminal to ask for it. Pass it on standard input with --with-key, or name its file with --key-file.\n",
      )
    },
  )

  it("reports as one document what it saved and what is missing", async () => {
    await using it = await account()
    const login = ["auth", "login", "--base-url", it.url, "--with-key", "--insecure-storage", "--json"]
    const { code, stderr, stdout } = await it.pipe(login, it.emulator.secrets.contractsOnly)
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toEqual({
      profile: "default",
      baseUrl: it.url,
      key: {
        in: "plaintext",
        lastFour: `…${it.emulator.secrets.contractsOnly.slice(-4)}`,
        insecure: true,
        hiddenBy: [],
        replaced: null,
      },
      works: ["contracts"],
      missingScopes: ["read:api_keys"],
    })
  })

  it("uses a key file where it lies, and refuses one that others may read", async () => {
    await using it = await account()
    const path = join(it.folder, "key")
    await writeFile(path, `${it.emulator.apiKey}\n`, { mode: 0o600 })
    const login = ["auth", "login", "--base-url", it.url, "--key-file", path]
    const { code, stderr } = await it.call(login)
    expect([code, stderr.includes(`stays in the file ${path}.`)]).toEqual([0, true])
    expect([it.kept.size, await it.files()]).toEqual([0, { "config.json": "600" }])
    expect((await it.call(["me"])).code).toBe(0)
    await chmod(path, 0o644)
    const open = await it.call(login)
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining("Run chmod 600 on it")])
  })
})

it("auth login refuses a pipe as a key file, which could not be read again", async () => {
  await using it = await account()
  const path = join(it.folder, "pipe")
  execFileSync("mkfifo", ["-m", "600", path])
  const { code, stderr } = await it.call(["auth", "login", "--base-url", it.url, "--key-file", path])
  await rm(path)
  expect([code, stderr]).toEqual([2, expect.stringContaining("Pipe the key in with --with-key")])
})

describe("auth login where there is no keychain", () => {
  const manner = (service: ReturnType<typeof person>["service"]) => ({
    prompts: service,
    keychain: unusable("locked"),
  })

  const offer = "shown: Save it there? [Y/n] "

  it.each(["n", "no", "a key that was pasted too early"])(
    "and %j to its offer fails closed before anybody types a key, and shows three ways out",
    async (answer) => {
      await using it = await account()
      const { asked, service } = person(answer, it.emulator.apiKey)
      const login = ["auth", "login", "--base-url", it.url]
      const { code, stderr } = await it.call(login, manner(service))
      expect([code, asked, it.emulator.journal.entries, await it.files()]).toEqual([10, [offer], [], {}])
      expectWaysOut(stderr)
    },
  )

  it("and nobody to ask fails closed, and shows three ways out", async () => {
    await using it = await account()
    const login = ["auth", "login", "--base-url", it.url, "--no-input"]
    const { asked, service } = person(it.emulator.apiKey)
    const { code, stderr } = await it.call(login, manner(service))
    expect([code, asked, it.emulator.journal.entries, await it.files()]).toEqual([2, [], [], {}])
    expect(stderr).toContain("--key-file")
    const piped = await it.pipe([...login, "--with-key"], it.emulator.apiKey, {
      DBUS_SESSION_BUS_ADDRESS: "none:",
    })
    expect([piped.code, await it.files()]).toEqual([10, {}])
    expectWaysOut(piped.stderr)
  })

  it.each(["", "y", "YES"])(
    "and %j to its offer saves a file that only its owner can read",
    async (answer) => {
      await using it = await account()
      const { asked, service } = person(answer, it.emulator.apiKey)
      const { code, stderr } = await it.call(["auth", "login", "--base-url", it.url], manner(service))
      const path = join(it.settings, "default.key")
      expect([code, asked]).toEqual([0, [offer, "hidden: API key: "]])
      expect(stderr).toContain(
        `cannot be used (locked). The key can be saved in ${path}, which only you can read.`,
      )
      expect(await it.files()).toEqual({ "config.json": "600", "default.key": "600" })
      expect(await it.read("default.key")).toBe(`${it.emulator.apiKey}\n`)
      expect((await it.call(["me"], { keychain: unusable("locked") })).code).toBe(0)
      const out = await it.call(["auth", "logout"], { keychain: unusable("locked") })
      expect([out.code, out.stderr]).toEqual([0, expect.stringContaining(`The file ${path}`)])
      expect(await it.files()).toEqual({ "config.json": "600" })
    },
  )

  it("saves no file for a key that is not accepted", async () => {
    await using it = await account()
    const { revoked } = it.emulator.secrets
    const { code } = await it.call(
      ["auth", "login", "--base-url", it.url],
      manner(person("y", revoked, revoked, revoked).service),
    )
    expect([code, await it.files()]).toEqual([4, {}])
  })

  const expectWaysOut = (stderr: string): void => {
    expect(stderr).toContain("The keychain of this machine cannot be used (")
    for (const way of ["DEEDKIT_API_KEY;", "--key-file", "--insecure-storage"]) expect(stderr).toContain(way)
  }

  it.runIf(process.platform === "linux")("means so by the machine's own words", async () => {
    await using it = await account()
    const login = ["auth", "login", "--base-url", it.url, "--with-key", "--json"]
    const { code, stderr } = await it.pipe(login, it.emulator.apiKey, { DBUS_SESSION_BUS_ADDRESS: "none:" })
    expect(lastJson(stderr)).toMatchObject({
      error: "StoreError",
      message: expect.stringMatching(/^The keychain of this machine cannot be used \(/) as string,
      kind: "failed",
      path: null,
      exitCode: 10,
    })
    expect([code, await it.files()]).toEqual([10, {}])
  })

  it("takes plaintext for an answer when it is asked to", async () => {
    await using it = await account()
    const login = ["auth", "login", "--base-url", it.url, "--insecure-storage"]
    expect((await it.call(login, manner(person(it.emulator.apiKey).service))).code).toBe(0)
    expect(Object.keys(await it.files())).toEqual(["config.json", "credentials.json"])
  })
})

describe("auth login saves nothing", () => {
  const nothing = [0, {}]

  it.each([
    ["of a key that was revoked", "revoked", 4, "the service did not accept the API key"],
    ["of a key that opens nothing", "noScopes", 5, "the API key lacks the scope read:contracts"],
  ] as const)("%s", async (_, secret, exitCode, words) => {
    await using it = await account()
    const key = it.emulator.secrets[secret]
    const { asked, service } = person(key, key, key, key)
    const { code, stderr } = await it.call(["auth", "login", "--base-url", it.url], { prompts: service })
    expect(asked.length).toBe(3)
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(words)])
    expect([it.kept.size, await it.files()]).toEqual(nothing)
  })

  it("of an address without a server, or with another one", async () => {
    await using it = await account()
    await using site = await notTheApi()
    for (const [url, exitCode, words] of [
      ["http://127.0.0.1:1", 7, "no connection"],
      [site.url, 8, "a web page, a login page or a proxy answered instead of the API"],
      ["http://example.com", 2, "plain http to example.com"],
    ] as const) {
      const login = ["auth", "login", "--base-url", url, "--attempts", "1"]
      const { code, stderr } = await it.call(login, { prompts: person(it.emulator.apiKey).service })
      expect([code, stderr]).toEqual([exitCode, expect.stringContaining(words)])
    }
    expect([it.kept.size, await it.files()]).toEqual(nothing)
  })

  it("in the keychain that no profile could be written for", async () => {
    await using it = await account()
    await mkdir(join(it.folder, "config"))
    await writeFile(it.settings, "a file where the folder should be")
    const { service } = person(it.emulator.apiKey)
    const { code, stderr } = await it.call(["auth", "login", "--base-url", it.url], { prompts: service })
    expect([code, it.kept.size]).toEqual([10, 0])
    expect(stderr).toMatch(/could not be (?:read|written) \((?:ENOTDIR|EEXIST)\)/)
  })
})

describe("auth login to a profile that is there", () => {
  const login = ["auth", "login"]

  it("moves a plaintext key into the keychain", async () => {
    await using it = await account()
    const first = [...login, "--base-url", it.url, "--insecure-storage"]
    await it.call(first, { prompts: person(it.emulator.apiKey).service })
    expect((await it.call(login, { prompts: person(it.emulator.apiKey).service })).code).toBe(0)
    expect([it.kept.size, await it.files()]).toEqual([1, { "config.json": "600" }])
  })

  it("says what is left where the keychain with the key before cannot be used any more", async () => {
    await using it = await account()
    await it.call([...login, "--base-url", it.url], { prompts: person(it.emulator.apiKey).service })
    const { code, stderr } = await it.call([...login, "--insecure-storage"], {
      prompts: person(it.emulator.apiKey).service,
      keychain: unusable("locked"),
    })
    expect([code, await it.files()]).toEqual([0, { "config.json": "600", "credentials.json": "600" }])
    expect(stderr).toContain(`may still be in it, as the entry deedkit for "default ${it.url}"`)
  })

  it("moves a key from the file that login has made into the keychain", async () => {
    await using it = await account()
    const first = person("y", it.emulator.apiKey).service
    await it.call([...login, "--base-url", it.url], { prompts: first, keychain: unusable("locked") })
    expect(Object.keys(await it.files())).toEqual(["config.json", "default.key"])
    expect((await it.call(login, { prompts: person(it.emulator.apiKey).service })).code).toBe(0)
    expect([it.kept.size, await it.files()]).toEqual([1, { "config.json": "600" }])
  })

  it("refuses another address under its name", async () => {
    await using it = await account()
    await using other = await account()
    await it.call([...login, "--base-url", it.url], { prompts: person(it.emulator.apiKey).service })
    const { code, stderr } = await it.call([...login, "--base-url", other.url], {
      prompts: person(other.emulator.apiKey).service,
    })
    expect(code).toBe(2)
    expect(stderr).toBe(
      `Profile default is for ${it.url}. Give the other address a name of its own with --profile NAME, or remove this one with deedkit profile remove default.\n`,
    )
    expect(other.emulator.journal.entries).toEqual([])
  })

  it("says what hides its key", async () => {
    await using it = await account()
    const { stderr } = await it.call([...login, "--base-url", it.url], {
      prompts: person(it.emulator.apiKey).service,
      env: { DEEDKIT_API_KEY: "another-key-of-old" },
    })
    expect(stderr).toContain("DEEDKIT_API_KEY is set: unset it to use this profile.")
  })

  it("says which key it replaces, because a second account needs a name of its own", async () => {
    await using it = await account()
    const { contractsOnly } = it.emulator.secrets
    const first = [...login, "--base-url", it.url]
    await it.call(first, { prompts: person(contractsOnly).service })
    const second = await it.call(login, { prompts: person(it.emulator.apiKey).service })
    expect(second.stderr).toContain(
      `It replaces the key …${contractsOnly.slice(-4)}. A second account needs a profile of its own: --profile NAME.\n`,
    )
    const again = await it.call(login, { prompts: person(it.emulator.apiKey).service })
    expect(again.stderr).not.toContain("replaces")
  })

  it("shows where the key will be sent before it is pasted, when the address was not typed", async () => {
    await using it = await account()
    await it.call([...login, "--base-url", it.url], { prompts: person(it.emulator.apiKey).service })
    const own = await it.call(login, { prompts: person(it.emulator.apiKey).service })
    expect(own.stderr.split("\n")[0]).toBe(`For ${it.url} (the profile)`)
    const env = { DEEDKIT_BASE_URL: it.url }
    const ofVariable = await it.call(login, { prompts: person(it.emulator.apiKey).service, env })
    expect(ofVariable.stderr.split("\n")[0]).toBe(`For ${it.url} (DEEDKIT_BASE_URL)`)
  })

  it("does not take the address of the environment for a profile that a flag names", async () => {
    await using it = await account()
    await using other = await account()
    await it.call([...login, "--base-url", it.url], { prompts: person(it.emulator.apiKey).service })
    const env = { DEEDKIT_BASE_URL: other.url }
    const { asked, service } = person(it.emulator.apiKey, it.emulator.apiKey)
    const unknown = await it.call([...login, "--profile", "office"], { prompts: service, env })
    const known = await it.call([...login, "--profile", "default"], { prompts: service, env })
    const advice = "Pass the address of the profile with --base-url, or unset DEEDKIT_BASE_URL.\n"
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      `--profile office cannot be combined with DEEDKIT_BASE_URL. ${advice}`,
    ])
    expect([known.code, known.stderr]).toEqual([
      2,
      `--profile default cannot be combined with DEEDKIT_BASE_URL: the profile is for ${it.url}. ${advice}`,
    ])
    expect([asked, other.emulator.journal.entries]).toEqual([[], []])
  })

  it("refuses a name that some keychains would take for that of another profile", async () => {
    await using it = await account()
    await it.call([...login, "--base-url", it.url, "--profile", "office"], {
      prompts: person(it.emulator.apiKey).service,
    })
    const { code, stderr } = await it.call([...login, "--base-url", it.url, "--profile", "Office"], {
      prompts: person(it.emulator.apiKey).service,
    })
    expect([code, stderr, it.kept.size]).toEqual([
      2,
      'There is a profile "office", and "Office" differs from it in upper and lower case only. Use office, or choose another name.\n',
      1,
    ])
  })

  it("sends a key from a file or a pipe only to an address that was named", async () => {
    await using it = await account()
    const path = join(it.folder, "key")
    await writeFile(path, it.emulator.apiKey, { mode: 0o600 })
    await it.call([...login, "--base-url", it.url, "--key-file", path])
    it.emulator.journal.clear()
    const sentence = `The account of the API key is not specified. Pass --profile default to log in to ${it.url} again, or --base-url with another address.\n`
    const fromFile = await it.call([...login, "--key-file", path])
    expect(fromFile).toEqual({ code: 2, stdout: "", stderr: sentence })
    const piped = await it.pipe([...login, "--with-key"], it.emulator.apiKey)
    expect(piped).toEqual({ code: 2, stdout: "", stderr: sentence })
    expect(it.emulator.journal.entries).toEqual([])
    expect((await it.call([...login, "--key-file", path, "--profile", "default"])).code).toBe(0)
  })
})
