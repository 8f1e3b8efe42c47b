/** Settings files in the options: nothing is imported before a click. */
import { expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import * as SettingsFile from "../SettingsFile.ts"
import { said, seen } from "../Words.ts"

scenario("with a settings file", () => {
  it("is shown with its hosts as browsers address them, and imported when that is clicked", async ({
    world,
  }) => {
    const here = await world("with-index", { contracts: 30 })
    const options = await SettingsFile.open(here)
    const before = await here.ask({ type: "page.state" })
    await SettingsFile.choose(options, JSON.stringify(SettingsFile.file))
    const shown = await seen(options, said("transferQuestion"))
    for (const words of [
      "xn--80ak6aa92e.com",
      "Flats",
      SettingsFile.account.baseUrl,
      said("transferForeign"),
    ]) {
      expect(shown).toContain(words)
    }
    expect(await here.ask({ type: "page.state" })).toEqual(before)
    await options.click("button", said("transferImport"))
    await seen(options, said("transferImported"))
    const after = await here.ask({ type: "page.state" })
    expect(after).toMatchObject({
      account: before.account,
      keyHint: before.keyHint,
      accounts: [{ baseUrl: before.baseUrl }, SettingsFile.account],
      sites: [{ origin: here.site }, { ...SettingsFile.site, isGranted: false }],
      settings: SettingsFile.settings,
    })
    expect(await options.evaluate(() => document.activeElement?.id)).toBe("transfer-file")
  })
})
