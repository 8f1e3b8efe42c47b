import { beforeEach, describe, expect, it } from "vitest"
import { stores, answered } from "../../../src/index/Database.ts"
import * as World from "../World.ts"

let world: World.World

/** Everything that the browser keeps of the extension, as text; a key would be seen in it. */
const everythingKept = async (): Promise<string> => {
  const kept: Array<unknown> = [[...world.platform.kept], [...world.platform.scriptsById]]
  for (const name of stores) {
    const store = (await world.database().reading(name)).objectStore(name)
    kept.push(await answered(store.getAll()))
  }
  return JSON.stringify(kept, (_, value: unknown) =>
    value instanceof ArrayBuffer ? new TextDecoder("latin1").decode(value) : value,
  )
}
const countOf = async (name: (typeof stores)[number]): Promise<number> =>
  answered((await world.database().reading(name)).objectStore(name).count())

beforeEach(() => {
  world = World.make({ contracts: 30 })
})

describe("SetUp", () => {
  it.each([
    "",
    "not an address",
    "http://api.example.test",
    "http://127.0.0.1:8080",
    "https://user:secret@api.example.test",
    "https://api.example.test/?key=1",
    "ftp://api.example.test",
    "https://*",
    "https://*.example.test",
  ])("refuses the address %j before anything is sent", async (address) => {
    const answer = await world.ask({ type: "page.setAddress", baseUrl: address })
    expect(answer).toEqual({ _tag: "UserError", message: "errorAddress", advice: "errorAddressAdvice" })
    expect(world.platform.asked).toEqual([])
  })

  it("takes an address with a path and with the version that it ends before", async () => {
    expect(
      await world.ask({ type: "page.setAddress", baseUrl: "https://api.example.test/rest/v1/" }),
    ).toMatchObject({
      baseUrl: "https://api.example.test/rest",
      connection: { _tag: "NoPermission", origin: World.baseUrl },
    })
  })

  it.each(["", "two words", "line\nbreak", "ключ"])(
    "refuses the key %j before anything is sent",
    async (key) => {
      world.platform.granted.add(World.apiPattern)
      await world.ask({ type: "page.setAddress", baseUrl: World.baseUrl })
      world.platform.asked.length = 0
      expect(await world.ask({ type: "page.setKey", key })).toMatchObject({ message: "errorKey" })
      expect(world.platform.asked).toEqual([])
    },
  )

  it("refuses a key that could belong to no address", async () => {
    expect(await world.ask({ type: "page.setKey", key: "some-key" })).toMatchObject({
      message: "errorNoAddress",
    })
  })

  it("asks for nothing while the service's address is not granted", async () => {
    await world.ask({ type: "page.setAddress", baseUrl: World.baseUrl })
    await world.ask({ type: "page.setKey", key: world.emulator.apiKey })
    await world.ask({ type: "page.sync" })
    await World.turns(50)
    expect(world.platform.asked).toEqual([])
  })

  it.each([
    ["a page", () => new Response("<h1>Home</h1>", { headers: { "content-type": "text/html" } })],
    [
      "a login",
      () => new Response("<h1>Log in</h1>", { status: 401, headers: { "content-type": "text/html" } }),
    ],
    ["another API", () => Response.json({ items: [] })],
    ["another API that says no such thing", () => Response.json({ error: "Not found" }, { status: 404 })],
    ["a redirection", () => new Response(null, { status: 302, headers: { location: "/login" } })],
    ["JSON by its text alone", () => new Response('{"ok":false}', { status: 401 })],
  ])(
    "refuses an address that answers with %s, gives it back, and never sends it a key",
    async (_, answer) => {
      const keys = new Set<string | null>()
      world.platform.reaches = async ({ headers }) => {
        keys.add(headers.get("authorization"))
        return answer()
      }
      world.platform.granted.add(World.apiPattern)
      expect(await world.ask({ type: "page.setAddress", baseUrl: World.baseUrl })).toMatchObject({
        message: "errorNotService",
      })
      expect(world.platform.granted).toEqual(new Set())
      expect((await world.ask({ type: "page.state" })).baseUrl).toBeNull()
      // As after a settings file, which names an address that nobody has tried.
      await world.ask({ type: "page.setAddress", baseUrl: World.baseUrl })
      world.platform.granted.add(World.apiPattern)
      expect(await world.ask({ type: "page.setKey", key: world.emulator.apiKey })).toMatchObject({
        message: "errorNotService",
      })
      expect(await world.ask({ type: "page.state" })).toMatchObject({ keyHint: null })
      expect([...keys]).toEqual(["Bearer no-key-yet"])
    },
  )

  it("keeps account and index when another address is not the service's", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    const before = await world.ask({ type: "page.state" })
    world.platform.granted.add("https://other.example.test/*")
    world.platform.reaches = async () =>
      new Response("<h1>Home</h1>", { headers: { "content-type": "text/html" } })
    await world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" })
    expect(await world.ask({ type: "page.state" })).toEqual(before)
    expect(world.platform.granted).toEqual(new Set([World.apiPattern]))
  })

  it("takes an address whose service asks for a pause", async () => {
    world.platform.granted.add(World.apiPattern)
    world.platform.reaches = async () =>
      Response.json({ ok: false }, { status: 429, headers: { "retry-after": "3600" } })
    expect(await world.ask({ type: "page.setAddress", baseUrl: World.baseUrl })).toMatchObject({
      baseUrl: World.baseUrl,
    })
  })

  it.each([
    ["a key that the service refuses", () => "dk_mistyped_0000000000000000", "wrongKeyTitle."],
    ["a key without the scope", () => world.emulator.secrets.keysOnly, "missingScopeTitle read:contracts."],
  ])("keeps the key in use instead of %s", async (_, other, message) => {
    await world.setUp()
    await world.until(World.isSynced)
    const before = await world.ask({ type: "page.state" })
    const refused = await world.ask({ type: "page.setKey", key: other() })
    expect(refused).toMatchObject({ message, advice: expect.stringMatching(/^keyUnchanged /) })
    expect(await world.ask({ type: "page.state" })).toEqual(before)
    world.clock.advance(1_000)
    await world.ask({ type: "page.sync" })
    await world.until(({ index }) => index.completedAt === "2026-03-01T14:00:01.000Z")
  })

  it("keeps the key in use while no other can be tried", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    world.platform.reaches = async () =>
      Response.json({ ok: false }, { status: 429, headers: { "retry-after": "3600" } })
    const refused = await world.ask({ type: "page.setKey", key: world.emulator.secrets.contractsOnly })
    expect(refused).toMatchObject({ message: "rateLimitedTitle." })
    expect((await world.ask({ type: "page.state" })).keyHint).toBe(world.emulator.apiKey.slice(-4))
  })

  it("keeps the key so that it can be read nowhere, and works with it after the background was stopped", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    expect(await everythingKept()).not.toContain(world.emulator.apiKey)
    await world.kill()
    world.clock.advance(1_000)
    await world.ask({ type: "page.sync" })
    await world.until(({ index }) => index.completedAt === "2026-03-01T14:00:01.000Z")
    const state = await world.ask({ type: "page.state" })
    expect(state.keyHint).toBe(world.emulator.apiKey.slice(-4))
    expect(JSON.stringify(state)).not.toContain(world.emulator.apiKey)
  })

  it("keeps the key for the session only, when that is chosen, and on the device again when that is", async () => {
    await world.setUp()
    await world.ask({ type: "page.setSettings", settings: { keyStorage: "session" } })
    expect(await countOf("keys")).toBe(0)
    expect((await world.ask({ type: "page.state" })).keyHint).not.toBeNull()
    await world.kill()
    expect((await world.ask({ type: "page.state" })).keyHint).not.toBeNull()
    await world.ask({ type: "page.setSettings", settings: { keyStorage: "device" } })
    expect(JSON.stringify([...world.platform.kept])).not.toContain(world.emulator.apiKey)
    await world.ask({ type: "page.setSettings", settings: { keyStorage: "session" } })
    world.platform.kept.clear()
    await world.kill()
    expect((await world.ask({ type: "page.state" })).connection).toEqual({ _tag: "NoKey" })
  })

  it("drops key and index with another address, and gives the old address back", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    world.platform.granted.add("https://other.example.test/*")
    const state = await world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" })
    expect(state).toMatchObject({
      keyHint: null,
      cursorParam: null,
      index: { contracts: 0, completedAt: null },
    })
    expect(await countOf("contracts")).toBe(0)
    expect(world.platform.granted).toEqual(new Set(["https://other.example.test/*"]))
  })

  it("changes nothing when the same address is set again", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    const state = await world.ask({ type: "page.setAddress", baseUrl: `${World.baseUrl}/` })
    expect(state).toMatchObject({ index: { contracts: 30 }, connection: { _tag: "Ready" } })
  })

  it("forgets the key alone, and keeps what it knows", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    const state = await world.ask({ type: "page.forgetKey" })
    expect(state).toMatchObject({ keyHint: null, connection: { _tag: "NoKey" }, index: { contracts: 30 } })
  })

  it("syncs at the interval that is chosen, or never by itself", async () => {
    await world.setUp()
    expect(world.platform.alarmsByName.get("sync")).toMatchObject({ everyMinutes: 60 })
    await world.ask({ type: "page.setSettings", settings: { refreshMinutes: 5 } })
    expect(world.platform.alarmsByName.get("sync")).toMatchObject({ everyMinutes: 5 })
    await world.ask({ type: "page.setSettings", settings: { refreshMinutes: null } })
    expect(world.platform.alarmsByName.has("sync")).toBe(false)
  })

  it("calls the index stale after twice the interval", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    world.clock.advance(120 * 60_000)
    expect((await world.ask({ type: "page.state" })).index.isStale).toBe(false)
    world.clock.advance(1_000)
    expect((await world.ask({ type: "page.state" })).index.isStale).toBe(true)
  })

  it("syncs when the browser starts and the index is old, and not when it is new", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    const asked = world.platform.asked.length
    await world.background().onStartup()
    await World.turns(50)
    expect(world.platform.asked).toHaveLength(asked)
    world.clock.advance(61 * 60_000)
    await world.background().onStartup()
    await world.until(({ index }) => index.completedAt === "2026-03-01T15:01:00.000Z")
  })

  it("leaves nothing behind when everything is cleared", async () => {
    world.platform.granted.add(World.sitePattern)
    world.platform.open.set(4, World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    await world.setUp()
    await world.until(World.isSynced)
    await world.askAs(World.tab(4), { type: "listing.lookup", references: ["a"] })
    // Granted to a page, and then never named to the background.
    world.platform.granted.add("https://given-up.example/*")
    const fresh = World.make()
    const state = await world.ask({ type: "page.clear" })
    expect(state).toEqual(await fresh.ask({ type: "page.state" }))
    expect(world.platform.sent.at(-2)).toEqual([4, "listing.off"])
    expect(world.platform.granted.size).toBe(0)
    expect(world.platform.notifies).toBe(false)
    expect(world.platform.scriptsById.size).toBe(0)
    expect(world.platform.alarmsByName.size).toBe(0)
    expect(world.platform.kept.size).toBe(0)
    for (const name of ["contracts", "meta", "compact", "keys"] as const) expect(await countOf(name)).toBe(0)
    await world.kill()
    expect(await world.ask({ type: "page.state" })).toEqual(state)
  })
})
