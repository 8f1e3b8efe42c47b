/** The first sync in a real browser: its end, its pauses, and what a stopped background leaves. Spoken from an empty page, without the UI. */
import type { Emulator } from "@deedkit/emulator"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { BrowserKind } from "../browsers/Browsers.ts"
import type { Tab } from "../browsers/Driver.ts"
import { said, seen } from "../Words.ts"
import * as World from "../World.ts"

/** The contracts as the index keeps them, newest first. */
export const indexed = (page: Tab): Promise<ReadonlyArray<{ readonly id: number }>> =>
  page.evaluate(async () => {
    const done = <A>(request: IDBRequest<A>): Promise<A> =>
      new Promise((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result))
        request.addEventListener("error", () => reject(request.error))
      })
    const database = await done(indexedDB.open("deedkit"))
    const rows = await done(database.transaction("contracts").objectStore("contracts").getAll())
    database.close()
    return rows.map(({ contract }: { contract: { id: number } }) => contract).toReversed()
  })

/** The requests that began a sync: those for a list without a cursor. */
export const beginnings = ({ assumptions, journal }: Emulator) =>
  journal.entries.filter(
    ({ path, query, status }) =>
      path === "/v1/contracts/" && status === 200 && query[assumptions.cursorParameter] === undefined,
  )

const contracts = 2_500

export const syncs = (kind: BrowserKind, extension: () => string): void => {
  describe("a service that lists far fewer contracts", () => {
    const saved = 300
    let world: World.World
    beforeAll(async () => {
      world = await World.make(kind, extension(), { contracts: saved })
      await world.setUp()
    }, 120_000)
    afterAll(() => world.close())

    it("is asked about, over a stopped background, while everything that was saved is still there", async () => {
      const { ask, driver, emulator, page, stateWhen } = world
      const before = await indexed(page)
      for (const { id } of [...emulator.store.contracts].slice(3)) emulator.store.remove(id)
      await ask({ type: "page.sync" })
      await stateWhen("a smaller list", ({ index }) => index.smaller !== null)
      await driver.killBackground()
      const { index } = await ask({ type: "page.state" })
      expect(index).toMatchObject({ contracts: saved, smaller: { contracts: 3 } })
      const popup = await driver.open(`${driver.origin}/popup.html`)
      expect(await seen(popup, said("smallerTitle_other", "3"))).toContain("#")
      await popup.close()
      expect(await indexed(page)).toEqual(before)
    })

    it("is believed when the user says so, and the others are gone", async () => {
      const { driver, emulator, page, stateWhen } = world
      const tab = await driver.open(`${driver.origin}/options.html`)
      await tab.click("button", said("smallerUse"))
      await stateWhen("three contracts", ({ index }) => index.contracts === 3 && index.smaller === null)
      expect(await indexed(page)).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
      await tab.close()
    })
  })

  describe("the sync", () => {
    let world: World.World
    beforeEach(async () => {
      world = await World.make(kind, extension(), { contracts })
    }, 120_000)
    afterEach(() => world.close())

    it("waits as long as the service asks, and the index equals the service's store", async () => {
      const { ask, emulator, page, setUp } = world
      emulator.faults.set([
        { name: "rate-limit", retryAfter: 2, when: { path: "/contracts", requests: [20] } },
      ])
      const state = await setUp()
      expect(state).toMatchObject({ connection: { _tag: "Ready" }, index: { contracts, rejected: 0 } })
      expect(state.cursorParam).toBe(emulator.assumptions.cursorParameter)
      expect(emulator.journal.entries.filter(({ status }) => status === 429)).toHaveLength(1)
      expect(await indexed(page)).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
      const { rows, total } = await ask({ type: "page.search", text: "", by: "any", limit: 50 })
      expect(rows).toHaveLength(50)
      expect(total).toBe(contracts)
    })

    it("goes on from its checkpoint when the browser stops the background in the middle of it", async () => {
      const { begin, driver, emulator, page, stateWhen, synced } = world
      emulator.faults.set([{ name: "latency", ms: 300, when: { path: "/contracts" } }])
      await begin()
      const begun = await stateWhen(
        "three pages of the sync",
        ({ sync }) => sync._tag === "Syncing" && sync.pages >= 3,
      )
      expect(begun.index.completedAt).toBeNull()
      await driver.killBackground()
      const known = emulator.journal.entries.length
      const state = await synced()
      expect(state.index).toMatchObject({ contracts, rejected: 0 })
      expect(beginnings(emulator)).toHaveLength(1)
      expect(emulator.journal.entries.length - known).toBeLessThan(contracts / 95)
      expect(await indexed(page)).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
    })
  })
}
