/** A settings file as large as one may be, in the options. */
import { expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import * as SettingsFile from "../SettingsFile.ts"
import { said, seen } from "../Words.ts"

scenario("with a settings file", () => {
  it("of a thousand sites does not keep the background busy", async ({ world }) => {
    const here = await world("with-index", { contracts: 30 })
    const options = await SettingsFile.open(here)
    const sites = Array.from({ length: 1_000 }, (_, at) => ({
      ...SettingsFile.site,
      origin: `https://s${at}.example`,
    }))
    await SettingsFile.choose(options, JSON.stringify({ ...SettingsFile.file, sites }))
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
