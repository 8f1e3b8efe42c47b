/** What stands in the way: each state is shown with its own words while its cause lasts, and ends when the cause ends. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ConnectionState } from "../../../src/messages/AppState.ts"
import type { BrowserKind } from "../browsers/Browsers.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import { said, seen, textOf } from "../Words.ts"
import * as World from "../World.ts"

/** A whole minute where browsers are required; elsewhere the same, sooner. */
const pauseSeconds = process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1" ? 60 : 8

export const troubles = (kind: BrowserKind, extension: () => string): void => {
  describe("in trouble", () => {
    let world: World.World
    let popup: Tab
    beforeAll(async () => {
      world = await World.make(kind, extension(), { contracts: 300 })
      await world.setUp()
      popup = await world.driver.open(`${world.driver.origin}/popup.html`)
    }, 120_000)
    afterAll(() => world.close())

    const connectionIs = (tag: ConnectionState["_tag"]) =>
      world.stateWhen(
        tag,
        ({ connection, sync }) => connection._tag === tag && (tag !== "Ready" || sync._tag === "Idle"),
      )
    const isGone = (words: string) =>
      until(
        `"${words}" to go`,
        () => textOf(popup),
        (text) => !text.includes(words),
      )
    /** Looks at a trouble in the popup, mends it, and sees it gone, with everything that was read before still there. */
    const shownAndMended = async (
      tag: ConnectionState["_tag"],
      words: string,
      mend: () => Promise<unknown>,
    ): Promise<ConnectionState> => {
      const { index, connection } = await connectionIs(tag)
      expect(await seen(popup, words)).toContain("#")
      expect(index.contracts).toBe(300)
      await mend()
      await connectionIs("Ready")
      await isGone(words)
      return connection
    }
    const syncAgain = () => {
      world.emulator.faults.clear()
      return popup.click("button", said("stepRetry"))
    }

    it("says that a key was revoked, until another one is set", async () => {
      const { ask, emulator } = world
      const { record } = emulator.store.insertKey({ scopes: ["read:contracts"] }, "dk_emulator_short_lived")
      await ask({ type: "page.setKey", key: "dk_emulator_short_lived" })
      await connectionIs("Ready")
      emulator.store.revoke(record.id)
      await ask({ type: "page.sync" })
      const connection = await shownAndMended("WrongKey", said("wrongKeyTitle"), () =>
        ask({ type: "page.setKey", key: emulator.apiKey }),
      )
      expect(connection._tag).toBe("WrongKey")
    })

    it("names the scope that the key lacks, until it has it", async () => {
      const { ask, emulator } = world
      emulator.faults.set([{ name: "scope-missing", scope: "read:contracts" }])
      await ask({ type: "page.sync" })
      const connection = await shownAndMended(
        "MissingScope",
        said("missingScopeTitle", "read:contracts"),
        syncAgain,
      )
      expect(connection).toEqual({ _tag: "MissingScope", scope: "read:contracts" })
    })

    it("says until when the service asks for a pause, and goes on by itself", async () => {
      const { ask, emulator, stateWhen } = world
      emulator.faults.set([{ name: "rate-limit", retryAfter: pauseSeconds, when: { times: 1 } }])
      const before = Date.now()
      await ask({ type: "page.sync" })
      const waits = await stateWhen(
        "a pause",
        ({ connection, sync }) =>
          connection._tag === "RateLimited" ||
          (sync._tag === "Syncing" && sync.waiting?.reason === "rate-limited"),
      )
      const { sync } = waits
      const ends = Date.parse((sync._tag === "Syncing" ? sync.waiting?.until : null) ?? "")
      expect(ends - before).toBeGreaterThan(1_000 * pauseSeconds - 1_000)
      expect(ends - before).toBeLessThan(1_000 * pauseSeconds + 10_000)
      await seen(popup, said("syncRateLimited", "").split(";")[0]!)
      const { index } = await world.stateWhen("the sync's end", (state) => state.sync._tag === "Idle", 90_000)
      expect(index.contracts).toBe(300)
      expect(Date.now()).toBeGreaterThan(ends)
      await isGone(said("syncRateLimited", "").split(";")[0]!)
    })

    it("says that there is no network, and goes on by itself when there is", async () => {
      const { ask, driver } = world
      await driver.setOffline(true)
      await ask({ type: "page.sync" })
      const connection = await shownAndMended("Offline", said("offlineTitle"), () => driver.setOffline(false))
      expect(connection._tag).toBe("Offline")
    })

    it("says that what answers is not the service, until it is", async () => {
      const { ask, emulator } = world
      emulator.faults.set([{ name: "not-json" }])
      await ask({ type: "page.sync" })
      const connection = await shownAndMended("UnreadableData", said("unreadableTitle"), syncAgain)
      expect(connection._tag).toBe("UnreadableData")
    })

    it("says that the service has a fault, until it has none", async () => {
      const { ask, emulator } = world
      emulator.faults.set([{ name: "html-error", status: 500 }])
      await ask({ type: "page.sync" })
      const connection = await shownAndMended("ServerFault", said("serverFaultTitle", "500"), syncAgain)
      expect(connection._tag).toBe("ServerFault")
    })
  })
}
