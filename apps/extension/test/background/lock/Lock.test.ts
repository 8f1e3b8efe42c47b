import { beforeEach, describe, expect, it } from "vitest"
import { stores, answered } from "../../../src/index/Database.ts"
import { accountRequests } from "../../../src/messages/PageSchema.ts"
import type { PageRequest } from "../../../src/messages/PageMessage.ts"
import { requests } from "../../messages/Requests.ts"
import * as World from "../World.ts"

const passphrase = "correct horse battery"
let world: World.World

const state = () => world.ask({ type: "page.state" })
const lock = () => world.ask({ type: "page.lock" })
const unlock = (typed = passphrase) => world.ask({ type: "page.unlock", passphrase: typed })
const set = (next = passphrase, current: string | null = null) =>
  world.ask({ type: "page.setPassphrase", passphrase: next, current })

/** Everything that the browser keeps on the device, as text in which bytes can be found. */
const onDevice = async (): Promise<string> => {
  const kept: Array<unknown> = []
  for (const name of stores) {
    kept.push(await answered((await world.database().reading(name)).objectStore(name).getAll()))
  }
  return JSON.stringify(kept, (_, value: unknown) =>
    value instanceof ArrayBuffer ? new TextDecoder("latin1").decode(value) : value,
  )
}
const inSession = (): string => JSON.stringify([...world.platform.kept])

/** Synced, with a site that a tab shows. */
const synced = async (): Promise<void> => {
  world = World.make({ contracts: 30 })
  await world.setUp()
  world.platform.granted.add(World.sitePattern)
  world.platform.open.set(4, World.sitePattern)
  await world.ask({ type: "page.addSite", origin: World.site })
  await world.until(World.isSynced)
}
const someSlug = (): string =>
  world.emulator.store.contracts.find(({ listing }) => listing != null)!.listing!.slug

beforeEach(synced)

describe("Lock", () => {
  it("leaves everything as it is until there is a passphrase", async () => {
    expect(await lock()).toMatchObject({ connection: { _tag: "Ready" }, lock: { isSet: false } })
    expect(await unlock()).toMatchObject({ _tag: "UserError", message: "errorNoLock" })
  })

  it("refuses a passphrase that is too short", async () => {
    expect(await set("seven77")).toMatchObject({ _tag: "UserError", message: "errorShort" })
    expect((await state()).lock.isSet).toBe(false)
  })

  it("works as before once a passphrase is set, with the key sealed by it", async () => {
    expect(await set()).toMatchObject({
      connection: { _tag: "Ready" },
      lock: { isSet: true, afterMinutes: 15 },
    })
    expect((await state()).keyHint).toBe(world.emulator.apiKey.slice(-4))
    const sealed = (await world.database().get("keys", "apiKey")) as object
    expect(Object.keys(sealed).toSorted()).toEqual(["ciphertext", "iv"])
  })

  it("encrypts the keys, and hides the contracts without encrypting them", async () => {
    await set()
    await lock()
    const { unit_label } = world.emulator.store.contracts[0]!
    expect(unit_label).not.toBe("")
    expect(await onDevice()).toContain(JSON.stringify(unit_label))
    expect(await onDevice()).not.toContain(world.emulator.apiKey)
    expect(await world.ask({ type: "page.search", text: "", counts: false, limit: 500 })).toBeUndefined()
  })

  it("is locked after an update, and open pages get the new script, which shows nothing until it is unlocked", async () => {
    await set()
    world.platform.kept.clear()
    world.platform.scriptsById.clear()
    world.platform.ranIn.length = 0
    await world.kill()
    await world.background().onInstalled("update")
    expect((await state()).connection).toEqual({ _tag: "Locked" })
    expect([...world.platform.scriptsById.values()].map(({ pattern }) => pattern)).toEqual([
      World.sitePattern,
    ])
    expect(world.platform.ranIn).toEqual([4])
    expect(await world.askAs(World.tab(4), { type: "listing.start" })).toBeNull()
    world.platform.sent.length = 0
    expect(await unlock()).toMatchObject({ connection: { _tag: "Ready" }, index: { contracts: 30 } })
    expect(world.platform.sent).toContainEqual([4, "listing.changed"])
  })

  it("tells nothing of index, sites, accounts and address while it is locked", async () => {
    await set()
    expect(await lock()).toEqual({
      accounts: [],
      account: "",
      lock: { isSet: true, afterMinutes: 15, waitUntil: null },
      baseUrl: null,
      keyHint: null,
      connection: { _tag: "Locked" },
      sync: { _tag: "Idle" },
      index: {
        contracts: 0,
        listings: 0,
        completedAt: null,
        isStale: false,
        rejected: 0,
        smaller: null,
        head: null,
      },
      watched: { ids: [], changed: [] },
      next: { head: null, complete: null },
      sites: [],
      settings: {
        theme: "system",
        refreshMinutes: 60,
        toolbarCount: true,
        panel: "pill",
        keyStorage: "device",
      },
      cursorParam: null,
    })
  })

  const answeredWhenLocked = new Set<PageRequest["type"]>(["page.state", "page.unlock", "page.clear"])
  it.each(
    requests
      .filter(({ type }) => !answeredWhenLocked.has(type))
      .map((request) => [request.type, request] as const),
  )("answers a page nothing to %s while it is locked", async (_type, request) => {
    await set()
    await lock()
    const asked = world.platform.asked.length
    expect(await world.ask(request)).toBeUndefined()
    expect(world.platform.asked.length).toBe(asked)
    expect((await state()).connection).toEqual({ _tag: "Locked" })
  })

  it("takes the badges away when it is locked, and gives them back when it is unlocked", async () => {
    const ask = () => world.askAs(World.tab(4), { type: "listing.lookup", references: [someSlug()] })
    await world.askAs(World.tab(4), { type: "listing.start" })
    expect(Object.keys((await ask())!)).toEqual(["known"])
    await set()
    await lock()
    expect(world.platform.sent.at(-1)).toEqual([4, "listing.changed"])
    expect(world.platform.counts.get(4)).toBe("")
    expect(await ask()).toBeNull()
    expect(await world.askAs(World.tab(4), { type: "listing.start" })).toBeNull()
    await unlock()
    expect(world.platform.sent.at(-1)).toEqual([4, "listing.changed"])
    expect(await ask()).toMatchObject({ known: { [someSlug()]: { count: expect.any(Number) } } })
  })

  it("is locked when the browser starts again, and works with the key after it was unlocked", async () => {
    await set()
    world.platform.kept.clear()
    await world.kill()
    expect((await state()).connection).toEqual({ _tag: "Locked" })
    expect(await unlock()).toMatchObject({ connection: { _tag: "Ready" }, index: { contracts: 30 } })
    world.clock.advance(1_000)
    await world.ask({ type: "page.sync" })
    await world.until(({ index }) => index.completedAt === "2026-03-01T14:00:01.000Z")
  })

  it("stays unlocked when the browser stops the background alone", async () => {
    await set()
    await world.kill()
    expect((await state()).connection).toEqual({ _tag: "Ready" })
  })

  it("keeps neither passphrase nor key anywhere, and no answer holds them", async () => {
    const said: Array<unknown> = [await set(), await lock(), await unlock("wrong passphrase")]
    expect(inSession()).not.toContain(world.emulator.apiKey)
    world.clock.advance(1_000)
    said.push(await unlock(), await state())
    const everything = (await onDevice()) + inSession() + JSON.stringify(said)
    expect(everything).not.toContain(passphrase)
    expect(everything).not.toContain("wrong passphrase")
    expect(everything).not.toContain(world.emulator.apiKey)
  })

  it("has nothing in the session's memory while it is locked that opens the key", async () => {
    await set()
    expect(world.platform.kept.has("lock")).toBe(true)
    await lock()
    expect(world.platform.kept.has("lock")).toBe(false)
  })

  it("seals a key that is kept for the session only as well", async () => {
    await world.ask({ type: "page.setSettings", settings: { keyStorage: "session" } })
    expect(inSession()).toContain(world.emulator.apiKey)
    await set()
    expect(inSession()).not.toContain(world.emulator.apiKey)
    await lock()
    expect(await unlock()).toMatchObject({ keyHint: world.emulator.apiKey.slice(-4) })
  })

  it("waits a quarter of an hour at most when the clock was ahead at a wrong passphrase", async () => {
    await set()
    await lock()
    const ahead = 400 * 24 * 60 * 60_000
    world.clock.advance(ahead)
    await unlock("wrong passphrase")
    world.clock.advance(-ahead)
    expect(await unlock()).toMatchObject({ message: "errorSoon", advice: "errorWaitAdvice 900" })
    await world.kill()
    world.clock.advance(15 * 60_000)
    expect((await state()).lock.waitUntil).toBeNull()
    expect(await unlock()).toMatchObject({ connection: { _tag: "Ready" } })
  })

  it("waits longer with each wrong passphrase, and keeps that over a stopped background", async () => {
    await set()
    await lock()
    for (const seconds of [1, 2, 4, 8]) {
      expect(await unlock("wrong passphrase")).toEqual({
        _tag: "UserError",
        message: "errorPassphrase",
        advice: `errorWaitAdvice ${seconds}`,
      })
      await world.kill()
      expect(await unlock()).toMatchObject({ _tag: "UserError", message: "errorSoon" })
      const until = new Date(world.clock.currentTimeMillisUnsafe() + seconds * 1_000).toISOString()
      expect((await state()).lock.waitUntil).toBe(until)
      world.clock.advance(seconds * 1_000)
    }
    expect(await unlock()).toMatchObject({ connection: { _tag: "Ready" }, lock: { waitUntil: null } })
    await lock()
    expect(await unlock("wrong passphrase")).toMatchObject({ advice: "errorWaitAdvice 1" })
  })

  it("locks itself after the minutes without use, at its alarm", async () => {
    await set()
    await world.ask({ type: "page.setLockAfter", minutes: 5 })
    world.clock.advance(4 * 60_000)
    await world.ask({ type: "page.search", text: "", counts: false, limit: 5 })
    expect(world.platform.alarmsByName.get("lock")).toEqual({ at: World.startMillis + 9 * 60_000 })
    world.clock.advance(2 * 60_000)
    await world.background().onAlarm("lock")
    expect((await state()).connection).toEqual({ _tag: "Ready" })
    world.clock.advance(3 * 60_000)
    await world.background().onAlarm("lock")
    expect(world.platform.sent.at(-1)).toEqual([4, "listing.changed"])
    expect(world.platform.kept.has("lock")).toBe(false)
    expect((await state()).connection).toEqual({ _tag: "Locked" })
  })

  it("is locked when the minutes are over although no alarm came, and pages of sites are no use of it", async () => {
    await set()
    await world.ask({ type: "page.setLockAfter", minutes: 5 })
    await world.askAs(World.tab(4), { type: "listing.start" })
    world.clock.advance(4 * 60_000)
    expect(
      await world.askAs(World.tab(4), { type: "listing.lookup", references: [someSlug()] }),
    ).not.toBeNull()
    await state()
    world.clock.advance(60_000)
    expect(await world.askAs(World.tab(4), { type: "listing.lookup", references: [someSlug()] })).toBeNull()
    expect((await state()).connection).toEqual({ _tag: "Locked" })
  })

  it("is not kept open by a page that asks when the minutes are over", async () => {
    await set()
    await world.ask({ type: "page.setLockAfter", minutes: 5 })
    world.clock.advance(5 * 60_000)
    expect(await world.ask({ type: "page.search", text: "", counts: false, limit: 5 })).toBeUndefined()
    expect((await state()).connection).toEqual({ _tag: "Locked" })
  })

  it("takes the badges away at its alarm also when the background was stopped meanwhile", async () => {
    await set()
    await world.kill()
    world.platform.sent.length = 0
    world.clock.advance(15 * 60_000)
    await world.background().onAlarm("lock")
    expect(world.platform.sent).toEqual([[4, "listing.changed"]])
  })

  it("never locks itself when that is chosen", async () => {
    await set()
    await world.ask({ type: "page.setLockAfter", minutes: null })
    expect(world.platform.alarmsByName.has("lock")).toBe(false)
    world.clock.advance(24 * 60 * 60_000)
    expect((await state()).connection).toEqual({ _tag: "Ready" })
  })

  it("asks the service for nothing while it is locked, and resumes its sync afterwards", async () => {
    world = World.make({ contracts: 450 })
    world.emulator.faults.set(["rate-limit:retryAfter=5,page=3,times=1"])
    await world.setUp()
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.waiting?.reason === "rate-limited")
    await set()
    await lock()
    const asked = world.platform.asked.length
    world.clock.advance(60_000)
    await world.background().onAlarm("resume")
    await world.background().onAlarm("sync")
    await World.turns(50)
    expect(world.platform.asked.length).toBe(asked)
    await unlock()
    await world.inTime(World.isSynced)
    expect((await state()).index.contracts).toBe(450)
  })

  it("takes another passphrase for the one that there was, and for no other", async () => {
    await set()
    expect(await set("another passphrase")).toMatchObject({ message: "errorLockSet" })
    expect(await set("another passphrase", "wrong passphrase")).toMatchObject({
      message: "errorPassphrase",
    })
    world.clock.advance(1_000)
    expect(await set("another passphrase", passphrase)).toMatchObject({ connection: { _tag: "Ready" } })
    await lock()
    expect(await unlock()).toMatchObject({ message: "errorPassphrase" })
    world.clock.advance(1_000)
    expect(await unlock("another passphrase")).toMatchObject({ connection: { _tag: "Ready" } })
  })

  it("is taken away by the right passphrase only, and the key is kept as before then", async () => {
    await set()
    expect(await world.ask({ type: "page.removePassphrase", current: "wrong passphrase" })).toMatchObject({
      message: "errorPassphrase",
    })
    world.clock.advance(1_000)
    expect(await world.ask({ type: "page.removePassphrase", current: passphrase })).toMatchObject({
      connection: { _tag: "Ready" },
      lock: { isSet: false },
    })
    expect(await world.database().get("keys", "apiKey")).toHaveProperty("wrapping")
    world.platform.kept.clear()
    await world.kill()
    expect((await state()).connection).toEqual({ _tag: "Ready" })
  })

  it("is gone with everything else when it is cleared while it is locked, because the passphrase is forgotten", async () => {
    await set()
    await lock()
    const cleared = await world.ask({ type: "page.clear" })
    expect(cleared).toMatchObject({ connection: { _tag: "NoAddress" }, lock: { isSet: false } })
    expect(world.platform.granted.size).toBe(0)
    for (const name of ["keys", "contracts"] as const) {
      expect(await answered((await world.database().reading(name)).objectStore(name).count())).toBe(0)
    }
    expect(world.platform.kept.size).toBe(0)
  })

  it("keeps a key that is set while it is open in its own way", async () => {
    await set()
    await world.ask({ type: "page.forgetKey" })
    await world.ask({ type: "page.setKey", key: world.emulator.apiKey })
    expect(await world.database().get("keys", "apiKey")).not.toHaveProperty("wrapping")
    await lock()
    expect(await unlock()).toMatchObject({ keyHint: world.emulator.apiKey.slice(-4) })
  })

  it("runs no connection test while it is locked", async () => {
    await set()
    await lock()
    const port = { ended: false, stages: [] as Array<unknown> }
    await new Promise<void>((resolve) =>
      world.background().onConnect({
        name: "page.connectionTest",
        sender: World.page,
        postMessage: (stage) => void port.stages.push(stage),
        disconnect: resolve,
        onDisconnect: { addListener: () => {} },
      }),
    )
    expect(port.stages).toEqual([])
  })

  it.each(
    requests
      .filter(({ type }) => Object.hasOwn(accountRequests, type))
      .map((request) => [request.type, request] as const),
  )("takes %s from the extension's own pages only", (_type, request) => {
    const { onMessage } = world.background()
    expect(onMessage(request, World.tab(4))).toBeNull()
    expect(onMessage(request, { ...World.page, id: "another-extension" })).toBeNull()
    expect(onMessage(request, { ...World.page, origin: World.site })).toBeNull()
  })
})
