/** Settings files in the options: nothing is imported before a click. */
import { expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import type { Tab } from "../browsers/Driver.ts"
import { said, seen } from "../Words.ts"
import type { World } from "../World.ts"

/** Chooses a file of this text as the browser's own window does. */
const choose = (tab: Tab, text: string): Promise<void> =>
  tab.evaluate((text) => {
    const chosen = new DataTransfer()
    chosen.items.add(new File([text], "deedkit-settings.json", { type: "application/json" }))
    const input = document.querySelector<HTMLInputElement>("#transfer-file")!
    input.files = chosen.files
    input.dispatchEvent(new Event("change", { bubbles: true }))
  }, text)

/** The part of the options that takes settings files. */
const openTransfer = async ({ driver }: World): Promise<Tab> => {
  const options = await driver.open(`${driver.origin}/options.html#transfer`)
  await seen(options, said("transferTake"))
  return options
}
const few = { contracts: 30 }

scenario("with a settings file", () => {
  const settings = {
    theme: "dark",
    refreshMinutes: 30,
    toolbarCount: true,
    panel: "pill",
    keyStorage: "device",
  }
  const site = { origin: "https://xn--80ak6aa92e.com", isOn: true, patterns: ["/homes/:slug"] }
  const account = { name: "Flats", baseUrl: "https://api.flats.example/rest" }
  const file = { format: "deedkit-settings", version: 1, settings, sites: [site], accounts: [account] }
  it("is shown with its hosts as browsers address them, and imported when that is clicked", async ({
    world,
  }) => {
    const here = await world("with-index", few)
    const options = await openTransfer(here)
    const before = await here.ask({ type: "page.state" })
    await choose(options, JSON.stringify(file))
    const shown = await seen(options, said("transferQuestion"))
    for (const words of ["xn--80ak6aa92e.com", "Flats", account.baseUrl, said("transferForeign")]) {
      expect(shown).toContain(words)
    }
    expect(await here.ask({ type: "page.state" })).toEqual(before)
    await options.click("button", said("transferImport"))
    await seen(options, said("transferImported"))
    const after = await here.ask({ type: "page.state" })
    expect(after).toMatchObject({
      account: before.account,
      keyHint: before.keyHint,
      accounts: [{ baseUrl: before.baseUrl }, account],
      sites: [{ origin: here.site }, { ...site, isGranted: false }],
      settings,
    })
    expect(await options.evaluate(() => document.activeElement?.id)).toBe("transfer-file")
  })

  it("of a thousand sites does not keep the background busy", async ({ world }) => {
    const here = await world("with-index", few)
    const options = await openTransfer(here)
    const sites = Array.from({ length: 1_000 }, (_, at) => ({ ...site, origin: `https://s${at}.example` }))
    await choose(options, JSON.stringify({ ...file, sites }))
    await seen(options, said("transferQuestion"))
    await options.click("button", said("transferImport"))
    await seen(options, said("transferImported"))
    await options.close()
    const { sites: named } = await here.ask({ type: "page.state" })
    expect(named.length).toBeGreaterThan(1_000)
    const startedAt = performance.now()
    await here.ask({ type: "page.state" })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
