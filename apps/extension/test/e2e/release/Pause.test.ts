/**
 * A pause that the service asks for, as long as a whole minute: longer than a browser lets an idle background live. The file waits and does not
 * compute, so it is started before all others.
 */
import { expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import { said, seen, textOf } from "../Words.ts"

const pauseSeconds = 60

scenario("a pause of a minute", () => {
  it("is shown with its end, and the sync resumes by itself", async ({ world }) => {
    const { ask, driver, emulator, stateWhen } = await world("with-index")
    const popup = await driver.open(`${driver.origin}/popup.html`)
    await seen(popup, "#")
    emulator.faults.set([
      { name: "rate-limit", retryAfter: pauseSeconds, when: { path: "/contracts", times: 1 } },
    ])
    const before = Date.now()
    await ask({ type: "page.sync" })
    await until(
      "the answer that asks for a pause",
      async () => emulator.journal.entries.filter(({ status }) => status === 429).length,
      (answers) => answers === 1,
    )
    const { sync } = await stateWhen(
      "a pause",
      ({ connection, sync }) =>
        connection._tag === "RateLimited" ||
        (sync._tag === "Syncing" && sync.waiting?.reason === "rate-limited"),
    )
    const ends = Date.parse((sync._tag === "Syncing" ? sync.waiting?.until : null) ?? "")
    expect(ends - before).toBeGreaterThan(1_000 * pauseSeconds - 1_000)
    expect(ends - before).toBeLessThan(1_000 * pauseSeconds + 10_000)
    const words = said("syncRateLimited", "|").split("|")[0]!.trim()
    await seen(popup, words)
    const { index } = await stateWhen("the sync's end", (state) => state.sync._tag === "Idle", 90_000)
    expect(index.contracts).toBe(300)
    expect(Date.now()).toBeGreaterThan(ends)
    await until(
      `"${words}" to go`,
      () => textOf(popup),
      (text) => !text.includes(words),
    )
  })
})
