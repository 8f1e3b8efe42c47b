/**
 * The parts of the browser around its pages: toolbar, menus, address bar, windows. Tests replace it. Nothing here rejects only because a browser lacks
 * something: a function that only one of the two has is tested for before it is called.
 */
import { browser } from "wxt/browser"
import type { Browser } from "wxt/browser"
import { notificationId } from "../background/Platform.ts"
import type { ExtensionPage, MessageName } from "../BrowserNames.ts"
import type { ListingNotice } from "../messages/ListingMessage.ts"

/** The tab in front. The browser gives its address only if the user granted the site, or has just invoked the extension there. */
export interface FrontTab {
  readonly id: number
  readonly windowId: number
  readonly url: string | null
}

type Context = "link" | "selection" | "action"

export interface MenuItem {
  readonly id: string
  readonly title: string
  readonly contexts: readonly [Context, ...ReadonlyArray<Context>]
}

/** Where a page of the extension opens. */
export type Place = "tab" | "hidden-tab" | "this-tab"

/** Parts that only Firefox has. */
interface OfFirefox {
  readonly sidebarAction?: { readonly open: () => Promise<void> }
}

const popupPage = "/popup.html"
const windowSize = { width: 420, height: 640 } as const

/** Ignores the failure of a tab that is gone or has no listener: there is nothing to do about it. */
const ignored = (): void => {}

/** Whether an action has succeeded that browsers may not allow. */
const isDone = (doing: Promise<unknown>): Promise<boolean> =>
  doing.then(
    () => true,
    () => false,
  )

const addressOf = (page: ExtensionPage): string => browser.runtime.getURL(page)

/**
 * Opens the popup under its button with another address. False if the browser does not do that. Has to be called while the browser still handles the
 * user's action.
 */
const openPopup = (page: ExtensionPage, windowId: number | null): Promise<boolean> => {
  const { openPopup: open, setPopup } = browser.action
  if (open === undefined) return Promise.resolve(false)
  // Neither call waits for the other: the browser allows a popup only while it handles the user's action.
  void setPopup({ popup: addressOf(page) })
  const opened = isDone(open(windowId === null ? {} : { windowId }))
  return opened.finally(() => setPopup({ popup: addressOf(popupPage) }))
}

/** Opens the panel at the side of a window; has to be called while the browser still handles the user's action. */
const openPanel = (windowId: number): Promise<boolean> => {
  const { sidebarAction } = browser as unknown as OfFirefox
  if (sidebarAction !== undefined) return isDone(sidebarAction.open())
  return browser.sidePanel === undefined
    ? Promise.resolve(false)
    : isDone(browser.sidePanel.open({ windowId }))
}

export const frontTab = (tab: Browser.tabs.Tab | undefined): FrontTab | null =>
  tab?.id === undefined ? null : { id: tab.id, windowId: tab.windowId, url: tab.url ?? null }

/** The tab in front, as the extension may see it. */
export const inFront = async (): Promise<FrontTab | null> => {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true })
  return frontTab(tab)
}

export const ofBrowser = () => ({
  text: (name: MessageName, ...values: Array<string>): string => browser.i18n.getMessage(name, values),
  open: async (page: ExtensionPage, place: Place = "tab"): Promise<void> => {
    const url = addressOf(page)
    if (place === "this-tab") await browser.tabs.update({ url })
    else await browser.tabs.create({ url, active: place === "tab" })
  },
  /** Opens a page in a small window of its own. */
  openWindow: async (page: ExtensionPage): Promise<void> => {
    const url = addressOf(page)
    if (browser.windows === undefined) await browser.tabs.create({ url })
    else await browser.windows.create({ url, type: "popup", ...windowSize })
  },
  openPopup,
  openPanel,
  setMenu: async (items: ReadonlyArray<MenuItem>): Promise<void> => {
    await browser.contextMenus?.removeAll()
    for (const { contexts, id, title } of items) {
      const isLink = contexts.includes("link")
      browser.contextMenus?.create({
        id,
        title,
        contexts: [...contexts],
        ...(isLink ? { targetUrlPatterns: ["*://*/*"] } : {}),
      })
    }
  },
  /** Sets the text on the toolbar's button: for one tab, or for tabs without their own. Null removes a tab's own text; an empty text shows none. */
  setBadge: (tabId: number | null, text: string | null): Promise<void> =>
    // Browsers accept null for a tab's own text, and document it; the types do not.
    browser.action
      .setBadgeText({ text: text as string, ...(tabId === null ? {} : { tabId }) })
      .then(ignored, ignored),
  /** The text for tabs without their own. */
  badge: (): Promise<string> => browser.action.getBadgeText({}),
  setTitle: async (tabId: number | null, title: string | null): Promise<void> => {
    const own = tabId === null ? {} : { tabId }
    // Chrome cannot reset a tab to the title of all tabs, so the tab gets a copy of it.
    const words = title ?? (import.meta.env.FIREFOX ? null : await browser.action.getTitle({}))
    await browser.action.setTitle({ title: words as string, ...own }).then(ignored, ignored)
  },
  /** Removes the notification about watched contracts, if it is shown. */
  endNotification: async (): Promise<void> => {
    try {
      await browser.notifications?.clear(notificationId)
    } catch {
      // The permission was revoked: nothing is shown any more.
    }
  },
  /** Every tab, whatever it shows. */
  tabs: async (): Promise<ReadonlyArray<number>> =>
    (await browser.tabs.query({})).flatMap(({ id }) => (id === undefined ? [] : [id])),
  /** Makes the content script of a tab, if there is one, ask again for what it shows. */
  askAnew: (tabId: number): Promise<void> => {
    const notice: ListingNotice = { type: "listing.changed" }
    return browser.tabs.sendMessage(tabId, notice).then(ignored, ignored)
  },
  /** Whether the address bar reads descriptions as XML. */
  readsXml: import.meta.env.CHROME as boolean,
})

export type Shell = ReturnType<typeof ofBrowser>
