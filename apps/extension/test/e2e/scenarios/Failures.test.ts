/** Failures of connection and service: each state is shown with its own words while its cause lasts, and ends when the cause ends. */
import { expect } from "vitest"
import type { AppState, ConnectionState } from "../../../src/messages/AppState.ts"
import { it, scenario, shared } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import { said, seen, textOf } from "../Words.ts"
import type { World } from "../World.ts"

/** Opens the popup, and waits for its first rows. */
const openPopup = async ({ driver }: World): Promise<Tab> => {
  const popup = await driver.open(`${driver.origin}/popup.html`)
  await seen(popup, "#")
  return popup
}

const connectionIs = ({ stateWhen }: World, tag: ConnectionState["_tag"]): Promise<AppState> =>
  stateWhen(
    tag,
    ({ connection, sync }) => connection._tag === tag && (tag !== "Ready" || sync._tag === "Idle"),
  )

/** Sees a failure in the popup, fixes it, and sees its words gone, with everything that was read before still there. */
const isShownUntil = async (
  world: World,
  popup: Tab,
  [tag, words]: readonly [tag: ConnectionState["_tag"], words: string],
  fix: () => Promise<unknown>,
): Promise<ConnectionState> => {
  const { index, connection } = await connectionIs(world, tag)
  expect(await seen(popup, words)).toContain("#")
  expect(index.contracts).toBe(300)
  await fix()
  await connectionIs(world, "Ready")
  await until(
    `"${words}" to go`,
    () => textOf(popup),
    (text) => !text.includes(words),
  )
  return connection
}

scenario("a failure", () => {
  const world = shared()

  it("says that a key was revoked, until another one is set", async () => {
    const here = world()
    const { ask, emulator } = here
    const popup = await openPopup(here)
    const { record } = emulator.store.insertKey({ scopes: ["read:contracts"] }, "dk_emulator_short_lived")
    await ask({ type: "page.setKey", key: "dk_emulator_short_lived" })
    await connectionIs(here, "Ready")
    emulator.store.revoke(record.id)
    await ask({ type: "page.sync" })
    const connection = await isShownUntil(here, popup, ["WrongKey", said("wrongKeyTitle")], () =>
      ask({ type: "page.setKey", key: emulator.apiKey }),
    )
    expect(connection._tag).toBe("WrongKey")
  })

  it("names the scope that the key lacks, until it has it", async () => {
    const here = world()
    const { ask, emulator } = here
    const popup = await openPopup(here)
    emulator.faults.set([{ name: "scope-missing", scope: "read:contracts" }])
    await ask({ type: "page.sync" })
    const words = said("missingScopeTitle", "read:contracts")
    const connection = await isShownUntil(here, popup, ["MissingScope", words], () => {
      emulator.faults.clear()
      return popup.click("button", said("stepRetry"))
    })
    expect(connection).toEqual({ _tag: "MissingScope", scope: "read:contracts" })
  })

  it("says that there is no network, and resumes by itself when there is", async () => {
    const here = world()
    const { ask, driver } = here
    const popup = await openPopup(here)
    await driver.setOffline(true)
    await ask({ type: "page.sync" })
    const connection = await isShownUntil(here, popup, ["Offline", said("offlineTitle")], () =>
      driver.setOffline(false),
    )
    expect(connection._tag).toBe("Offline")
  })

  it("says that what answers is not the service, until it is", async () => {
    const here = world()
    const { ask, emulator } = here
    const popup = await openPopup(here)
    emulator.faults.set([{ name: "not-json" }])
    await ask({ type: "page.sync" })
    const connection = await isShownUntil(here, popup, ["UnreadableData", said("unreadableTitle")], () => {
      emulator.faults.clear()
      return popup.click("button", said("stepRetry"))
    })
    expect(connection._tag).toBe("UnreadableData")
  })

  it("says that the service has a fault, until it has none", async () => {
    const here = world()
    const { ask, emulator } = here
    const popup = await openPopup(here)
    emulator.faults.set([{ name: "html-error", status: 500 }])
    await ask({ type: "page.sync" })
    const words = said("serverFaultTitle", "500")
    const connection = await isShownUntil(here, popup, ["ServerFault", words], () => {
      emulator.faults.clear()
      return popup.click("button", said("stepRetry"))
    })
    expect(connection._tag).toBe("ServerFault")
  })
})
