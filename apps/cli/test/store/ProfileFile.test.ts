/**
 * Many processes that write settings at the same time: none loses what another one wrote. And one that cannot write says who is in its way.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { account, person } from "../harness/Account.ts"
import * as SettingsLock from "../../src/store/SettingsLock.ts"
import type { Profiles } from "../../src/store/Profile.ts"
import * as Profile from "../../src/store/Profile.ts"
import type { Ended } from "../harness/InProcess.ts"
import { bench, program } from "../harness/Cli.ts"

/** Runs the built program with its settings in a folder, and a text on standard input. */
const run = async (cwd: string, args: ReadonlyArray<string>, stdin = ""): Promise<Ended> => {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], XDG_CONFIG_HOME: cwd },
    stdio: ["pipe", "pipe", "pipe"],
  })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  // A program that has refused its flags does not read.
  child.stdin.on("error", () => {}).end(stdin)
  const [code] = (await once(child, "close")) as [number | null]
  return { code, ...output }
}

const filesIn = async (folder: string): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).map(
        async (name) => [name, ((await stat(join(folder, name))).mode & 0o777).toString(8)] as const,
      ),
    ),
  )

const profilesIn = async (settings: string): Promise<Profiles> => {
  const profiles = Profile.parse(await readFile(join(settings, "config.json"), "utf8"))
  if (typeof profiles === "string") throw new Error(profiles)
  return profiles
}

const many = Number(process.env["DEEDKIT_PROCESSES"] ?? 6)
const names = (what: string): ReadonlyArray<string> =>
  Array.from({ length: many }, (_, at) => `${what}-${at}`)

describe("the settings of many processes at a time", () => {
  it(`are all there: ${many} logins and ${many} exports that learn the name of the cursor's parameter`, async () => {
    await using it = await bench({ contracts: 150 })
    const settings = join(it.folder, "deedkit")
    const key = join(it.folder, "key")
    await mkdir(settings, { mode: 0o700 })
    await writeFile(key, it.emulator.apiKey, { mode: 0o600 })
    const byName = new Map(
      names("export").map((name) => [
        name,
        { baseUrl: it.url, key: { in: "file", path: key }, cursor: null, learnt: null } as const,
      ]),
    )
    await writeFile(join(settings, "config.json"), Profile.encode({ current: null, byName }), { mode: 0o600 })

    const login = ["auth", "login", "--base-url", it.url, "--with-key", "--insecure-storage", "--profile"]
    const exporting = ["export", "contracts", "--rate", "0", "--quiet", "--profile"]
    const ended = await Promise.all([
      ...names("login").map((name) => run(it.folder, [...login, name], it.emulator.apiKey)),
      ...names("export").map((name) => run(it.folder, [...exporting, name, "--out", `${name}.csv`])),
    ])
    expect(ended.filter(({ code }) => code !== 0)).toEqual([])

    const profiles = await profilesIn(settings)
    expect([...profiles.byName.keys()].toSorted()).toEqual([...names("export"), ...names("login")].toSorted())
    for (const name of names("export")) {
      expect(profiles.byName.get(name)).toMatchObject({ cursor: { parameter: "before_id" } })
    }
    for (const name of names("login")) {
      expect(profiles.byName.get(name)).toMatchObject({ key: { in: "plaintext" } })
    }
    const credentials = JSON.parse(await readFile(join(settings, "credentials.json"), "utf8")) as {
      readonly keys: Readonly<Record<string, object>>
    }
    expect(Object.keys(credentials.keys).toSorted()).toEqual(names("login").toSorted())
    expect(await filesIn(settings)).toEqual({ "config.json": "600", "credentials.json": "600", lock: "600" })
    expect((await stat(settings)).mode & 0o777).toBe(0o700)
  }, 120_000)

  it("are those of one of two accounts that want the same name, and the other is refused", async () => {
    await using one = await bench()
    await using other = await bench({ contracts: 1 })
    const login = ["auth", "login", "--with-key", "--insecure-storage", "--profile", "office", "--base-url"]
    const ended = await Promise.all(
      [one, other].map((it) => run(one.folder, [...login, it.url], it.emulator.apiKey)),
    )
    const codes = ended.map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set([0, 2]))
    const kept = [one, other][codes.indexOf(0)]
    expect((await profilesIn(join(one.folder, "deedkit"))).byName.get("office")).toMatchObject({
      baseUrl: kept?.url,
    })
    expect((await run(one.folder, ["me", "--quiet"])).code).toBe(0)
  }, 60_000)

  it("are free of what a killed process left, a part with a key in it too", async () => {
    await using it = await account()
    const login = ["auth", "login", "--base-url", it.url, "--insecure-storage"]
    await it.call(login, { prompts: person(it.emulator.apiKey).service })
    for (const name of ["config.json", "credentials.json"]) {
      await writeFile(join(it.settings, `${name}.0123abcd.part`), "{", { mode: 0o600 })
    }
    await it.call(login, { prompts: person(it.emulator.secrets.contractsOnly).service })
    expect(await it.files()).toEqual({ "config.json": "600", "credentials.json": "600" })
  })
})

describe("settings that somebody else keeps locked", () => {
  /** Short waits take no time, so that 600 of them are over at once. */
  const hurried = Effect.runSync(
    Effect.map(Clock.Clock, (clock): Clock.Clock =>
      Object.assign(Object.create(clock) as Clock.Clock, {
        sleep: (duration: Duration.Duration) =>
          Duration.toMillis(duration) < 100 ? Effect.yieldNow : clock.sleep(duration),
      }),
    ),
  )

  it("are not written, and the message says who is in the way and what to do", async () => {
    await using it = await account()
    const login = ["auth", "login", "--base-url", it.url, "--insecure-storage"]
    await it.call(login, { prompts: person(it.emulator.apiKey).service })
    const before = await it.read("config.json")
    const lock = SettingsLock.beside(join(it.settings, "config.json"))
    const commands = [
      ["profile", "use", "default"],
      ["profile", "remove", "default"],
      ["auth", "logout"],
      ["doctor", "--save"],
    ]
    await Effect.runPromise(
      Effect.promise(async () => {
        for (const command of commands) {
          const { code, stderr } = await it.call(command, { clock: hurried })
          expect([command, code]).toEqual([command, 10])
          expect(stderr).toContain(
            `Another deedkit (process ${process.pid}) has locked the folder ${it.settings} for at least 15 seconds. Try again when it has ended.`,
          )
        }
        // What was read is as good as it would be: the name is learnt another time.
        const reading = await it.call(["contracts", "list", "--all", "--rate", "0"], { clock: hurried })
        expect([reading.code, reading.stderr.includes("has locked the folder")]).toEqual([0, true])
      }).pipe(SettingsLock.hold(lock)),
    )
    expect(await it.read("config.json")).toBe(before)
    expect((await it.call(["auth", "logout"])).code).toBe(0)
  })
})
