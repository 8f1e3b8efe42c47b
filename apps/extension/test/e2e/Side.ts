/** The page at the side of the window, before a tab that a test chooses. */
import type { Tab } from "./browsers/Driver.ts"
import type { World } from "./World.ts"

/** Opens the page at the side of the window, with the tab at an address in front of it. */
export const openSide = async ({ driver, page }: World, address: string): Promise<Tab> => {
  const side = await driver.open(`${driver.origin}/sidepanel.html`)
  await side.evaluate((url) => {
    type Tabs = { query: (query: object) => Promise<ReadonlyArray<{ readonly url?: string }>> }
    type Api = { readonly tabs: Tabs }
    const { browser, chrome } = globalThis as unknown as { readonly browser?: Api; readonly chrome: Api }
    const { tabs } = browser ?? chrome
    const query = tabs.query.bind(tabs)
    tabs.query = async () => (await query({})).filter((tab) => tab.url === url)
  }, address)
  // The side panel looks again when something of a tab has changed.
  await page.evaluate(() => void (document.title = String(Math.random())))
  return side
}
