import * as emulation from "@deedkit/emulator"
import { beforeEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import * as World from "../World.ts"

const secondUrl = "https://api.second.test"
const secondPattern = `${secondUrl}/*`
let world: World.World
let second: emulation.Emulator

const state = () => world.ask({ type: "page.state" })
const switchTo = (id: string) => world.ask({ type: "page.switchAccount", id })
const search = async (): Promise<number> =>
  (await world.index.search({ text: "", counts: false, limit: 1 })).total ?? 0

/** Adds a second account with its own service, and waits for its sync. Gives its id. */
const addSecond = async (): Promise<string> => {
  const added = await world.addAccount(" Second ")
  world.platform.granted.add(secondPattern)
  await world.ask({ type: "page.setAddress", baseUrl: secondUrl })
  await world.ask({ type: "page.setKey", key: second.apiKey })
  await world.until(World.isSynced)
  return added.account
}

beforeEach(async () => {
  world = World.make({ contracts: 30 })
  second = emulation.make({ contracts: 12, seed: 7 })
  world.platform.reaches = (request) =>
    new URL(request.url).origin === secondUrl ? second.fetch(request) : world.emulator.fetch(request)
  await world.setUp()
  await world.until(World.isSynced)
})

describe("Accounts", () => {
  it("begin as one", async () => {
    expect(await state()).toMatchObject({
      accounts: [{ id: "first", name: "", baseUrl: World.baseUrl }],
      account: "first",
    })
  })

  it("are added without address and key, with the sites and settings that all share", async () => {
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    await world.ask({ type: "page.setSettings", settings: { theme: "dark" } })
    const added = await world.addAccount(" Second ")
    expect(added).toMatchObject({
      accounts: [{ name: "" }, { name: "Second", baseUrl: null }],
      baseUrl: null,
      keyHint: null,
      cursorParam: null,
      connection: { _tag: "NoAddress" },
      index: { contracts: 0, completedAt: null },
      sites: [{ origin: World.site, isGranted: true }],
      settings: { theme: "dark" },
    })
  })

  it("stay in use, with badges and search, when another one is added", async () => {
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    const before = await state()
    const slug = world.emulator.store.contracts.find(({ listing }) => listing != null)!.listing!.slug
    const sent = world.platform.sent.length
    const added = (await world.ask({ type: "page.addAccount", name: "Second" })) as AppState
    expect(added).toEqual({
      ...before,
      accounts: [...before.accounts, expect.objectContaining({ name: "Second" })],
    })
    expect(world.platform.sent).toHaveLength(sent)
    expect(world.platform.alarmsByName.has("sync")).toBe(true)
    expect(await search()).toBe(30)
    await world.askAs(World.tab(4), { type: "listing.start" })
    const found = await world.askAs(World.tab(4), { type: "listing.lookup", references: [slug] })
    expect(found).toMatchObject({ known: { [slug]: expect.anything() } })
  })

  it("have each their own key, cursor parameter and index", async () => {
    const id = await addSecond()
    expect(await state()).toMatchObject({
      account: id,
      baseUrl: secondUrl,
      index: { contracts: 12 },
      keyHint: second.apiKey.slice(-4),
    })
    expect(await search()).toBe(12)
    expect(await switchTo("first")).toMatchObject({
      account: "first",
      baseUrl: World.baseUrl,
      index: { contracts: 30 },
      keyHint: world.emulator.apiKey.slice(-4),
    })
    expect(await search()).toBe(30)
    await world.kill()
    expect(await switchTo(id)).toMatchObject({ account: id, index: { contracts: 12 } })
  })

  it("send each key to its own service only", async () => {
    const sent: Array<readonly [origin: string, key: string]> = []
    const reaches = world.platform.reaches
    world.platform.reaches = (request) => {
      const headers = JSON.stringify([...request.headers])
      if (!World.isTrial(request)) sent.push([new URL(request.url).origin, headers])
      return reaches(request)
    }
    await addSecond()
    await switchTo("first")
    await world.ask({ type: "page.sync" })
    world.clock.advance(1_000)
    await world.until(World.isSynced)
    expect(sent.length).toBeGreaterThan(1)
    for (const [origin, headers] of sent) {
      const [own, other] = origin === secondUrl ? [second, world.emulator] : [world.emulator, second]
      expect(headers).toContain(own.apiKey)
      expect(headers).not.toContain(other.apiKey)
    }
  })

  it("have pages ask anew when another one is used, which are told nothing of the one before", async () => {
    world.platform.granted.add(World.sitePattern)
    world.platform.open.set(4, World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    const slug = world.emulator.store.contracts.find(({ listing }) => listing != null)!.listing!.slug
    await world.askAs(World.tab(4), { type: "listing.start" })
    const ask = () => world.askAs(World.tab(4), { type: "listing.lookup", references: [slug] })
    expect(await ask()).toMatchObject({ known: { [slug]: expect.anything() } })
    await world.addAccount("Second")
    expect(world.platform.sent.at(-1)).toEqual([4, "listing.changed"])
    expect(world.platform.counts.get(4)).toBe("")
    expect(await ask()).toEqual({ known: {} })
  })

  it("resume a sync that was left when they are used again", async () => {
    world = World.make({ contracts: 450 })
    world.emulator.faults.set(["rate-limit:retryAfter=5,page=3,times=1"])
    await world.setUp()
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.waiting?.reason === "rate-limited")
    await world.addAccount("Second")
    expect((await state()).sync).toEqual({ _tag: "Idle" })
    await switchTo("first")
    const resumed = await world.until(({ sync }) => sync._tag === "Syncing")
    expect(resumed.sync).toMatchObject({ pages: 2 })
    await world.inTime(World.isSynced)
    expect((await state()).index.contracts).toBe(450)
  })

  it("can be called something else, and need a name", async () => {
    expect(await world.ask({ type: "page.renameAccount", id: "first", name: "Homes" })).toMatchObject({
      accounts: [{ id: "first", name: "Homes" }],
      index: { contracts: 30 },
    })
    const unnamed = { _tag: "UserError", message: "errorAccountName", advice: "errorAccountNameAdvice" }
    expect(await world.ask({ type: "page.renameAccount", id: "first", name: "  " })).toEqual(unnamed)
    expect(await world.ask({ type: "page.addAccount", name: "" })).toEqual(unnamed)
  })

  it("are read while they are in use, and not otherwise", async () => {
    const id = await addSecond()
    const asked: Array<string> = []
    const reaches = world.platform.reaches
    world.platform.reaches = (request) => {
      asked.push(new URL(request.url).origin)
      return reaches(request)
    }
    for (const [used, origin] of [
      [id, secondUrl],
      ["first", World.baseUrl],
    ] as const) {
      await switchTo(used)
      world.clock.advance(3_600_000)
      asked.length = 0
      await world.background().onAlarm("sync")
      await world.background().onAlarm("recover")
      await world.until(World.isSynced)
      await World.turns(20)
      expect(new Set(asked)).toEqual(new Set([origin]))
    }
  })

  it("are refused beyond the number that is kept", async () => {
    for (let count = 1; count < 20; count++) await world.addAccount(`No. ${count}`)
    expect(await world.ask({ type: "page.addAccount", name: "One more" })).toMatchObject({
      message: "errorAccounts 20",
    })
  })

  it("change nothing when there is no such account", async () => {
    const before = await state()
    expect(await switchTo("nobody")).toEqual(before)
    expect(await world.ask({ type: "page.removeAccount", id: "nobody" })).toEqual(before)
  })

  it("go with their key, index and grant when they are removed; the last one stays", async () => {
    const id = await addSecond()
    const after = await world.ask({ type: "page.removeAccount", id })
    expect(after).toMatchObject({ account: "first", accounts: [{ id: "first" }], index: { contracts: 30 } })
    expect(world.platform.granted).toEqual(new Set([World.apiPattern]))
    await expect(world.database(id).get("keys", "apiKey")).rejects.toThrow("is gone")
    await world.kill()
    expect(await world.database(id).get("keys", "apiKey")).toBeUndefined()
    expect(await world.database(id).get("meta", "index")).toBeUndefined()
    expect(await world.ask({ type: "page.removeAccount", id: "first" })).toMatchObject({
      message: "errorLastAccount",
    })
  })

  it("keep what they share when the first one is removed", async () => {
    const id = await addSecond()
    await world.ask({ type: "page.setSettings", settings: { theme: "dark" } })
    const after = await world.ask({ type: "page.removeAccount", id: "first" })
    expect(after).toMatchObject({ account: id, accounts: [{ id }], settings: { theme: "dark" } })
    expect(await world.database().get("keys", "apiKey")).toBeUndefined()
    expect(await world.database().get("meta", "index")).toBeUndefined()
    await world.kill()
    expect(await state()).toMatchObject({ account: id, index: { contracts: 12 } })
  })

  it("keep a grant that another one needs", async () => {
    await world.addAccount("Same host")
    const added = (await world.ask({
      type: "page.setAddress",
      baseUrl: `${World.baseUrl}/other`,
    })) as AppState
    await world.ask({ type: "page.removeAccount", id: added.account })
    expect(world.platform.granted.has(World.apiPattern)).toBe(true)
  })

  it("move all their keys when they are to be kept for the session only", async () => {
    const id = await addSecond()
    await world.ask({ type: "page.setSettings", settings: { keyStorage: "session" } })
    for (const account of ["first", id]) {
      expect(await world.database(account).get("keys", "apiKey")).toBeUndefined()
    }
    expect(await switchTo("first")).toMatchObject({ keyHint: world.emulator.apiKey.slice(-4) })
  })

  it("all go when everything is cleared", async () => {
    const id = await addSecond()
    await world.ask({ type: "page.clear" })
    expect(await state()).toMatchObject({
      accounts: [{ id: "first", name: "", baseUrl: null }],
      account: "first",
    })
    expect(world.platform.granted.size).toBe(0)
    await world.kill()
    for (const account of ["first", id]) {
      expect(await world.database(account).get("keys", "apiKey")).toBeUndefined()
      expect(await world.database(account).get("meta", "index")).toBeUndefined()
    }
  })
})
