/** The whole way of a user, by the pages alone: from the tab that opens after the installation to the last trace that is cleared. */
import { expect, onTestFinished } from "vitest"
import { it, scenario, shared } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import { said, seen, textOf } from "../Words.ts"

const contracts = 1_200

scenario("by its pages", () => {
  it("leads through the first steps to a complete index, through a pause that the service asks for", async ({
    world,
  }) => {
    const { driver, emulator, service, site } = await world("new", {
      contracts,
      faults: [{ name: "latency", ms: 150, when: { form: "list" } }],
    })
    const tab = await driver.tabAt(`${driver.origin}/welcome.html`)
    await tab.fill(said("addressLabel"), service)
    await tab.run(`void (window.shown = new Promise((resolve) => new MutationObserver(() => {
      if (location.hash === "#key") resolve(document.activeElement.localName)
    }).observe(document.body, { childList: true, characterData: true, subtree: true })))`)
    await tab.click("button", said("addressAllow"))
    // A letter that is typed at once would be lost to a focus that moves later.
    expect(await tab.run("window.shown")).toBe("h1")
    await tab.fill(said("keyLabel"), emulator.apiKey)
    await tab.click("button", said("keyTry"))
    emulator.faults.add({ name: "rate-limit", retryAfter: 1, when: { form: "list", requests: [7] } })
    await tab.click("button", said("welcomeNext"))
    await tab.fill(said("siteLabel"), `${site}/homes/anything`)
    await tab.click("button", said("siteAllow"))
    await tab.click("button", said("welcomeNext"))
    await seen(tab, said("welcomeSyncTitle"))
    const text = await seen(tab, said("welcomeClose"), 90_000)
    expect(text).toContain("1,200")
    expect(text).not.toContain(emulator.apiKey)
    expect(emulator.journal.entries.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

scenario("by its pages, once it is set up", () => {
  const world = shared()

  it("shows badges and a panel on the site that was allowed", async () => {
    const { driver, page, site } = world()
    const tab = await driver.open(`${site}/`)
    await tab.resize(1280, 3000)
    const { badges } = await until(
      "badges",
      () => Marks.look(page, `${site}/`),
      (marks) => marks.badges.length > 10,
    )
    await tab.goTo(site + badges[0]!.path)
    const { panel } = await until(
      "the panel",
      () => Marks.look(page, site + badges[0]!.path),
      (marks) => marks.panel !== null,
    )
    expect(panel?.text).toContain(" contract")
  })

  it("looks contracts up by the keyboard, off line and after the background was stopped", async () => {
    const { driver, emulator, stateWhen } = world()
    onTestFinished(() => driver.setOffline(false))
    const contract = emulator.store.contracts.findLast(({ listing }) => listing != null)!
    const tab = await driver.open(`${driver.origin}/popup.html`)
    await seen(
      tab,
      `#${emulator.store.contracts.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at))[0]!.id}`,
    )
    await driver.setOffline(true)
    await driver.killBackground()
    await stateWhen("the background at rest", ({ sync }) => sync._tag === "Idle")
    emulator.journal.clear()
    await tab.fill(said("searchLabel"), String(contract.id))
    await seen(tab, `#${contract.id}`)
    await tab.press("Enter")
    const detail = await seen(tab, said("detailCopyRow"))
    expect(detail).toContain(contract.unit_label.trim())
    expect(detail).toContain(contract.listing!.slug)
    await tab.press("Escape")
    await tab.fill(said("searchLabel"), "kolonaki")
    await until(
      "rows of Kolonaki",
      () => textOf(tab),
      (text) => text.split("Kolonaki").length > 10,
    )
    expect(emulator.journal.entries).toEqual([])
  })

  it("takes a site back, and leaves its open pages at once", async () => {
    const { ask, driver, page, site } = world()
    onTestFinished(async () => void (await ask({ type: "page.addSite", origin: site })))
    const visit = await driver.open(`${site}/`)
    await visit.resize(1280, 3000)
    await until(
      "badges",
      () => Marks.look(page, `${site}/`),
      ({ badges }) => badges.length > 10,
    )
    const tab = await driver.open(`${driver.origin}/options.html#sites`)
    await tab.click("button", `${said("siteTakeBack")} ${new URL(site).host}`)
    await seen(tab, said("sitesEmpty"))
    const hosts = () => visit.evaluate(() => document.querySelectorAll("html > div").length)
    expect(await until("no badges", hosts, (left) => left === 0)).toBe(0)
  })
})

scenario("by its pages, at last", () => {
  it("clears everything, after it has asked", async ({ world }) => {
    const { ask, driver } = await world("with-index", { contracts: 30 })
    const tab = await driver.open(`${driver.origin}/options.html#clear`)
    await tab.click("button", said("clearFirst"))
    expect((await ask({ type: "page.state" })).index.contracts).toBe(30)
    await tab.click("button", said("clearYes"))
    await seen(tab, said("cleared"))
    expect(await ask({ type: "page.state" })).toMatchObject({
      baseUrl: null,
      keyHint: null,
      sites: [],
      connection: { _tag: "NoAddress" },
      index: { contracts: 0, completedAt: null },
    })
    const popup = await driver.open(`${driver.origin}/popup.html`)
    await seen(popup, said("noAddressTitle"))
  })
})
