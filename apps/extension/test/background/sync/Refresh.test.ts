import { beforeEach, describe, expect, it } from "vitest"
import { answered } from "../../../src/index/Database.ts"
import * as World from "../World.ts"

let world: World.World
let id: number

const refresh = () => world.ask({ type: "page.refresh", id })
const connection = async () => (await world.ask({ type: "page.state" })).connection
const contractsKept = async () =>
  answered((await world.database().reading("contracts")).objectStore("contracts").count())

/** Holds the next answer of the service back until it is let go. */
const holdBack = () => {
  const { reaches } = world.platform
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  world.platform.reaches = async (request) => {
    const answer = await reaches(request)
    asked.resolve()
    await held.promise
    return answer
  }
  return {
    asked: asked.promise,
    letGo: () => {
      world.platform.reaches = reaches
      held.resolve()
    },
  }
}

beforeEach(async () => {
  world = World.make({ contracts: 30 })
  await world.setUp()
  await world.until(World.isSynced)
  id = world.emulator.store.contracts[0]!.id
})

describe("a contract that is asked for again", () => {
  it("comes as the service has it now, and is kept so", async () => {
    world.emulator.store.update(id, { status: "ended" })
    expect(await refresh()).toMatchObject({ row: { id, status: "ended" } })
    expect(await world.index.contract(id)).toMatchObject({
      row: { status: "ended" },
    })
  })

  it("is said to be gone when the service has none, and stays until a complete sync has not seen it", async () => {
    world.emulator.store.remove(id)
    expect(await refresh()).toMatchObject({ _tag: "UserError", message: `errorGone ${id}` })
    expect(await world.index.contract(id)).not.toBeNull()
  })

  it("goes before the pages of a sync", async () => {
    const { asked } = world.platform
    asked.length = 0
    await Promise.all([world.ask({ type: "page.sync" }), refresh()])
    expect(asked.findIndex((path) => path.includes(`/${id}`))).toBeLessThan(2)
  })

  it.each([
    ["everything is cleared", () => world.ask({ type: "page.clear" })],
    [
      "there is another address",
      () => world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" }),
    ],
  ])("is not kept when %s while it is on its way", async (_what, act) => {
    const held = holdBack()
    const answer = refresh()
    await held.asked
    await act()
    held.letGo()
    // What was asked of an account that is closed is not answered any more; a page takes that for a error.
    expect((await answer) ?? { _tag: "UserError" }).toMatchObject({ _tag: "UserError" })
    expect(await contractsKept()).toBe(0)
    expect(["NoAddress", "NoPermission"]).toContain((await connection())._tag)
  })
})

describe("a failure that may pass", () => {
  it("is looked after, and the state ends when the cause does, also after the background was stopped", async () => {
    world.emulator.faults.set(["server-error"])
    const failing = refresh()
    await world.inTime(({ connection }) => connection._tag === "ServerFault")
    await failing
    expect(world.platform.alarmsByName.get("recover")).toMatchObject({ everyMinutes: 2 })
    await world.kill()
    expect(await connection()).toMatchObject({ _tag: "ServerFault" })
    world.emulator.faults.set([])
    world.platform.asked.length = 0
    await world.background().onAlarm("recover")
    expect(await connection()).toEqual({ _tag: "Ready" })
    expect(world.platform.asked[0]).toBe("/v1/contracts/?limit=1")
    expect(world.platform.alarmsByName.has("recover")).toBe(false)
  })

  it("is not looked after where only the user can fix it", async () => {
    world.emulator.faults.set(["key-revoked"])
    await refresh()
    expect(await connection()).toEqual({ _tag: "WrongKey" })
    expect(world.platform.alarmsByName.has("recover")).toBe(false)
  })

  it("is left to a sync that waits", async () => {
    world.emulator.faults.set(["not-json"])
    await world.ask({ type: "page.sync" })
    await world.until(
      ({ connection, sync }) => connection._tag === "UnreadableData" && sync._tag === "Syncing",
    )
    world.platform.asked.length = 0
    await world.background().onAlarm("recover")
    expect(world.platform.asked).toEqual([])
  })
})

it("keeps the pause that the service asked for, whatever else is granted", async () => {
  world.emulator.faults.set(["rate-limit:retryAfter=3600"])
  await world.ask({ type: "page.sync" })
  await world.inTime(({ connection }) => connection._tag === "RateLimited")
  await world.until(({ sync }) => sync._tag === "Syncing" && sync.waiting !== null)
  world.platform.asked.length = 0
  await world.background().onGrantsChanged()
  await world.background().onOnline()
  await world.background().onStartup()
  await World.turns(50)
  expect(world.platform.asked).toEqual([])
})
