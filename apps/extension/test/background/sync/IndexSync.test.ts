import { describe, expect, it } from "vitest"
import { answered } from "../../../src/index/Database.ts"
import type { Row } from "../../../src/index/Row.ts"
import type { AppState } from "../../../src/messages/AppState.ts"
import * as World from "../World.ts"

const rowsOf = async (world: World.World): Promise<ReadonlyArray<Row>> =>
  answered((await world.database().reading("contracts")).objectStore("contracts").getAll())

const byId = (one: { readonly id: number }, other: { readonly id: number }) => one.id - other.id

const expectEqualToStore = async (world: World.World): Promise<void> => {
  const rows = await rowsOf(world)
  expect(rows.map(({ contract }) => contract)).toEqual(world.emulator.store.contracts.toSorted(byId))
}

const pagesAsked = (world: World.World): number =>
  world.platform.asked.filter((target) => !target.includes("id=") || target.includes("before_id=")).length

describe("IndexSync", () => {
  it("fills the index with every contract, once address and key are set", async () => {
    const world = World.make({ contracts: 450 })
    await world.setUp()
    const state = await world.until(World.isSynced)
    await expectEqualToStore(world)
    expect(state.index).toMatchObject({ contracts: 450, isStale: false, rejected: 0, smaller: null })
    expect(state.cursorParam).toBe(world.emulator.assumptions.cursorParameter)
    expect(state.connection).toEqual({ _tag: "Ready" })
    expect(world.platform.alarmsByName.has("resume")).toBe(false)
  })

  it("resumes from its checkpoint when the browser stops the background in the middle", async () => {
    const world = World.make({ contracts: 1_450 })
    await world.setUp()
    // The third page is the second one again, from where it overlaps the first.
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages >= 4)
    await world.kill()
    const before = pagesAsked(world)
    expect(before).toBeLessThan(15)
    await world.inTime(World.isSynced)
    await expectEqualToStore(world)
    // Each page but the first two brings 95 new records and 5 that link it with the one before; one is asked for twice to link it.
    expect(pagesAsked(world) - before).toBeLessThanOrEqual(Math.ceil((1_450 - 295) / 95) + 1)
  })

  it("is found by the alarm when nothing else wakes the background", async () => {
    const world = World.make({ contracts: 450 })
    await world.setUp()
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages >= 1)
    expect(world.platform.alarmsByName.get("resume")).toMatchObject({ everyMinutes: 1 })
    await world.kill()
    await world.background().onAlarm("resume")
    await world.until(World.isSynced)
    await expectEqualToStore(world)
  })

  it("lets go of contracts that are gone, after a second complete sync", async () => {
    const world = World.make({ contracts: 230 })
    await world.setUp()
    await world.until(World.isSynced)
    const [first] = world.emulator.store.contracts
    world.emulator.store.remove(first!.id)
    const added = world.emulator.store.insert()
    world.clock.advance(60_000)
    await world.ask({ type: "page.sync" })
    await world.until(({ index }) => index.completedAt === "2026-03-01T14:01:00.000Z")
    await expectEqualToStore(world)
    expect(await world.index.contract(first!.id)).toBeNull()
    expect(await world.index.contract(added.id)).not.toBeNull()
  })

  it("keeps the newer copy of a contract that changes and comes again while the list is read", async () => {
    const held = Promise.withResolvers<void>()
    const clock = { now: () => World.startMillis, sleep: () => held.promise }
    const world = World.make({ contracts: 450, assumptions: { ordering: "updated" }, clock })
    world.emulator.faults.set([{ name: "latency", ms: 1, when: { path: "/contracts", page: 2 } }])
    await world.setUp()
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages === 1)
    const [first] = world.emulator.store.contracts
    const { id } = world.emulator.store.update(first!.id, { unit_label: "Renovated" })
    held.resolve()
    await world.until(World.isSynced)
    await expectEqualToStore(world)
    const rows = await rowsOf(world)
    expect(rows.find(({ contract }) => contract.id === id)?.contract.unit_label).toBe("Renovated")
  })

  it("waits out a rate limit, shows until when, and loses nothing", async () => {
    const world = World.make({ contracts: 450 })
    world.emulator.faults.set(["rate-limit:retryAfter=5,page=3,times=1"])
    await world.setUp()
    const waiting = await world.until(
      ({ sync }) => sync._tag === "Syncing" && sync.pages > 1 && sync.waiting?.reason === "rate-limited",
    )
    expect(waiting.sync).toMatchObject({ pages: 2 })
    const until = waiting.sync._tag === "Syncing" ? Date.parse(waiting.sync.waiting?.until ?? "") : Number.NaN
    expect(until).toBeGreaterThanOrEqual(World.startMillis + 5_000)
    await world.inTime(World.isSynced)
    await expectEqualToStore(world)
  })

  it("shows its wait also after another request, sent before, is answered", async () => {
    const [page, one] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const clock = {
      now: () => World.startMillis,
      sleep: (ms: number) => (ms === 1 ? page.promise : one.promise),
    }
    const world = World.make({ contracts: 450, clock })
    world.emulator.faults.set([
      { name: "latency", ms: 1, when: { path: "/contracts", page: 2 } },
      { name: "rate-limit", retryAfter: 30, when: { path: "/contracts", page: 2, times: 1 } },
      { name: "latency", ms: 2, when: { form: "retrieve" } },
    ])
    await world.setUp()
    const { id } = world.emulator.store.contracts[0]!
    const answer = world.ask({ type: "page.refresh", id })
    await world.until(() => world.platform.asked.some((target) => target.includes("id=")))
    page.resolve()
    const waits = ({ sync }: AppState) => sync._tag === "Syncing" && sync.waiting?.reason === "rate-limited"
    await world.until(waits)
    one.resolve()
    expect(await answer).toMatchObject({ row: { id } })
    expect(await world.ask({ type: "page.state" })).toSatisfy(waits)
  })

  it("stops for a long rate limit, and resumes at the alarm that it sets for its end", async () => {
    const world = World.make({ contracts: 450 })
    world.emulator.faults.set(["rate-limit:retryAfter=300,page=2,times=1"])
    await world.setUp()
    const limited = await world.until(({ connection }) => connection._tag === "RateLimited")
    const until = limited.connection._tag === "RateLimited" ? limited.connection.until : null
    expect(until).toMatch(/^2026-03-01T14:05:00/)
    const state = await world.until(({ sync }) => sync._tag === "Syncing" && sync.waiting !== null)
    expect(state.sync).toMatchObject({ pages: 1, waiting: { reason: "rate-limited" } })
    const alarm = world.platform.alarmsByName.get("resume")
    expect(alarm).toEqual({ at: Date.parse(until!) })
    world.clock.advance(302_000)
    expect((await world.ask({ type: "page.state" })).connection).toEqual({ _tag: "Ready" })
    await world.background().onAlarm("resume")
    await world.inTime(World.isSynced)
    await expectEqualToStore(world)
  })

  it.each([
    ["key-revoked", { _tag: "WrongKey" }],
    ["scope-missing:scope=read:contracts", { _tag: "MissingScope", scope: "read:contracts" }],
  ])(
    "shows what only the user can fix, and does not try it again by itself: %s",
    async (fault, connection) => {
      const world = World.make()
      world.emulator.faults.set([fault])
      await world.setUp()
      const state = await world.until((now) => now.connection._tag === connection._tag)
      expect(state.connection).toEqual(connection)
      await world.until(({ sync }) => sync._tag === "Idle")
      expect(world.platform.alarmsByName.has("resume")).toBe(false)
      const asked = world.platform.asked.length
      await world.kill()
      expect((await world.ask({ type: "page.state" })).connection).toEqual(connection)
      expect(world.platform.asked).toHaveLength(asked)
      world.emulator.faults.clear()
      await world.ask({ type: "page.setKey", key: world.emulator.apiKey })
      expect((await world.until(World.isSynced)).connection).toEqual({ _tag: "Ready" })
    },
  )

  it.each([
    ["not-json", "UnreadableData"],
    ["status:code=418", "UnreadableData"],
  ])("shows an unreadable service, and tries again after a pause: %s", async (fault, tag) => {
    const world = World.make()
    world.emulator.faults.set([fault])
    await world.setUp()
    await world.until(({ connection }) => connection._tag === tag)
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.waiting?.reason === "retry")
    world.emulator.faults.clear()
    world.clock.advance(31_000)
    await world.background().onAlarm("resume")
    expect((await world.until(World.isSynced)).connection).toEqual({ _tag: "Ready" })
  })

  it("shows that the computer is offline, and resumes when it is back", async () => {
    const world = World.make()
    const { reaches } = world.platform
    world.platform.reaches = async (request) => {
      world.platform.isConnected = World.isTrial(request)
      if (!world.platform.isConnected) throw new TypeError("Failed to fetch")
      return reaches(request)
    }
    await world.setUp()
    for (let attempt = 0; attempt < 4; attempt++) {
      await World.turns(200)
      world.clock.advance(10_000)
    }
    await world.until(({ connection }) => connection._tag === "Offline")
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.waiting?.reason === "retry")
    Object.assign(world.platform, { reaches, isConnected: true })
    expect((await world.ask({ type: "page.state" })).connection).toEqual({ _tag: "Ready" })
    await world.background().onOnline()
    await world.until(World.isSynced)
    await expectEqualToStore(world)
  })

  it("does not believe a cursor that has no effect, and begins anew once it has", async () => {
    const world = World.make()
    world.emulator.faults.set(["cursor-ignored"])
    await world.setUp()
    const state = await world.until(({ connection }) => connection._tag === "CursorUntrusted")
    expect(state.index.completedAt).toBeNull()
    await world.until(({ sync }) => sync._tag === "Idle")
    world.emulator.faults.set(["cursor-renamed:parameter=after"])
    world.clock.advance(60_000)
    await world.ask({ type: "page.sync" })
    await world.inTime(World.isSynced)
    expect((await world.ask({ type: "page.state" })).cursorParam).toBe("after")
    await expectEqualToStore(world)
  })

  it("sets records aside that are not as specified, and keeps what was known of them", async () => {
    const world = World.make({ contracts: 30 })
    await world.setUp()
    await world.until(World.isSynced)
    world.emulator.faults.set(["missing-field:requests=1"])
    world.clock.advance(1_000)
    await world.ask({ type: "page.sync" })
    const state = await world.until(({ index }) => index.rejected > 0)
    expect(state.index).toMatchObject({ contracts: 30, completedAt: "2026-03-01T14:00:01.000Z" })
  })

  it("ends when the user ends it, and begins at the first page when the user begins it", async () => {
    const world = World.make({ contracts: 1_450 })
    await world.setUp()
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages >= 1)
    const stopped = await world.ask({ type: "page.stopSync" })
    expect(stopped.sync).toEqual({ _tag: "Idle" })
    expect(stopped.index.completedAt).toBeNull()
    world.platform.asked.length = 0
    await world.ask({ type: "page.sync" })
    await world.inTime(World.isSynced)
    expect(world.platform.asked[0]).not.toContain("before_id")
    await expectEqualToStore(world)
  })

  it("begins anew with another key of the same address", async () => {
    const world = World.make({ contracts: 1_450 })
    await world.setUp()
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages >= 2)
    await world.ask({ type: "page.setKey", key: world.emulator.secrets.contractsOnly })
    const { index } = await world.inTime(World.isSynced)
    expect(index.contracts).toBe(1_450)
    await expectEqualToStore(world)
  })

  it.each([0, 2])("waits for room when nothing can be stored, and says so: after %d pages", async (pages) => {
    const world = World.make({ contracts: 1_450 })
    if (pages === 0) {
      world.emulator.faults.set(["not-json"])
      await world.setUp()
      await world.until(({ sync }) => sync._tag === "Syncing" && sync.waiting?.reason === "retry")
      await world.ask({ type: "page.stopSync" })
      world.emulator.faults.clear()
      world.disk.isFull = true
      await world.ask({ type: "page.sync" })
    } else {
      await world.setUp()
      await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages >= pages)
      world.disk.isFull = true
    }
    const isPaused = ({ connection, sync }: AppState) =>
      connection._tag === "StorageFailed" && sync._tag === "Syncing" && sync.waiting?.reason === "retry"
    await world.until(isPaused)
    expect(world.platform.alarmsByName.get("resume")).toEqual({ at: World.startMillis + 30_000 })
    const asked = world.platform.asked.length
    await world.kill()
    expect(await world.ask({ type: "page.state" })).toSatisfy(isPaused)
    expect(world.platform.asked).toHaveLength(asked)
    world.clock.advance(31_000)
    await world.background().onAlarm("resume")
    await world.until(
      (state) =>
        isPaused(state) && world.platform.alarmsByName.get("resume")!.at > World.startMillis + 60_000,
    )
    world.disk.isFull = false
    world.clock.advance(61_000)
    await world.background().onAlarm("resume")
    expect(await world.inTime(World.isSynced)).toMatchObject({ connection: { _tag: "Ready" } })
    await expectEqualToStore(world)
  })

  it("tells open pages of shown sites that there are new badges", async () => {
    const world = World.make({ contracts: 30 })
    world.platform.granted.add(World.sitePattern)
    world.platform.open.set(7, World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    await world.setUp()
    await world.until(World.isSynced)
    await World.turns(20)
    expect(world.platform.sent).toContainEqual([7, "listing.changed"])
  })
})
