/** What has changed in the index is kept: what each read finds, once, and no more of it than there is room for. */
import { describe, expect, it } from "vitest"
import type { ChangesAnswer } from "../../../src/messages/AppState.ts"
import * as World from "../World.ts"

const make = async (contracts = 230): Promise<World.World> => {
  const world = World.make({ contracts })
  await world.setUp()
  await world.until(World.isSynced)
  return world
}
const changes = (world: World.World): Promise<ChangesAnswer> => world.index.changes()
const readAgain = async (world: World.World): Promise<void> => {
  world.clock.advance(60_000)
  await world.ask({ type: "page.sync" })
  await World.turns(10)
  await world.inTime(({ sync }) => sync._tag === "Idle")
}

describe("changes", () => {
  it("are none after the first sync, nor after one that finds what is known", async () => {
    const world = await make()
    expect(await changes(world)).toEqual({ last: 0, changes: [] })
    await readAgain(world)
    expect(await changes(world)).toEqual({ last: 0, changes: [] })
  })

  it("are new, changed and gone contracts, with the names of the fields that are others", async () => {
    const world = await make()
    const { store } = world.emulator
    const [gone, changed] = store.contracts
    const { status } = changed!
    store.remove(gone!.id)
    store.update(changed!.id, { unit_label: "Renovated", status: "on hold", template_id: 987_654 })
    const added = store.insert({ unit_label: "Fresh" })
    await readAgain(world)
    const { changes: found, last } = await changes(world)
    expect(last).toBe(3)
    expect(found.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
      {
        id: changed!.id,
        kind: "changed",
        at: expect.stringMatching(/^2026-03-01T14:01/),
        unit: "Renovated",
        title: changed!.listing?.title ?? null,
        fields: expect.arrayContaining(["unit_label", "status", "template_id"]),
        words: { status: [status, "on hold"] },
      },
      {
        id: gone!.id,
        kind: "gone",
        at: expect.stringMatching(/^2026-03-01T14:01/),
        unit: gone!.unit_label,
        title: gone!.listing?.title ?? null,
        fields: [],
      },
      { id: added.id, kind: "new", at: expect.any(String), unit: "Fresh", title: null, fields: [] },
    ])
    // Other values of a contract are not among them.
    expect(JSON.stringify(found)).not.toContain("987654")
  })

  it("are found by a contract that is opened, too, and by the first page", async () => {
    const world = await make(450)
    const [first, second] = world.emulator.store.contracts
    world.emulator.store.update(first!.id, { unit_label: "Seen" })
    await world.ask({ type: "page.refresh", id: first!.id })
    world.emulator.store.update(second!.id, { unit_label: "Read" })
    await world.ask({ type: "page.readHead" })
    expect((await changes(world)).changes.map(({ fields, id }) => [id, fields])).toEqual([
      [first!.id, ["unit_label"]],
      [second!.id, ["unit_label"]],
    ])
  })

  it("stay when the background is stopped, and go with the index", async () => {
    const world = await make()
    world.emulator.store.insert()
    await readAgain(world)
    await world.kill()
    expect((await changes(world)).last).toBe(1)
    await world.ask({ type: "page.setAddress", baseUrl: "https://other.example.test" })
    expect(await changes(world)).toEqual({ last: 0, changes: [] })
  })

  it("are the latest 500 of more", async () => {
    const world = await make(20)
    for (let made = 0; made < 620; made++) world.emulator.store.insert()
    await readAgain(world)
    const { changes: kept, last } = await changes(world)
    expect(last).toBe(620)
    expect(kept).toHaveLength(500)
  })

  it("name at most twelve fields, and cut what is very long", async () => {
    const world = await make(20)
    const [first] = world.emulator.store.contracts
    const members = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`member_${at}`.padEnd(300, "x"), at]),
    )
    world.emulator.store.update(first!.id, { unit_label: "x".repeat(5_000), ...members })
    await readAgain(world)
    const [change] = (await changes(world)).changes
    expect(change!.unit).toHaveLength(120)
    expect(change!.fields).toHaveLength(12)
    expect(change!.fields.every(({ length }) => length <= 120)).toBe(true)
  })

  it.each(Array.from({ length: 10 }, (_, at) => at))(
    "of a read that is cut off after %d writes are kept once",
    async (writes) => {
      const world = await make()
      const gone = world.emulator.store.contracts.slice(0, 5).map(({ id }) => id)
      for (const id of gone) world.emulator.store.remove(id)
      world.clock.advance(60_000)
      world.disk.writesLeft = writes
      await world.ask({ type: "page.sync" })
      for (let turn = 0; turn < 200; turn++) await World.turns(1)
      world.disk.writesLeft = Infinity
      await world.kill()
      world.clock.advance(31_000)
      await world.background().onAlarm("resume")
      await World.turns(10)
      await world.inTime(({ sync }) => sync._tag === "Idle")
      const kept = (await changes(world)).changes.filter(({ kind }) => kind === "gone").map(({ id }) => id)
      expect(kept).toHaveLength(gone.length)
      expect(new Set(kept)).toEqual(new Set(gone))
    },
  )
})
