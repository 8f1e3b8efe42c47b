/** What a page reads itself is what the background has saved, at every moment. */
import { IDBFactory } from "fake-indexeddb"
import { describe, expect, it } from "vitest"
import * as Database from "../../src/index/Database.ts"
import * as PageIndex from "../../src/index/PageIndex.ts"
import * as World from "../background/World.ts"

const synced = async (contracts: number): Promise<World.World> => {
  const world = World.make({ contracts })
  await world.setUp()
  await world.until(World.isSynced)
  return world
}

const all = { text: "", counts: true, limit: 500 }

describe("the index of a page", () => {
  it("has what was written after its last read, and not what was removed", async () => {
    const world = await synced(230)
    const [first, second] = world.emulator.store.contracts
    expect((await world.index.search(all)).total).toBe(230)
    expect((await world.index.search({ ...all, text: "renovated" })).total).toBe(0)
    world.emulator.store.update(first!.id, { unit_label: "Renovated" })
    await world.ask({ type: "page.refresh", id: first!.id })
    expect((await world.index.search({ ...all, text: "renovated" })).rows.map(({ id }) => id)).toEqual([
      first!.id,
    ])
    world.emulator.store.remove(second!.id)
    await world.ask({ type: "page.sync" })
    await world.inTime(({ index, sync }) => sync._tag === "Idle" && index.contracts === 229)
    expect(await world.index.search({ ...all, text: `#${second!.id}` })).toMatchObject({ rows: [], total: 0 })
    expect((await world.index.search(all)).total).toBe(229)
  })

  it("finds every row that comes while the first search reads the texts", async () => {
    const world = await synced(230)
    const searches = world.emulator.store.contracts.slice(0, 8).map(async ({ id }, at) => {
      world.emulator.store.update(id, { unit_label: `Renovated ${at}` })
      await world.ask({ type: "page.refresh", id })
      return world.index.search({ ...all, text: "renovated" })
    })
    await Promise.all(searches)
    expect((await world.index.search({ ...all, text: "renovated" })).total).toBe(8)
  })

  it("is that of the account in use, and of its address", async () => {
    const world = await synced(230)
    expect((await world.index.search(all)).total).toBe(230)
    const { accounts, account } = (await world.addAccount("Second")) as {
      readonly accounts: ReadonlyArray<{ readonly id: string }>
      readonly account: string
    }
    expect(await world.index.search(all)).toMatchObject({ rows: [], total: 0 })
    await world.ask({ type: "page.switchAccount", id: accounts.find(({ id }) => id !== account)!.id })
    expect((await world.index.search(all)).total).toBe(230)
    await world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" })
    expect(await world.index.search(all)).toMatchObject({ rows: [], total: 0 })
  })

  it("is empty where nothing was saved, and creates nothing", async () => {
    const factory = new IDBFactory()
    const index = PageIndex.make(Database.each(factory, true))
    expect(await index.search({ ...all, counts: false })).toEqual({ rows: [], total: 0, groups: null })
    expect(await index.search(all)).toEqual({ rows: [], total: 0, groups: [] })
    expect([await index.listing("olive-loft"), await index.contract(1)]).toEqual([null, null])
    expect(await index.changes()).toEqual({ last: 0, changes: [] })
    expect(await factory.databases()).toEqual([])
  })

  it("does not bring back the database of an account that is removed", async () => {
    const factory = new IDBFactory()
    const [writing, reading] = [Database.each(factory), Database.each(factory, true)]
    await writing("second").put("meta", "index", {})
    await reading("second").get("meta", "index")
    await writing("second").destroy()
    await expect(reading("second").get("meta", "index")).rejects.toThrow("not there")
    expect(await factory.databases()).toEqual([])
  })
})
