/** The links of an open page of a site. What its renderer answers is validated, because it may be hostile. */
import { browser } from "wxt/browser"
import { areTexts } from "../../../messages/TabMessage.ts"

/** Most links of a page, and the longest address in UTF-16 units. */
export const mostLinks = 500
export const longestAddress = 2_000

/** Whether a value is a list of addresses of a page. */
export const areAddresses = (value: unknown): value is ReadonlyArray<string> =>
  areTexts(value, mostLinks, longestAddress)

/** The addresses of a tab's links within its site, from the site's root on, each once; none if the browser does not let anyone read them. */
export const ofTab = async (tabId: number): Promise<ReadonlyArray<string>> => {
  const read = (longest: number, most: number): ReadonlyArray<string> => {
    const addresses = Array.from(document.querySelectorAll("a[href],area[href]"), (link) => {
      const href = link.getAttribute("href") ?? ""
      if (!URL.canParse(href, document.baseURI)) return ""
      const { hash, origin, pathname, search } = new URL(href, document.baseURI)
      return origin === location.origin ? pathname + search + hash : ""
    })
    return [...new Set(addresses)].filter(({ length }) => length > 0 && length <= longest).slice(0, most)
  }
  const args: Parameters<typeof read> = [longestAddress, mostLinks]
  const [answer] = await browser.scripting
    .executeScript({ target: { tabId }, func: read, args })
    .catch(() => [])
  return areAddresses(answer?.result) ? answer.result : []
}

/** The same of the tab of a site that was used last; none if the site is open in no tab. */
export const ofSite = async (origin: string): Promise<ReadonlyArray<string>> => {
  // A script for a tab that the browser has unloaded may wait for as long as nobody opens it.
  const tabs = (await browser.tabs.query({})).filter(({ discarded }) => !discarded)
  const [last] = tabs
    .filter(({ url = "" }) => URL.canParse(url) && new URL(url).origin === origin)
    .toSorted((one, other) => (other.lastAccessed ?? 0) - (one.lastAccessed ?? 0))
  return last?.id === undefined ? [] : ofTab(last.id)
}
