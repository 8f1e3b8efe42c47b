/**
 * The browser's own menus: they look up a link or a selected text, and open the panel at the side. The answer is shown in the popup, under its
 * button if the browser opens it there, else in a small window. Only the extension reads an address; it is sent nowhere.
 */
import { segmentsOf } from "../address/Reference.ts"
import type { ExtensionPage } from "../BrowserNames.ts"
import type { PageIndex } from "../index/PageIndex.ts"
import type { MenuItem, Shell } from "./Shell.ts"

export interface Click {
  readonly item: string | number
  readonly linkUrl?: string | undefined
  readonly selection?: string | undefined
  readonly windowId: number | null
}

const names = { link: "lookup-link", selection: "lookup-selection", panel: "open-panel" } as const

export const items = ({ text }: Pick<Shell, "text">): ReadonlyArray<MenuItem> => [
  { id: names.link, title: text("menuLink"), contexts: ["link"] },
  { id: names.selection, title: text("menuSelection"), contexts: ["selection"] },
  { id: names.panel, title: text("menuPanel"), contexts: ["action"] },
]

/** The last non-empty part of an address, as a text to search for. */
const wordsOf = (address: string): string =>
  URL.canParse(address) ? (segmentsOf(new URL(address).pathname).at(-1) ?? "") : ""

type Lookup = Pick<PageIndex, "listingAt">

/** The page for the listing of a link, without the link's address: by its contracts' slug, else a search for the link's last part. */
export const pageOfLink = async (index: Lookup, address: string): Promise<ExtensionPage> => {
  const known = await index.listingAt(address.slice(0, 10_000)).catch(() => null)
  const first = known?.rows[0]
  if (first === undefined) return ofSearch(wordsOf(address))
  return first.slug === null ? ofContract(first.id) : ofListing(first.slug)
}

type Doing = Pick<Shell, "openPopup" | "openWindow" | "openPanel" | "open">

/** Handles a choice in a menu. The popup is opened before anything is awaited: browsers allow it only then. */
export const choose = async (index: Lookup, shell: Doing, click: Click): Promise<void> => {
  const { item, linkUrl = "", selection = "", windowId } = click
  switch (item) {
    case names.link: {
      const page = ofLink(linkUrl)
      if (page !== null && (await shell.openPopup(asPopup(page), windowId))) return
      return shell.openWindow(await pageOfLink(index, linkUrl))
    }
    case names.selection: {
      const page = ofSearch(selection)
      if (await shell.openPopup(asPopup(page), windowId)) return
      return shell.openWindow(page)
    }
    case names.panel:
      if (windowId !== null && (await shell.openPanel(windowId))) return
      return shell.open("/sidepanel.html")
  }
}

const mostCharacters = 200

/** Addresses that are longer than this are not read. */
const longestAddress = 2_000

export const ofContract = (id: number): ExtensionPage => `/popup.html?contract=${id}`

const ofListing = (reference: string): ExtensionPage => `/popup.html?listing=${encodeURIComponent(reference)}`

/** A search whose text is in the search box. */
export const ofSearch = (text: string): ExtensionPage =>
  `/popup.html?find=${encodeURIComponent(text.trim().replace(/\s+/g, " ").slice(0, mostCharacters))}`

/** A link whose listing the page itself looks up. Only for the popup under the button: windows and tabs would appear in the history. */
const ofLink = (address: string): ExtensionPage | null =>
  address.length > longestAddress ? null : `/popup.html?link=${encodeURIComponent(address)}`

/** The same page as the popup under the button. */
const asPopup = (page: ExtensionPage): ExtensionPage => `${page}&in=popup` as ExtensionPage
