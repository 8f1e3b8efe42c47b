/** The first sync in a real browser: its end, its pauses, and what a stopped background leaves. Spoken from an empty page, without the UI. */
import { expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { indexed, withoutCursor } from "../Indexed.ts"

const contracts = 1_200

scenario("the sync", () => {
  it("waits as long as the service asks, and the index equals the service's store", async ({ world }) => {
    const { driver, emulator, page, setUp } = await world("new", { contracts })
    emulator.faults.set([{ name: "rate-limit", retryAfter: 2, when: { path: "/contracts", requests: [9] } }])
    const state = await setUp()
    expect(state).toMatchObject({ connection: { _tag: "Ready" }, index: { contracts, rejected: 0 } })
    expect(state.cursorParam).toBe(emulator.assumptions.cursorParameter)
    expect(emulator.journal.entries.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(await indexed(page)).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
    const popup = await driver.open(`${driver.origin}/popup.html`)
    const shown = () => popup.evaluate(() => document.querySelectorAll("[role=option]").length)
    await expect.poll(shown, { timeout: 30_000 }).toBe(50)
    await popup.close()
  })

  it("resumes from its checkpoint when the browser stops the background in the middle of it", async ({
    world,
  }) => {
    const { begin, driver, emulator, page, stateWhen, synced } = await world("new", { contracts })
    // The sync waits for its sixth page when the background is stopped.
    emulator.faults.set([{ name: "latency", ms: 15_000, when: { path: "/contracts", requests: [6] } }])
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
    // The first page began the sync; after the last one, the head shows once more that the order can be trusted.
    const pages = emulator.journal.entries.filter(
      ({ path, status }) => path === "/v1/contracts/" && status === 200,
    )
    expect(withoutCursor(emulator)).toEqual([0, pages.length - 1])
    expect(emulator.journal.entries.length - known).toBeLessThan(contracts / 95)
    expect(await indexed(page)).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
  })
})
