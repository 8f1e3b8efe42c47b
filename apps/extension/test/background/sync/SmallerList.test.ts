/** A complete read that lists far fewer contracts than are saved removes nothing until the user has decided, whatever happens meanwhile. */
import * as emulation from "@deedkit/emulator"
import type { Emulator } from "@deedkit/emulator"
import { beforeEach, describe, expect, it } from "vitest"
import { answered } from "../../../src/index/Database.ts"
import type { AppState } from "../../../src/messages/AppState.ts"
import * as World from "../World.ts"

const firstReadAt = "2026-03-01T14:00:00.000Z"
let world: World.World

/** From now on another service answers: the same contracts but for those that it lacks. */
const serve = (emulator: Emulator): void => {
  world.platform.reaches = (request) => emulator.fetch(request)
}
const serveFew = (contracts: number): void => serve(emulation.make({ contracts }))
const serveAll = (): void => serve(world.emulator)

const state = () => world.ask({ type: "page.state" })
const rowsKept = async (): Promise<number> =>
  answered((await world.database().reading("contracts")).objectStore("contracts").count())

/** Reads everything again, one hour later, and waits for the end. */
const readAgain = async (): Promise<AppState> => {
  world.clock.advance(3_600_000)
  await world.ask({ type: "page.sync" })
  await World.turns(5)
  return world.inTime(({ sync }) => sync._tag === "Idle")
}
/** A list of so many contracts waits for a decision. Gives its id. */
const offered = async (contracts: number): Promise<string> => {
  serveFew(contracts)
  const { index } = await readAgain()
  expect(index.smaller?.contracts).toBe(contracts)
  return index.smaller!.id
}
const decide = (id: string, isUsed: boolean) => world.ask({ type: "page.decideList", id, isUsed })

beforeEach(async () => {
  world = World.make({ contracts: 412 })
  await world.setUp()
  await world.until(World.isSynced)
})

describe("a complete read that lists far fewer contracts", () => {
  it.each([0, 3])("removes nothing: %d of 412", async (contracts) => {
    await offered(contracts)
    expect(await state()).toMatchObject({
      connection: { _tag: "Ready" },
      sync: { _tag: "Idle" },
      index: { contracts: 412, completedAt: firstReadAt },
    })
    expect(await rowsKept()).toBe(412)
    expect(await world.index.search({ text: "", counts: false, limit: 1 })).toMatchObject({
      total: 412,
    })
  })

  it("leaves badges as they are", async () => {
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    const slugs = world.emulator.store.contracts.flatMap(({ listing }) => listing?.slug ?? [])
    const badges = () =>
      world.askAs(World.tab(4), { type: "listing.lookup", references: [...new Set(slugs)].slice(0, 200) })
    const before = await badges()
    expect(Object.keys((before as { known: object }).known).length).toBeGreaterThan(50)
    await offered(0)
    expect(await badges()).toEqual(before)
  })

  it("removes contracts as ever where fewer than half of them go", async () => {
    serveFew(300)
    const { index } = await readAgain()
    expect(index).toMatchObject({ contracts: 300, smaller: null, completedAt: "2026-03-01T15:00:00.000Z" })
  })

  it("counts contracts as listed that came otherwise than specified", async () => {
    world.platform.reaches = async (request) => {
      const { items, ...rest } = await (await world.emulator.fetch(request)).json()
      const broken = items.map(({ id }: { readonly id: number }) => ({ id }))
      return Response.json({ ...rest, items: broken })
    }
    const { index } = await readAgain()
    expect(index).toMatchObject({ contracts: 412, smaller: null, rejected: 412 })
  })

  it("is asked about again by every such read, however often and however equal", async () => {
    const ids = new Set<string>()
    for (let read = 0; read < 4; read++) ids.add(await offered(3))
    expect(ids.size).toBe(4)
    expect(await rowsKept()).toBe(412)
    expect((await state()).index.completedAt).toBe(firstReadAt)
  })

  it("also asks where the first read was never complete", async () => {
    world = World.make({ contracts: 450 })
    await world.setUp()
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages >= 1)
    await world.ask({ type: "page.stopSync" })
    const saved = await rowsKept()
    await offered(0)
    expect((await state()).index).toMatchObject({ contracts: saved, completedAt: null })
  })

  it("is no reason to ask the service before the next interval", async () => {
    const id = await offered(3)
    world.clock.advance(600_000)
    world.platform.asked.length = 0
    await world.background().onStartup()
    await world.background().onOnline()
    await World.turns(50)
    expect(world.platform.asked).toEqual([])
    expect((await decide(id, true)).index.smaller).toBeNull()
  })
})

describe("the decision", () => {
  it("to use the new list removes what it does not have, at the time of that read", async () => {
    const id = await offered(3)
    world.clock.advance(600_000)
    const after = await decide(id, true)
    expect(after.index).toMatchObject({
      contracts: 3,
      smaller: null,
      completedAt: "2026-03-01T15:00:00.000Z",
    })
    expect(await rowsKept()).toBe(3)
    await world.kill()
    expect((await state()).index).toEqual(after.index)
  })

  it("to use an empty list leaves none", async () => {
    const after = await decide(await offered(0), true)
    expect(after.index).toMatchObject({ contracts: 0, listings: 0, smaller: null })
    expect(await rowsKept()).toBe(0)
  })

  it("to keep what is saved reads again, and takes what came back", async () => {
    const id = await offered(0)
    serveAll()
    world.platform.asked.length = 0
    await decide(id, false)
    const { index } = await world.inTime(({ sync }) => sync._tag === "Idle")
    expect(world.platform.asked.length).toBeGreaterThan(1)
    expect(index).toMatchObject({ contracts: 412, smaller: null, completedAt: "2026-03-01T15:00:00.000Z" })
  })

  it("to keep what is saved is asked for again when the list is still short", async () => {
    const first = await offered(3)
    await decide(first, false)
    const { index } = await world.inTime(
      ({ index, sync }) => sync._tag === "Idle" && index.smaller !== null && index.smaller.id !== first,
    )
    expect(index).toMatchObject({ contracts: 412, completedAt: firstReadAt })
  })

  it.each([true, false])(
    "is the first one where two windows decide at once: use the list %s",
    async (isUsed) => {
      const id = await offered(3)
      await Promise.all([decide(id, isUsed), decide(id, !isUsed)])
      await world.inTime(({ sync }) => sync._tag === "Idle")
      expect(await rowsKept()).toBe(isUsed ? 3 : 412)
    },
  )

  it("about a list that another read has replaced changes nothing", async () => {
    const old = await offered(3)
    const newer = await offered(5)
    expect((await decide(old, true)).index).toMatchObject({ contracts: 412, smaller: { id: newer } })
    expect((await decide(old, false)).index.smaller).toMatchObject({ id: newer, contracts: 5 })
    expect(await rowsKept()).toBe(412)
  })

  it("keeps a contract that the service confirmed since", async () => {
    const id = await offered(3)
    const [missing] = world.emulator.store.contracts.toSorted((one, other) => one.id - other.id).slice(-1)
    serveAll()
    await world.ask({ type: "page.refresh", id: missing!.id })
    await decide(id, true)
    expect(await world.index.contract(missing!.id)).not.toBeNull()
  })

  it("is made while a read is under way, which continues", async () => {
    const id = await offered(3)
    serveAll()
    // Else it might end between two looks.
    world.emulator.faults.set(["rate-limit:retryAfter=5,page=2,times=1"])
    await world.background().onAlarm("sync")
    await world.until(({ sync }) => sync._tag === "Syncing" && sync.pages >= 1)
    await decide(id, true)
    const { index } = await world.inTime(({ sync }) => sync._tag === "Idle")
    expect(index).toMatchObject({ contracts: 412, smaller: null })
    expect(await rowsKept()).toBe(412)
  })

  it("leaves a read that waits where it is, also when the background is stopped then", async () => {
    const id = await offered(3)
    serveAll()
    world.emulator.faults.set(["rate-limit:retryAfter=300,page=2,times=1"])
    await world.background().onAlarm("sync")
    const waits = ({ sync }: AppState) => sync._tag === "Syncing" && sync.waiting?.reason === "rate-limited"
    await world.until((now) => waits(now) && now.connection._tag === "RateLimited")
    expect(await decide(id, true)).toSatisfy(waits)
    await world.kill()
    expect(await state()).toSatisfy(waits)
    world.clock.advance(302_000)
    await world.background().onAlarm("resume")
    const { index } = await world.inTime(({ sync }) => sync._tag === "Idle")
    expect(index).toMatchObject({ contracts: 412, smaller: null })
  })
})

describe("a list that waits for a decision", () => {
  it.each([
    ["the background is stopped", () => world.kill()],
    [
      "another account is used and this one again",
      async () => {
        const other = await world.addAccount("Second")
        expect(other).toMatchObject({ index: { smaller: null } })
        await world.ask({ type: "page.switchAccount", id: "first" })
      },
    ],
    ["the key is forgotten", () => world.ask({ type: "page.forgetKey" })],
    ["the clock jumps a year ahead", async () => world.clock.advance(365 * 86_400_000)],
    ["the clock jumps a year back", async () => world.clock.advance(-365 * 86_400_000)],
    [
      "a read is stopped",
      async () => {
        await world.background().onAlarm("sync")
        await world.ask({ type: "page.stopSync" })
      },
    ],
    [
      "a read fails",
      async () => {
        world.platform.reaches = async () => new Response("down", { status: 401 })
        await world.background().onAlarm("sync")
        await world.until(({ connection }) => connection._tag === "WrongKey")
        expect((await state()).index.smaller).not.toBeNull()
      },
    ],
  ])("is still there, and can be decided about, when %s", async (_what, happen) => {
    const id = await offered(3)
    await happen()
    expect((await state()).index).toMatchObject({ contracts: 412, smaller: { id, contracts: 3 } })
    await decide(id, true)
    expect(await rowsKept()).toBe(3)
  })

  it("goes when a complete read lists the contracts again", async () => {
    const id = await offered(3)
    serveAll()
    const { index } = await readAgain()
    expect(index).toMatchObject({ contracts: 412, smaller: null, completedAt: "2026-03-01T16:00:00.000Z" })
    await decide(id, true)
    expect(await rowsKept()).toBe(412)
  })

  it("goes with its account, and is no decision about another one", async () => {
    const id = await offered(3)
    await world.addAccount("Second")
    await world.ask({ type: "page.removeAccount", id: "first" })
    await decide(id, true)
    expect((await state()).index).toMatchObject({ contracts: 0, smaller: null })
    expect(await rowsKept()).toBe(0)
    await world.kill()
    expect((await state()).index.smaller).toBeNull()
  })

  it("goes when everything is cleared, and with another address", async () => {
    await offered(3)
    await world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" })
    expect((await state()).index).toMatchObject({ contracts: 0, smaller: null })
  })
})

describe("a full disk", () => {
  it.each([0, 1, 2, 3])(
    "in the middle of a removal that was decided, after %d writes, loses neither the decision nor what is saved",
    async (writes) => {
      const id = await offered(3)
      world.disk.writesLeft = writes
      const during = await decide(id, true)
      expect(during.connection).toEqual({ _tag: "StorageFailed" })
      await world.kill()
      const listed = await world.index.search({ text: "", counts: false, limit: 500 })
      expect(listed.rows.length).toBe(await rowsKept())
      world.disk.writesLeft = Infinity
      if (writes === 0) {
        expect((await state()).index).toMatchObject({ contracts: 412, smaller: { id } })
        await decide(id, true)
      } else {
        expect((await state()).index.smaller).toBeNull()
        await world.kill()
      }
      expect((await state()).index).toMatchObject({ contracts: 3, smaller: null })
      expect(await rowsKept()).toBe(3)
    },
  )

  it("leaves no room for a second decision while the first one is carried out", async () => {
    const id = await offered(3)
    world.disk.writesLeft = 2
    await decide(id, true)
    world.disk.writesLeft = Infinity
    await decide(id, false)
    await world.kill()
    expect((await state()).index).toMatchObject({ contracts: 3, smaller: null })
    expect(await rowsKept()).toBe(3)
  })

  it.each([0, 1, 2])(
    "in the middle of a short read, after %d writes, keeps what is saved, and asks once there is room",
    async (writes) => {
      serveFew(3)
      world.clock.advance(3_600_000)
      world.disk.writesLeft = writes
      await world.ask({ type: "page.sync" })
      const full = await world.until(
        ({ connection, sync }) =>
          connection._tag === "StorageFailed" && sync._tag === "Syncing" && sync.waiting !== null,
      )
      expect(full.index).toMatchObject({ contracts: 412, smaller: null })
      await world.kill()
      world.disk.writesLeft = Infinity
      world.clock.advance(31_000)
      await world.background().onAlarm("resume")
      const { index } = await world.inTime((state) => state.index.smaller !== null)
      expect(index).toMatchObject({ contracts: 412, completedAt: firstReadAt, smaller: { contracts: 3 } })
      expect(await rowsKept()).toBe(412)
    },
  )

  it("shows contracts in badges that it did not let go", async () => {
    const id = await offered(0)
    const slug = world.emulator.store.contracts.find(({ listing }) => listing != null)!.listing!.slug
    const here = () => world.index.listingAt(`${World.site}/homes/${slug}`)
    const before = await here()
    // The decision is written, and then nothing more.
    world.disk.writesLeft = 1
    await decide(id, true)
    expect(await rowsKept()).toBe(412)
    expect(await here()).toEqual(before)
  })
})
