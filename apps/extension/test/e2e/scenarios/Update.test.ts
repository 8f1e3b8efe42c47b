/** An update in a browser that is running: a build of the same formats takes this one's place, with all that it has saved and with its pages open. */
import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { extension, it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"

scenario("updated in a browser that is running", () => {
  it("keeps address, key, sites, settings and contracts, and draws the badges of open pages anew", async ({
    onTestFinished,
    ownWorld,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "deedkit-before-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await cp(extension, folder, { recursive: true })
    const world = await ownWorld({ contracts: 250 }, folder)
    const { ask, driver, emulator, site } = world
    await world.setUp()
    await ask({ type: "page.setSettings", settings: { theme: "dark", refreshMinutes: 240 } })
    const before = await ask({ type: "page.state" })
    const tab = await driver.open(`${site}/`)
    await tab.resize(1280, 3000)
    const cards = await until(
      "cards in view",
      () =>
        tab.evaluate(() =>
          [...document.querySelectorAll<HTMLAnchorElement>(".cards a")].flatMap((link) => {
            const { bottom, top } = link.closest("li")!.getBoundingClientRect()
            return top >= 0 && bottom <= innerHeight ? [link.pathname] : []
          }),
        ),
      ({ length }) => length > 10,
    )
    const slugs = new Set(emulator.store.contracts.map(({ listing }) => `/homes/${listing?.slug}`))
    const wanted = cards.filter((path) => slugs.has(decodeURIComponent(path)))
    expect(wanted.length).toBeGreaterThan(10)
    /** Waits for one badge on every card in view whose listing has contracts. */
    const drawn = (what: string) =>
      until(
        what,
        // Marks are drawn where they are seen, and an update brings a tab of its own to the front.
        async () => {
          await tab.show()
          return (await Marks.look(world.page, `${site}/`)).badges.map(({ path }) => path)
        },
        (paths) => wanted.every((path) => paths.includes(path)) && new Set(paths).size === paths.length,
      )
    await drawn("badges before the update")
    emulator.journal.clear()

    await world.update(extension)
    expect(await ask({ type: "page.state" })).toMatchObject({
      accounts: before.accounts,
      connection: { _tag: "Ready" },
      index: before.index,
      settings: before.settings,
      sites: before.sites,
    })
    const after = await drawn("badges after the update")
    expect(after.filter((path) => !slugs.has(decodeURIComponent(path)))).toEqual([])
    expect(await tab.evaluate(() => document.querySelectorAll("html > div").length)).toBe(1)
    expect(emulator.journal.entries).toEqual([])
  })
})
