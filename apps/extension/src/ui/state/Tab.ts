/** The tab in front as far as the popup can see it, and opening the extension's own pages in tabs. */
import { browser } from "wxt/browser"
import type { ExtensionPage } from "../../BrowserNames.ts"

const inFront = async () => (await browser.tabs.query({ active: true, currentWindow: true }))[0]

/** The page in front. */
export interface FrontPage {
  readonly url: URL
  readonly title: string
}

/** The page that the tab in front shows; null if the browser does not reveal it, as for its own pages. */
const currentPage = async (): Promise<FrontPage | null> => {
  const { title = "", url = "" } = (await inFront()) ?? {}
  return /^https?:/.test(url) ? { url: new URL(url), title } : null
}

/** The id of the tab in front. */
export const currentId = async (): Promise<number> => {
  const id = (await inFront())?.id
  if (id === undefined) throw new Error("no tab in front")
  return id
}

/** Passes on the page in front: once, and in a side panel again whenever another page comes to the front. */
export const follow = (onPage: (page: FrontPage | null) => void): (() => void) | void => {
  const look = (): void => void currentPage().then(onPage, () => onPage(null))
  look()
  if (place() !== "panel") return
  const { onActivated, onUpdated } = browser.tabs
  onActivated.addListener(look)
  onUpdated.addListener(look)
  return () => {
    onActivated.removeListener(look)
    onUpdated.removeListener(look)
  }
}

/** Where this document is shown: under the toolbar button, in the side panel, or in a tab or window of its own. */
export const place = (): "popup" | "panel" | "tab" => {
  const { pathname, search } = location
  if (pathname === "/sidepanel.html") return "panel"
  return pathname === "/popup.html" && (search === "" || search.endsWith("&in=popup")) ? "popup" : "tab"
}

/** Opens a page of the extension in a tab: and closes the popup. */
export const open = async (page: ExtensionPage): Promise<void> => {
  await browser.tabs.create({ url: browser.runtime.getURL(page) })
  if (place() === "popup") window.close()
}
