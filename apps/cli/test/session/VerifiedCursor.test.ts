import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { read } from "../../src/terminal/Environment.ts"
import * as ProfileFile from "../../src/store/ProfileFile.ts"
import { saveCursor } from "../../src/session/Session.ts"
import type { Account } from "../harness/Account.ts"
import { account, person } from "../harness/Account.ts"

const login = (it: Account) =>
  it.call(["auth", "login", "--base-url", it.url], { prompts: person(it.emulator.apiKey).service })

const cursorIn = async (it: Account): Promise<unknown> =>
  (JSON.parse(await it.read("config.json")) as { readonly profiles: Record<string, { cursor: unknown }> })
    .profiles["default"]?.cursor

const reading = ["contracts", "list", "--all", "--json", "--rate", "0"]
const asked = (it: Account): ReadonlyArray<string> =>
  it.emulator.journal.entries.flatMap(({ query }) => Object.keys(query))

describe("the cursor's parameter", () => {
  it("that a read has verified is kept in the profile, and used at once by the next", async () => {
    await using it = await account({ assumptions: { cursorParameter: "starting_after" } })
    await login(it)
    expect((await it.call(reading)).code).toBe(0)
    expect(await cursorIn(it)).toEqual({
      parameter: "starting_after",
      evidence: expect.stringContaining("new record") as string,
      verifiedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    })
    const kept = await it.read("config.json")
    it.emulator.journal.clear()
    expect((await it.call(reading)).code).toBe(0)
    expect(new Set(asked(it))).toEqual(new Set(["limit", "starting_after"]))
    expect(await it.read("config.json")).toBe(kept)
  })

  it("is looked for again when the kept one has visibly failed, and replaced", async () => {
    await using it = await account({ assumptions: { cursorParameter: "after" } })
    await login(it)
    await it.call(reading)
    it.emulator.faults.set(["cursor-renamed:parameter=cursor"])
    const { code, stdout } = await it.call(reading)
    expect([code, (JSON.parse(stdout) as { items: ReadonlyArray<unknown> }).items.length]).toEqual([0, 250])
    expect(await cursorIn(it)).toMatchObject({ parameter: "cursor" })
  })

  it("that was saved meanwhile does not prevent resuming an export", async () => {
    await using it = await account({ assumptions: { cursorParameter: "after" }, faults: ["status:page=3"] })
    await login(it)
    const exporting = ["export", "contracts", "--out", join(it.folder, "o.csv"), "--rate", "0", "--quiet"]
    expect((await it.call([...exporting, "--attempts", "1"])).code).not.toBe(0)
    it.emulator.faults.clear()
    await it.call(reading)
    expect(await cursorIn(it)).toMatchObject({ parameter: "after" })
    const { code, stderr } = await it.call([...exporting, "--resume"])
    expect([code, stderr]).toEqual([0, ""])
    const rows = (await readFile(join(it.folder, "o.csv"), "utf8")).trimEnd().split("\r\n")
    expect(rows).toHaveLength(251)
  })

  it("is not kept from a read that failed, nor from another address than the profile's", async () => {
    await using it = await account({ faults: ["server-error:page=3"] })
    await login(it)
    expect((await it.call([...reading, "--attempts", "1"])).code).toBe(7)
    expect(await cursorIn(it)).toBeNull()
    await using other = await account()
    const env = { DEEDKIT_BASE_URL: other.url, DEEDKIT_API_KEY: other.emulator.apiKey }
    expect((await it.call(reading, { env })).code).toBe(0)
    expect(await cursorIn(it)).toBeNull()
  })

  it("that somebody names is believed, and no other is looked for", async () => {
    await using it = await account()
    await login(it)
    await it.call(reading)
    const { code } = await it.call([...reading, "--cursor-param", "wrong"])
    expect([code, await cursorIn(it)]).toEqual([11, expect.objectContaining({ parameter: "before_id" })])
  })

  it("is not kept in a profile that has become another account's meanwhile", async () => {
    await using it = await account()
    await login(it)
    const variables = read({ XDG_CONFIG_HOME: join(it.folder, "config") })
    const { profiles } = await Effect.runPromise(ProfileFile.load(variables))
    const profile = profiles.byName.get("default")!
    const cursor = { state: "verified", parameter: "after", evidence: "a test" } as const
    const before = await it.read("config.json")
    for (const baseUrl of [`${it.url}/other`, "https://api.example.com"]) {
      const known = { name: "default", profile: { ...profile, baseUrl } }
      await Effect.runPromise(saveCursor(variables, known, cursor))
    }
    await Effect.runPromise(saveCursor(variables, { name: "gone", profile }, cursor))
    expect(await it.read("config.json")).toBe(before)
    await Effect.runPromise(saveCursor(variables, { name: "default", profile }, cursor))
    expect(await cursorIn(it)).toMatchObject({ parameter: "after" })
  })
})
