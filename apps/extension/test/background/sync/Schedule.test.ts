/** What is read by itself, in each order that a service may have: as often as was chosen, and never claimed to be more than it was. */
import type { EmulatorOptions } from "@deedkit/emulator"
import * as emulation from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import * as World from "../World.ts"

type Ordering = NonNullable<NonNullable<EmulatorOptions["assumptions"]>["ordering"]>

const minute = 60_000
const firstReadAt = "2026-03-01T14:00:00.000Z"

/** A service in this order, whose clock runs with the browser's, ahead of it by `skew`. */
interface Served extends World.World {
  skew: number
}

const serve = async (ordering: Ordering, options: EmulatorOptions = {}): Promise<Served> => {
  const skewed = { skew: 0 }
  const now = (): number => made.clock.currentTimeMillisUnsafe() + skewed.skew
  const made: World.World = World.make({
    contracts: 450,
    ...options,
    assumptions: { ordering, ...options.assumptions },
    clock: { now, sleep: async () => {} },
  })
  const world = Object.assign(skewed, made)
  await world.setUp()
  await world.until(World.isSynced)
  world.platform.asked.length = 0
  return world
}

const state = (world: World.World) => world.ask({ type: "page.state" })
const known = async (world: World.World, id: number) => world.index.contract(id)
const pass = (world: World.World, minutes: number): void => world.clock.advance(minutes * minute)

/** Rings an alarm and waits for the end of what it does; gives how many requests that took. */
const ring = async (world: World.World, name: "head" | "sync"): Promise<number> => {
  const before = world.platform.asked.length
  let isOver = false
  void world
    .background()
    .onAlarm(name)
    .then(() => (isOver = true))
  await World.turns(10)
  await world.inTime(({ sync }) => isOver && sync._tag === "Idle")
  return world.platform.asked.length - before
}

/** An hour at the interval of an hour that is set from the start: the first page four times, everything once. */
const passHour = async (world: World.World): Promise<number> => {
  let requests = 0
  for (let quarter = 0; quarter < 4; quarter++) {
    pass(world, 15)
    requests += await ring(world, "head")
  }
  return requests + (await ring(world, "sync"))
}

describe("an hour", () => {
  it.each<[Ordering, string | null]>([
    ["descending", "new"],
    ["updated", "changes"],
    ["ascending", null],
    ["random", null],
  ])("of a list that is %s", async (ordering, order) => {
    const world = await serve(ordering)
    expect((await state(world)).index.head?.order ?? null).toBe(order)
    const requests = await passHour(world)
    const { index } = await state(world)
    if (order === null) {
      expect(requests).toBeGreaterThan(4)
      expect(index.completedAt).toMatch(/T15:00/)
      expect(index.head).toBeNull()
    } else {
      expect(requests).toBe(4)
      expect(world.platform.asked.every((asked) => asked === "/v1/contracts/?limit=200")).toBe(true)
      expect(index.completedAt).toBe(firstReadAt)
      expect(index.head?.readAt).toMatch(/^2026-03-01T15:00/)
    }
  })

  it("of a list of one page reads all of it each time, by as many requests", async () => {
    const world = await serve("random", { contracts: 90 })
    expect(await passHour(world)).toBe(5)
    const { index, next } = await state(world)
    expect(index.completedAt).toMatch(/T15:00/)
    expect(next.head).toBeNull()
  })

  it("reads nothing by itself where nothing is read unless asked for", async () => {
    const world = await serve("updated")
    await world.ask({ type: "page.setSettings", settings: { refreshMinutes: null } })
    expect(world.platform.alarmsByName.has("head")).toBe(false)
    expect((await state(world)).next).toEqual({ head: null, complete: null })
    pass(world, 3 * 24 * 60)
    await world.background().onStartup()
    await World.turns(20)
    expect(world.platform.asked).toEqual([])
  })
})

describe("the first page", () => {
  it("brings new contracts of a list by falling ids, and is not said to bring changes", async () => {
    const world = await serve("descending")
    pass(world, 15)
    const added = world.emulator.store.insert({ unit_label: "Fresh" })
    const [, , old] = world.emulator.store.contracts.toReversed()
    world.emulator.store.update(old!.id, { unit_label: "Renovated" })
    expect(await ring(world, "head")).toBe(1)
    expect((await known(world, added.id)) as object).toMatchObject({ row: { unitLabel: "Fresh" } })
    expect((await known(world, old!.id)) as object).not.toMatchObject({ row: { unitLabel: "Renovated" } })
    expect((await state(world)).index).toMatchObject({
      contracts: 451,
      completedAt: firstReadAt,
      head: { order: "new", readAt: expect.stringMatching(/T14:15/) },
    })
  })

  it("brings what is new and what has changed of a list by falling updates", async () => {
    const world = await serve("updated")
    pass(world, 15)
    const added = world.emulator.store.insert({ unit_label: "Fresh" })
    const old = world.emulator.store.contracts.at(-1)!
    world.emulator.store.update(old.id, { unit_label: "Renovated" })
    expect(await ring(world, "head")).toBe(1)
    expect((await known(world, added.id)) as object).toMatchObject({ row: { unitLabel: "Fresh" } })
    expect((await known(world, old.id)) as object).toMatchObject({ row: { unitLabel: "Renovated" } })
    expect((await state(world)).index.head).toEqual({
      order: "changes",
      readAt: expect.stringMatching(/T14:15/),
    })
  })

  it("removes nothing; what is gone from it is a reason to read everything at the next interval", async () => {
    const world = await serve("updated")
    const gone = world.emulator.store.contracts[3]!
    world.emulator.store.remove(gone.id)
    pass(world, 15)
    expect(await ring(world, "head")).toBe(1)
    expect(await known(world, gone.id)).not.toBeNull()
    expect((await state(world)).index).toMatchObject({ contracts: 450, head: null })
    expect(await ring(world, "head")).toBe(0)
    pass(world, 45)
    expect(await ring(world, "sync")).toBeGreaterThan(4)
    expect(await known(world, gone.id)).toBeNull()
    expect((await state(world)).index.head?.order).toBe("changes")
  })

  it("writes nothing where nothing has changed", async () => {
    const world = await serve("updated")
    const before = world.disk.writesLeft
    world.disk.writesLeft = 2
    pass(world, 15)
    await ring(world, "head")
    // What it has seen, and that nothing failed.
    expect((await state(world)).index.head?.readAt).toMatch(/T14:15/)
    world.disk.writesLeft = before
  })

  it.each<[Ordering, Ordering]>([
    ["updated", "ascending"],
    ["updated", "random"],
    ["descending", "random"],
    ["descending", "ascending"],
    ["updated", "descending"],
  ])("is not believed any more when a list that is %s is %s at the next read", async (before, after) => {
    const world = await serve(before)
    const now = () => world.clock.currentTimeMillisUnsafe()
    const other = emulation.make({
      contracts: 450,
      assumptions: { ordering: after },
      clock: { now, sleep: async () => {} },
    })
    world.platform.reaches = (request) => other.fetch(request)
    pass(world, 15)
    expect(await ring(world, "head")).toBe(1)
    expect((await state(world)).index).toMatchObject({ head: null, completedAt: firstReadAt, contracts: 450 })
    pass(world, 45)
    expect(await ring(world, "sync")).toBeGreaterThan(4)
  })

  it("is not believed when more has happened than it has room for", async () => {
    const world = await serve("updated")
    pass(world, 15)
    for (let made = 0; made < 120; made++) world.emulator.store.insert()
    expect(await ring(world, "head")).toBe(1)
    const { index } = await state(world)
    expect(index.head).toBeNull()
    // What it showed is kept all the same.
    expect(index.contracts).toBe(550)
  })

  it.each([0, 3 * 24 * 60, -3 * 24 * 60])(
    "does not mind a browser whose clock is wrong: the service's is %d minutes ahead",
    async (minutes) => {
      const world = await serve("updated")
      world.skew = minutes * minute
      await world.ask({ type: "page.sync" })
      await World.turns(10)
      await world.inTime(({ sync }) => sync._tag === "Idle")
      pass(world, 15)
      await ring(world, "head")
      expect((await state(world)).index.head?.readAt).not.toBeNull()
    },
  )

  it("is not believed when the service's clock was set between two reads", async () => {
    const world = await serve("updated")
    pass(world, 15)
    world.skew = 20 * minute
    expect(await ring(world, "head")).toBe(1)
    expect((await state(world)).index.head).toBeNull()
  })

  it("is not believed when a contract was updated ahead of the service's clock", async () => {
    const world = await serve("updated")
    pass(world, 15)
    const { id } = world.emulator.store.contracts.at(-1)!
    world.emulator.store.update(id, { updated_at: "2027-01-01T00:00:00Z" })
    expect(await ring(world, "head")).toBe(1)
    expect((await state(world)).index.head).toBeNull()
  })
})

describe("everything", () => {
  it("is read once a day where the first page is enough", async () => {
    const world = await serve("updated")
    const before = await state(world)
    expect(before.next).toEqual({ head: "2026-03-01T14:15:00.000Z", complete: "2026-03-02T14:00:00.000Z" })
    pass(world, 23 * 60)
    expect(await ring(world, "sync")).toBe(0)
    pass(world, 60)
    expect(await ring(world, "sync")).toBeGreaterThan(4)
    expect((await state(world)).index.completedAt).toMatch(/^2026-03-02T14/)
  })

  it("is read at the interval where it is not enough, as the next read says", async () => {
    const world = await serve("ascending")
    expect((await state(world)).next).toEqual({ head: null, complete: "2026-03-01T15:00:00.000Z" })
  })

  it("is read after a browser was closed for more than a day, and the first page after a shorter time", async () => {
    const world = await serve("updated")
    pass(world, 10)
    await world.background().onStartup()
    await World.turns(20)
    expect(world.platform.asked).toEqual([])
    pass(world, 120)
    await world.background().onStartup()
    await world.until(({ index }) => index.head?.readAt !== null)
    expect(world.platform.asked).toHaveLength(1)
    pass(world, 25 * 60)
    await world.background().onStartup()
    await world.inTime(({ index }) => index.completedAt !== firstReadAt)
  })

  it("is stale after two days and not after two intervals, where the first page is enough", async () => {
    const world = await serve("updated")
    pass(world, 47 * 60)
    expect((await state(world)).index.isStale).toBe(false)
    pass(world, 2 * 60)
    expect((await state(world)).index.isStale).toBe(true)
  })

  it("is not disturbed by a read of the first page while it is under way", async () => {
    const world = await serve("updated")
    const held = Promise.withResolvers<void>()
    const { reaches } = world.platform
    world.platform.reaches = async (request) => {
      if (request.url.includes("before_id")) await held.promise
      return reaches(request)
    }
    await world.ask({ type: "page.sync" })
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages > 0)
    await world.background().onAlarm("head")
    await world.ask({ type: "page.readHead" })
    expect(world.platform.asked.filter((asked) => asked === "/v1/contracts/?limit=200")).toHaveLength(1)
    held.resolve()
    await world.inTime(({ sync }) => sync._tag === "Idle")
  })
})

describe("a button", () => {
  it("reads the first page at once where that is enough, everything where it is not", async () => {
    const world = await serve("updated")
    await world.ask({ type: "page.readHead" })
    expect(world.platform.asked).toHaveLength(1)
    const other = await serve("ascending")
    await other.ask({ type: "page.readHead" })
    await World.turns(10)
    await other.inTime(({ sync }) => sync._tag === "Idle")
    expect(other.platform.asked.length).toBeGreaterThan(4)
  })
})

describe("what stands in the way", () => {
  it("is waited for: a rate limit is kept until its time, and no first page is read before", async () => {
    const world = await serve("updated")
    world.emulator.faults.set(["rate-limit:retryAfter=1800,times=1"])
    pass(world, 15)
    expect(await ring(world, "head")).toBe(1)
    expect((await state(world)).connection._tag).toBe("RateLimited")
    pass(world, 15)
    expect(await ring(world, "head")).toBe(0)
    pass(world, 20)
    expect(await ring(world, "head")).toBe(1)
    expect(await state(world)).toMatchObject({
      connection: { _tag: "Ready" },
      index: { head: { readAt: expect.stringMatching(/T14:50/) } },
    })
  })

  it.each(["offline", "a wrong key"])("is no reason to ask again and again: %s", async (what) => {
    const world = await serve("updated")
    if (what === "offline") world.platform.isConnected = false
    else world.emulator.faults.set(["key-revoked"])
    pass(world, 15)
    await ring(world, "head")
    expect((await state(world)).connection._tag).not.toBe("Ready")
    const asked = world.platform.asked.length
    pass(world, 15)
    expect(await ring(world, "head")).toBe(0)
    expect(world.platform.asked).toHaveLength(asked)
    expect((await state(world)).index).toMatchObject({ completedAt: firstReadAt, head: { readAt: null } })
  })

  it("is waited for by the read of everything too, after the background was stopped", async () => {
    const world = await serve("random")
    world.emulator.faults.set(["rate-limit:retryAfter=7200,times=1"])
    pass(world, 60)
    await world.background().onAlarm("sync")
    const { sync } = await world.until(({ sync }) => sync._tag === "Syncing" && sync.waiting !== null)
    expect(sync).toMatchObject({
      waiting: { reason: "rate-limited", until: expect.stringMatching(/^2026-03-01T17:00:00/) },
    })
    world.platform.asked.length = 0
    await world.kill()
    for (const minutes of [60, 30]) {
      pass(world, minutes)
      await world.background().onAlarm("sync")
      await World.turns(300)
    }
    expect(world.platform.asked).toEqual([])
    pass(world, 31)
    await world.background().onAlarm("sync")
    await world.inTime((known) => World.isSynced(known) && known.index.completedAt !== firstReadAt)
  })

  it.each([
    ["a wrong key", "key-revoked", "WrongKey"],
    ["a key that may not read contracts", "scope-missing", "MissingScope"],
  ])("is not asked again by the read of everything: %s", async (_, fault, state) => {
    const world = await serve("random")
    world.emulator.faults.set([fault])
    pass(world, 60)
    await world.background().onAlarm("sync")
    await world.until(({ connection, sync }) => connection._tag === state && sync._tag === "Idle")
    world.platform.asked.length = 0
    await world.kill()
    pass(world, 60)
    await world.background().onAlarm("sync")
    await World.turns(300)
    expect(world.platform.asked).toEqual([])
  })

  it.each([
    ["a wrong key", "key-revoked", "WrongKey"],
    ["a key that may not read contracts", "scope-missing", "MissingScope"],
  ])("is no reason to read nothing any more where one contract was refused: %s", async (_, fault, state) => {
    const world = await serve("random")
    world.emulator.faults.set([fault])
    const { id } = world.emulator.store.contracts[0]!
    expect(await world.ask({ type: "page.refresh", id })).toMatchObject({ _tag: "UserError" })
    expect(await world.ask({ type: "page.state" })).toMatchObject({
      connection: { _tag: state },
      sync: { _tag: "Idle" },
    })
    world.emulator.faults.set([])
    await world.kill()
    pass(world, 60)
    await world.background().onAlarm("sync")
    await world.until(
      ({ connection, index }) => connection._tag === "Ready" && /T15:00/.test(index.completedAt ?? ""),
    )
  })

  it("is no reason to read nothing any more where the first page was refused once", async () => {
    const world = await serve("updated")
    world.emulator.faults.set(["key-revoked"])
    pass(world, 15)
    expect(await ring(world, "head")).toBe(1)
    expect((await state(world)).connection._tag).toBe("WrongKey")
    world.emulator.faults.set([])
    pass(world, 24 * 60)
    expect(await ring(world, "sync")).toBeGreaterThan(4)
    pass(world, 15)
    expect(await ring(world, "head")).toBe(1)
  })

  it("is another account: what comes for the one before is not written to it", async () => {
    const world = await serve("updated")
    const held = Promise.withResolvers<void>()
    const { reaches } = world.platform
    world.platform.reaches = async (request) => {
      const answer = await reaches(request)
      await held.promise
      return answer
    }
    pass(world, 15)
    const ringing = world.background().onAlarm("head")
    await World.turns(20)
    await world.addAccount("Other")
    held.resolve()
    await ringing
    await World.turns(20)
    expect((await state(world)).index).toMatchObject({ contracts: 0, head: null })
  })
})
