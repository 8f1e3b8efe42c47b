/** The tab in front as the popup may see it, and the extension's own pages opened in tabs. */
import { browser } from "wxt/browser"
import type { ExtensionPage } from "../BrowserNames.ts"

/** The address that the tab in front shows; null when the browser keeps it to itself, as for its own pages. */
export const currentAddress = async (): Promise<URL | null> => {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true })
  const address = tab?.url
  if (address === undefined || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === "https:" || url.protocol === "http:" ? url : null
}

/** Whether this document is the small window under the toolbar button; the same page in a tab has a query. */
export const isPopup = (): boolean => location.pathname === "/popup.html" && location.search === ""

/** Opens a page of the extension in a tab. The popup makes room for it. */
export const open = async (page: ExtensionPage): Promise<void> => {
  await browser.tabs.create({ url: browser.runtime.getURL(page) })
  if (isPopup()) window.close()
}
