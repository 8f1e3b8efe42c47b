/** Watched contracts are marked and notified of when a read finds that they changed, and of nothing else. */
import * as emulation from "@deedkit/emulator"
import { beforeEach, describe, expect, it } from "vitest"
import * as World from "../World.ts"

let world: World.World

const watch = (id: number, isWatched = true) => world.ask({ type: "page.watch", id, isWatched })
const state = () => world.ask({ type: "page.state" })
/** What the popup does when its user looks at the changes. */
const look = async () => {
  await world.ask({ type: "page.looked" }).catch(() => null)
  return world.index.changes()
}
const marked = async (): Promise<ReadonlyArray<number>> =>
  (await state()).watched.changed.map(([id]) => id).toSorted((one, other) => one - other)
const begin = async (): Promise<void> => {
  world.clock.advance(60_000)
  await world.ask({ type: "page.sync" })
  await World.turns(10)
}
const readAgain = async (): Promise<void> => {
  await begin()
  await world.inTime(({ sync }) => sync._tag === "Idle")
}
const change = (id: number): void => void world.emulator.store.update(id, { unit_label: "Renovated" })
const contract = (at: number): number => world.emulator.store.contracts[at]!.id

const make = async (contracts: number): Promise<void> => {
  world = World.make({ contracts })
  await world.setUp()
  await world.until(World.isSynced)
}
beforeEach(() => make(230))

describe("watched contracts", () => {
  it("are marked and notified of once when a sync finds that they changed or are gone", async () => {
    const [changed, gone, same] = [contract(0), contract(1), contract(2)]
    for (const id of [changed, gone, same]) await watch(id)
    change(changed)
    change(contract(5))
    world.emulator.store.remove(gone)
    await readAgain()
    expect(await marked()).toEqual([changed, gone].toSorted((one, other) => one - other))
    expect(world.platform.notified).toEqual([2])
    await readAgain()
    expect(await marked()).toHaveLength(2)
    expect(world.platform.notified).toEqual([2])
  })

  it("are notified of with those alone that changed in that read", async () => {
    for (const at of [0, 1, 2]) await watch(contract(at))
    change(contract(0))
    await readAgain()
    for (const at of [1, 2]) change(contract(at))
    await readAgain()
    expect(await marked()).toHaveLength(3)
    expect(world.platform.notified).toEqual([1, 2])
  })

  it("are not notified of where other contracts changed, or where none is watched", async () => {
    change(contract(0))
    await readAgain()
    await watch(contract(0))
    change(contract(1))
    await readAgain()
    expect(await marked()).toEqual([])
    expect(world.platform.notified).toEqual([])
  })

  it("stay marked until the list of changes is looked at, also when the background is stopped", async () => {
    await watch(contract(0))
    change(contract(0))
    await readAgain()
    await world.kill()
    await world.index.changes()
    expect(await marked()).toEqual([contract(0)])
    expect((await look()).changes.map(({ id }) => id)).toEqual([contract(0)])
    expect((await state()).watched).toEqual({ ids: [contract(0)], changed: [] })
    await world.kill()
    expect(await marked()).toEqual([])
  })

  it("are marked by the first page, too, and not when the user opens them", async () => {
    await make(450)
    const [opened, read] = [contract(0), contract(1)]
    for (const id of [opened, read]) await watch(id)
    change(opened)
    await world.ask({ type: "page.refresh", id: opened })
    expect(await marked()).toEqual([])
    change(read)
    await world.ask({ type: "page.readHead" })
    expect(await marked()).toEqual([read])
    expect(world.platform.notified).toEqual([1])
    expect((await look()).changes).toHaveLength(2)
  })

  it("are not taken for gone by a read that does not end, and are notified of when it has ended", async () => {
    await make(900)
    const [changed, gone] = [contract(0), contract(800)]
    for (const id of [changed, gone]) await watch(id)
    change(changed)
    world.emulator.store.remove(gone)
    const answers = world.platform.reaches
    let requests = 0
    world.platform.reaches = async (request) => {
      requests += 1
      if (requests > 2) throw new TypeError("Failed to fetch")
      return answers(request)
    }
    await begin()
    await world.inTime(({ connection }) => connection._tag === "Unreachable")
    expect(await marked()).toEqual([changed])
    expect(world.platform.notified).toEqual([])
    await world.kill()
    world.platform.reaches = answers
    world.clock.advance(3_600_000)
    await world.background().onAlarm("resume")
    await world.inTime(({ sync }) => sync._tag === "Idle")
    expect(await marked()).toEqual([changed, gone].toSorted((one, other) => one - other))
    expect(world.platform.notified).toEqual([2])
  })

  it("are not taken for gone by a much smaller list before that is used", async () => {
    await watch(contract(200))
    const few = emulation.make({ contracts: 3 })
    world.platform.reaches = (request) => few.fetch(request)
    await readAgain()
    const { index } = await state()
    expect(await marked()).toEqual([])
    await world.ask({ type: "page.decideList", id: index.smaller!.id, isUsed: true })
    expect(await marked()).toEqual([contract(200)])
  })

  it("are known by their ids alone, and no mark is left of one that is not watched any more", async () => {
    const id = contract(0)
    await watch(id)
    expect(await world.database().get("meta", "watched")).toEqual({ ids: [id], changed: [] })
    change(id)
    await readAgain()
    const at = expect.stringMatching(/^2026-03-01T14:01/) as string
    expect(await world.database().get("meta", "watched")).toEqual({ ids: [id], changed: [[id, at]] })
    expect((await watch(id, false)).watched).toEqual({ ids: [], changed: [] })
  })

  it("are all kept where several pages choose some at the same time", async () => {
    const ids = Array.from({ length: 20 }, (_, at) => contract(at))
    await Promise.all(ids.map((id) => watch(id)))
    expect(new Set((await state()).watched.ids)).toEqual(new Set(ids))
  })

  it("are those of one account, and of one service", async () => {
    const secondUrl = "https://api.second.test"
    const second = emulation.make({ contracts: 12, seed: 7 })
    world.platform.reaches = (request) =>
      new URL(request.url).origin === secondUrl ? second.fetch(request) : world.emulator.fetch(request)
    await watch(contract(0))
    change(contract(0))
    await readAgain()
    await world.addAccount("Second")
    world.platform.granted.add(`${secondUrl}/*`)
    await world.ask({ type: "page.setAddress", baseUrl: secondUrl })
    await world.ask({ type: "page.setKey", key: second.apiKey })
    await world.until(World.isSynced)
    expect((await state()).watched).toEqual({ ids: [], changed: [] })
    const here = second.store.contracts[0]!.id
    await watch(here)
    second.store.update(here, { unit_label: "Renovated" })
    await readAgain()
    await look()
    await world.ask({ type: "page.switchAccount", id: "first" })
    expect((await state()).watched.ids).toEqual([contract(0)])
    expect(await marked()).toEqual([contract(0)])
    await world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" })
    expect((await state()).watched).toEqual({ ids: [], changed: [] })
  })

  it("leave nobody without the list of changes where the disk is full", async () => {
    await watch(contract(0))
    change(contract(0))
    await readAgain()
    world.disk.isFull = true
    expect((await look()).changes).toHaveLength(1)
    await expect(watch(contract(1))).rejects.toThrow("no room")
    world.disk.isFull = false
    expect((await state()).watched.ids).toEqual([contract(0)])
    expect(await marked()).toEqual([contract(0)])
  })
})
