/**
 * Every mix of flags, variables, profiles and stores of keys, tried with every command that sends one: a key reaches the address that it
 * was stored or given for and no other, and a command sends the one key that can be meant, or nothing at all.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { read } from "../../src/terminal/Environment.ts"
import * as Keychain from "../../src/store/Keychain.ts"
import * as Profile from "../../src/store/Profile.ts"
import * as Settings from "../../src/session/Settings.ts"
import type { SharedFlags } from "../../src/command/SharedFlags.ts"
import { call } from "../harness/InProcess.ts"
import { contract } from "../harness/Servers.ts"

/** A service of which every key is one: it remembers which it saw. */
const service = async () => {
  const seen: Array<string> = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? "none")
    const one = (request.url ?? "").includes("?id=")
    const body = request.url?.includes("contracts")
      ? one
        ? { ok: true, contract: contract(1) }
        : { ok: true, items: [contract(1)], next_before_id: null }
      : { ok: true, items: [], next_before_id: null }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    /** The keys since the last look. */
    take: () => seen.splice(0).map((header) => header.replace("Bearer ", "")),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

const key = {
  ada: "key-of-ada-in-the-keychain",
  bob: "key-of-bob-in-plaintext",
  cyd: "key-of-cyd-in-a-file",
  stdin: "key-on-standard-input",
  variable: "key-in-a-variable",
  file: "key-in-a-file-of-a-variable",
} as const

type Name = "ada" | "bob" | "cyd"
const places = ["here", "there"] as const
type Place = (typeof places)[number]
/** Ada and Bob have accounts of one service, Cyd has one of another. */
const home: Readonly<Record<Name, Place>> = { ada: "here", bob: "here", cyd: "there" }

interface Mix {
  readonly profileFlag: Name | null
  readonly profileVariable: Name | "" | null
  readonly urlFlag: Place | null
  readonly urlVariable: Place | "" | null
  readonly stdin: boolean
  readonly keyVariable: "key" | "" | null
  readonly fileVariable: "file" | "" | null
  readonly current: Name | null
}

const choices: { readonly [Part in keyof Mix]: ReadonlyArray<Mix[Part]> } = {
  profileFlag: [null, "ada", "bob", "cyd"],
  profileVariable: [null, "bob", "cyd", ""],
  urlFlag: [null, "here", "there"],
  urlVariable: [null, "here", "there", ""],
  stdin: [false, true],
  keyVariable: [null, "key", ""],
  fileVariable: [null, "file", ""],
  current: [null, "ada", "cyd"],
}

const mixes = Object.entries(choices).reduce<ReadonlyArray<Partial<Mix>>>(
  (some, [part, values]) => some.flatMap((mix) => values.map((value) => ({ ...mix, [part]: value }))),
  [{}],
) as ReadonlyArray<Mix>

/** The one account that a mix can mean, in words of the guide: all of a profile, or all by hand; null for anything else. */
const meant = (mix: Mix): { readonly key: string; readonly at: Place } | null => {
  const { current, fileVariable, keyVariable, stdin, urlFlag, urlVariable } = mix
  const isWholeByFlags = urlFlag !== null && stdin
  const named = mix.profileFlag ?? (isWholeByFlags ? null : mix.profileVariable)
  if (named === "") return null
  const ofProfile = (name: Name, address: Place | null) =>
    address === null || address === home[name] ? { key: key[name], at: home[name] } : null
  if (named !== null) {
    const isAlone = !stdin && keyVariable !== "key" && fileVariable !== "file"
    return isAlone ? ofProfile(named, urlFlag ?? (urlVariable === "" ? null : urlVariable)) : null
  }
  const address = urlFlag ?? urlVariable
  if (address === "") return null
  if (stdin) return address === null ? null : { key: key.stdin, at: address }
  if (keyVariable === null && fileVariable === null)
    return current === null ? null : ofProfile(current, address)
  if (keyVariable !== null && fileVariable !== null) return null
  if (keyVariable === "" || fileVariable === "" || address === null) return null
  // A key of the environment is for the address of the environment.
  if (urlVariable !== null && urlVariable !== "" && urlVariable !== address) return null
  return { key: keyVariable === null ? key.file : key.variable, at: address }
}

const ofProfiles: ReadonlySet<string> = new Set([key.ada, key.bob, key.cyd])

/** Where a key may be seen at all, whatever a command makes of it. */
const mayReach = (mix: Mix, secret: string): ReadonlyArray<Place> => {
  const ofProfile = (["ada", "bob", "cyd"] as const).find((name) => key[name] === secret)
  if (ofProfile !== undefined) return [home[ofProfile]]
  const { urlFlag, urlVariable } = mix
  const given = secret === key.stdin ? (urlFlag ?? urlVariable) : urlVariable || urlFlag
  return given === null || given === "" ? [] : [given]
}

describe("a mix of flags, variables and profiles", () => {
  let services: Readonly<Record<Place, Awaited<ReturnType<typeof service>>>>
  let folder: string
  const configOf = (current: Name | null): string => join(folder, `config-${current}`)
  const keychain: Keychain.Service = {
    get: (account) => Effect.sync(() => (account === `ada ${services.here.url}` ? key.ada : null)),
    set: () => Effect.void,
    remove: () => Effect.succeed(false),
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-accounts-"))
    services = { here: await service(), there: await service() }
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text, { mode: 0o600 })
      return join(folder, name)
    }
    await file("variable", key.file)
    const profile = (name: Name, place: Profile.KeyPlace): readonly [Name, Profile.Profile] => [
      name,
      { baseUrl: services[home[name]].url, key: place, cursor: null, learnt: null },
    ]
    const byName = new Map([
      profile("ada", { in: "keychain" }),
      profile("bob", { in: "plaintext" }),
      profile("cyd", { in: "file", path: await file("cyd", `${key.cyd}\n`) }),
    ])
    for (const current of choices.current) {
      const settings = join(configOf(current), "deedkit")
      await mkdir(settings, { recursive: true, mode: 0o700 })
      const write = (name: string, text: string) => writeFile(join(settings, name), text, { mode: 0o600 })
      await write("config.json", Profile.encode({ current, byName }))
      const keys = { bob: { origin: services.here.url, apiKey: key.bob } }
      await write("credentials.json", JSON.stringify({ version: 1, keys }))
    }
  })
  afterAll(async () => {
    await Promise.all([services.here.close(), services.there.close()])
    await rm(folder, { recursive: true, force: true })
  })

  const urlOf = (place: Place | "" | null): string | null =>
    place === null || place === "" ? place : services[place].url

  const environmentOf = (mix: Mix): Readonly<Record<string, string>> => {
    const variables: Readonly<Record<string, string | null>> = {
      XDG_CONFIG_HOME: configOf(mix.current),
      DEEDKIT_PROFILE: mix.profileVariable,
      DEEDKIT_BASE_URL: urlOf(mix.urlVariable),
      DEEDKIT_API_KEY: mix.keyVariable === "key" ? key.variable : mix.keyVariable,
      DEEDKIT_API_KEY_FILE: mix.fileVariable === "file" ? join(folder, "variable") : mix.fileVariable,
    }
    return Object.fromEntries(
      Object.entries(variables).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    )
  }

  const run = (mix: Mix, command: ReadonlyArray<string>, input: string) => {
    const { profileFlag, stdin, urlFlag } = mix
    const args = [
      ...command,
      ...(profileFlag === null ? [] : ["--profile", profileFlag]),
      ...(urlFlag === null ? [] : ["--base-url", services[urlFlag].url]),
      ...(stdin ? ["--api-key-stdin"] : []),
      ..."--attempts 1 --rate 0 --quiet".split(" "),
    ]
    return call(args, { env: environmentOf(mix), keychain, stdin: input })
  }

  /** Address and key that a client would be made with; null where the settings are refused. */
  const settingsOf = async (mix: Mix) => {
    const flags: SharedFlags = {
      profile: mix.profileFlag ?? undefined,
      baseUrl: urlOf(mix.urlFlag) ?? undefined,
      apiKeyStdin: mix.stdin,
      cursorParam: undefined,
      rate: undefined,
      timeout: undefined,
      attempts: undefined,
      json: false,
      verbose: false,
      debugBundle: undefined,
      log: undefined,
      ping: undefined,
      quiet: false,
    }
    const options = Settings.gather(flags, read(environmentOf(mix))).pipe(
      Effect.flatMap((sources) => Settings.optionsOf(sources, flags, "interactive")),
      Effect.provideService(Keychain.Keychain, keychain),
      Effect.provide(Stdio.layerTest({ stdin: Stream.make(new TextEncoder().encode(key.stdin)) })),
      Effect.catchReason("Failure", "UsageError", () => Effect.succeed(null)),
    )
    const found = await Effect.runPromise(options)
    return found === null
      ? null
      : {
          key: Redacted.value(found.apiKey as Redacted.Redacted),
          at: places.find((place) => services[place].url === found.baseUrl),
        }
  }

  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  }
  const listing = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "contracts_list", arguments: {} },
  }
  const conversation = [initialize, { jsonrpc: "2.0", method: "notifications/initialized" }, listing]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("")

  /** A command is tried with each mix that `every` divides, or with a fifth of those, so that no command takes minutes. */
  const stride = Number(process.env["DEEDKIT_STRIDE"] ?? 5)
  const commands: ReadonlyArray<readonly [name: string, every: number]> = [
    ["me", 7],
    ["contracts list --all", 23],
    ["keys list --json", 23],
    ["contracts get 1", 23],
    ["keys audit", 29],
    ["auth status --json", 29],
    ["doctor", 37],
    ["doctor --save", 41],
    ["export contracts --overwrite --out OUT", 29],
    ["export all --overwrite --out OUT", 31],
    ["mcp", 29],
  ]

  it("names the one account that can be meant, or none", async () => {
    const wrong: Array<object> = []
    for (const mix of mixes) {
      const wanted = meant(mix)
      const found = await settingsOf(mix)
      if (found?.key !== wanted?.key || found?.at !== wanted?.at) wrong.push({ mix, found, wanted })
    }
    expect(wrong.slice(0, 3)).toEqual([])
    expect(mixes).toHaveLength(4 * 4 * 3 * 4 * 2 * 3 * 3 * 3)
    expect(new Set(mixes.map((mix) => meant(mix)?.key))).toEqual(new Set([...Object.values(key), undefined]))
  }, 120_000)

  it.each(commands)(
    "sends the one key that can be meant, or nothing at all: %s",
    async (command, every) => {
      const args = command.split(" ").map((word) => (word === "OUT" ? join(folder, "out.csv") : word))
      const isServer = command === "mcp"
      const wrong: Array<object> = []
      let sent = 0
      for (const [index, mix] of mixes.entries()) {
        if (index % (every * stride) !== 0) continue
        const { code, stderr } = await run(mix, args, isServer ? conversation : `${key.stdin}\n`)
        const seen = { here: services.here.take(), there: services.there.take() }
        const used = places.flatMap((at) => [...new Set(seen[at])].map((secret) => ({ key: secret, at })))
        const strays = used.filter(({ at, key: secret }) => !mayReach(mix, secret).includes(at))
        // Its standard input is the assistant's.
        const wanted = isServer && mix.stdin ? null : meant(mix)
        // An address and a key by hand are no profile to save anything in.
        const isRefused = command === "doctor --save" && !ofProfiles.has(wanted?.key ?? "")
        const isRight =
          wanted === null || isRefused
            ? code === 2 && used.length === 0
            : code !== 2 && used.length === 1 && used[0]?.key === wanted.key && used[0].at === wanted.at
        if (wanted !== null) sent += 1
        if (!isRight || strays.length > 0) wrong.push({ mix, code, stderr, used, wanted, strays })
      }
      expect(wrong.slice(0, 3)).toEqual([])
      expect(sent).toBeGreaterThan(40 / stride)
    },
    120_000,
  )
})
