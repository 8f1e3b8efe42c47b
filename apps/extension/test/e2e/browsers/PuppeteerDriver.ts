/**
 * The part of driving that both browsers share. The extension is installed into a browser that runs, so one browser serves many tests: taking
 * the extension out erases everything that it stored.
 */
import { cp, rm } from "node:fs/promises"
import type { Browser, Page } from "puppeteer-core"
import { until } from "./Driver.ts"
import type { Driver, Outside } from "./Driver.ts"
import * as PuppeteerTab from "./PuppeteerTab.ts"

/** What one of the browsers does in its own way. */
export interface Own {
  readonly name: Driver["name"]
  readonly browser: Browser
  readonly tab: (page: Page) => PuppeteerTab.OwnTab
  /** Called with the id after each installation; gives the origin of the extension's pages. */
  readonly installed: (id: string) => Promise<string>
  /** The open tabs and their addresses, as the browser itself knows them. */
  readonly tabs: () => Promise<ReadonlyArray<{ readonly page: Page; readonly address: string }>>
  readonly outside: Outside
  readonly killBackground: () => Promise<void>
  readonly setOffline: (isOffline: boolean) => Promise<void>
}

/** A browser that has not ended by then is killed. */
const closeWithinMillis = 10_000

interface Installed {
  readonly id: string
  readonly folder: string
  readonly origin: string
}

export const make = ({ browser, installed: originOf, ...own }: Own): Driver => {
  let current: Installed | null = null
  let isOffline = false
  const installed = (): Installed => {
    if (current === null) throw new Error("the extension is not installed")
    return current
  }
  const makeTab = (page: Page) => PuppeteerTab.make(page, own.tab(page))
  const addresses: Driver["addresses"] = async () => (await own.tabs()).map(({ address }) => address)
  const setOffline: Driver["setOffline"] = async (wanted) => {
    isOffline = wanted
    await own.setOffline(wanted)
  }
  const pageAt = async (beginning: string): Promise<Page> => {
    let found: Page | undefined
    const look = async () => {
      const tabs = await own.tabs()
      found = tabs.find(({ address }) => address.startsWith(beginning))?.page
      return tabs.map(({ address }) => address)
    }
    await until(`a tab at ${beginning}`, look, () => found !== undefined)
    return found!
  }
  return {
    name: own.name,
    get origin() {
      return installed().origin
    },
    install: async (folder) => {
      const id = await browser.installExtension(folder)
      current = { id, folder, origin: await originOf(id) }
      const welcome = `${current.origin}/welcome.html`
      // It opens in front of all others, and pages that nobody sees are told of no state.
      await until(`a tab at ${welcome}`, addresses, (all) => all.includes(welcome))
    },
    uninstall: async () => {
      if (isOffline) await setOffline(false)
      const tabs = await own.tabs()
      // Without any tab the browser would end.
      await browser.newPage()
      await browser.uninstallExtension(installed().id)
      current = null
      await Promise.all(tabs.map(({ page }) => page.close().catch(() => {})))
    },
    open: async (url) => {
      const page = await browser.newPage()
      const tab = makeTab(page)
      await tab.goTo(url)
      await page.bringToFront()
      return tab
    },
    addresses,
    tabAt: async (beginning) => {
      const page = await pageAt(beginning)
      await page.bringToFront()
      return makeTab(page)
    },
    outside: own.outside,
    killBackground: own.killBackground,
    update: async (newer) => {
      const { folder } = installed()
      await rm(folder, { recursive: true })
      await cp(newer, folder, { recursive: true })
      await browser.installExtension(folder)
    },
    setOffline,
    gone: new Promise((resolve) => browser.once("disconnected", () => resolve())),
    close: async () => {
      const timer = setTimeout(() => browser.process()?.kill("SIGKILL"), closeWithinMillis)
      await browser.close().finally(() => clearTimeout(timer))
    },
  }
}
