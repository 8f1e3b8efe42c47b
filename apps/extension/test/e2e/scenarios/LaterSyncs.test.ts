/** What a later sync finds changed: a list that is much smaller, and contracts that are watched. */
import { expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import { indexed } from "../Indexed.ts"
import { said, seen } from "../Words.ts"
import type { World } from "../World.ts"

/** A world whose service lists three of the 300 contracts that were read, once the read has seen that. */
const withSmallerList = async (world: World): Promise<ReadonlyArray<{ readonly id: number }>> => {
  const before = await indexed(world.page)
  for (const { id } of [...world.emulator.store.contracts].slice(3)) world.emulator.store.remove(id)
  await world.ask({ type: "page.sync" })
  await world.stateWhen("a smaller list", ({ index }) => index.smaller !== null)
  return before
}

scenario("a service that lists far fewer contracts", () => {
  it("is asked about, over a stopped background, while everything that was saved is still there", async ({
    world,
  }) => {
    const here = await world("with-index")
    const { ask, driver, page } = here
    const before = await withSmallerList(here)
    await driver.killBackground()
    const { index } = await ask({ type: "page.state" })
    expect(index).toMatchObject({ contracts: 300, smaller: { contracts: 3 } })
    const popup = await driver.open(`${driver.origin}/popup.html`)
    await seen(popup, "#")
    expect(await seen(popup, said("smallerTitle_other", "3"))).toContain("#")
    expect(await indexed(page)).toEqual(before)
  })

  it("is believed when the user says so, and the others are gone", async ({ world }) => {
    const here = await world("with-index")
    const { driver, emulator, page, stateWhen } = here
    await withSmallerList(here)
    const tab = await driver.open(`${driver.origin}/options.html`)
    await tab.click("button", said("smallerUse"))
    await stateWhen("three contracts", ({ index }) => index.contracts === 3 && index.smaller === null)
    expect(await indexed(page)).toEqual(JSON.parse(JSON.stringify(emulator.store.contracts)))
  })
})

scenario("a watched contract", () => {
  it("is counted at the popup's foot and comes first in the list, once a sync has seen that it changed", async ({
    world,
  }) => {
    const { ask, driver, emulator, stateWhen, synced } = await world("with-index")
    const [watched, other] = emulator.store.contracts
    const popup = await driver.open(`${driver.origin}/popup.html?contract=${watched!.id}`)
    await popup.click("button", said("watch"))
    await stateWhen("a watched contract", ({ watched: { ids } }) => ids.includes(watched!.id))
    await popup.close()
    const later = "2030-01-01T00:00:00Z"
    emulator.store.update(watched!.id, { unit_label: "Watched unit", updated_at: later })
    emulator.store.update(other!.id, { unit_label: "Other unit", updated_at: "2030-01-02T00:00:00Z" })
    await ask({ type: "page.sync" })
    await synced()
    const again = await driver.open(`${driver.origin}/popup.html`)
    const line = `${said("changesWatched_one", "1")} · ${said("changesChanged_other", "2")}`
    await seen(again, line)
    await again.click("button", line)
    const text = await until(
      "both changes in the list",
      () => again.evaluate(() => document.querySelector<HTMLElement>(".changes-list")?.innerText ?? ""),
      (shown) => shown.includes("Other unit"),
    )
    expect(text.indexOf("Watched unit")).toBeGreaterThan(-1)
    expect(text.indexOf("Watched unit")).toBeLessThan(text.indexOf("Other unit"))
    expect(text).toContain(`#${watched!.id} ${said("changeWatched")}`)
    expect(text).not.toContain(`#${other!.id} ${said("changeWatched")}`)
    await again.goTo(`${driver.origin}/popup.html?contract=${watched!.id}`)
    await seen(again, "Watched unit")
    await until(
      "the pressed button",
      () => again.run("document.querySelector('.detail [aria-pressed=true]')?.textContent"),
      (words) => words === said("watch"),
    )
  })
})
