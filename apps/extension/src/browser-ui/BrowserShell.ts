/** The real browser around its pages. The types of the two browsers differ; a function that only one has is tested for before it is called. */
import { browser } from "wxt/browser"
import type { Browser } from "wxt/browser"
import type { ExtensionPage } from "../BrowserNames.ts"
import { notificationId } from "../background/BrowserPlatform.ts"
import type { ListingNotice } from "../messages/ListingMessage.ts"
import type { FrontTab, Shell } from "./Shell.ts"

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

const openPopup = (page: ExtensionPage, windowId: number | null): Promise<boolean> => {
  const { openPopup: open, setPopup } = browser.action
  if (open === undefined) return Promise.resolve(false)
  // Neither call waits for the other: the browser allows a popup only while it handles the user's action.
  void setPopup({ popup: addressOf(page) })
  const opened = isDone(open(windowId === null ? {} : { windowId }))
  return opened.finally(() => setPopup({ popup: addressOf(popupPage) }))
}

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

export const make = (): Shell => ({
  text: (name, ...values) => browser.i18n.getMessage(name, values),
  open: async (page, place = "tab") => {
    const url = addressOf(page)
    if (place === "this-tab") await browser.tabs.update({ url })
    else await browser.tabs.create({ url, active: place === "tab" })
  },
  openWindow: async (page) => {
    const url = addressOf(page)
    if (browser.windows === undefined) await browser.tabs.create({ url })
    else await browser.windows.create({ url, type: "popup", ...windowSize })
  },
  openPopup,
  openPanel,
  setMenu: async (items) => {
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
  // Browsers accept null for a tab's own text, and document it; the types do not.
  setBadge: (tabId, text) =>
    browser.action
      .setBadgeText({ text: text as string, ...(tabId === null ? {} : { tabId }) })
      .then(ignored, ignored),
  badge: () => browser.action.getBadgeText({}),
  setTitle: async (tabId, title) => {
    const own = tabId === null ? {} : { tabId }
    // Chrome cannot reset a tab to the title of all tabs, so the tab gets a copy of it.
    const words = title ?? (import.meta.env.FIREFOX ? null : await browser.action.getTitle({}))
    await browser.action.setTitle({ title: words as string, ...own }).then(ignored, ignored)
  },
  endNotification: async () => {
    try {
      await browser.notifications?.clear(notificationId)
    } catch {
      // The permission was revoked: nothing is shown any more.
    }
  },
  tabs: async () => (await browser.tabs.query({})).flatMap(({ id }) => (id === undefined ? [] : [id])),
  askAnew: (tabId) => {
    const notice: ListingNotice = { type: "listing.changed" }
    return browser.tabs.sendMessage(tabId, notice).then(ignored, ignored)
  },
  readsXml: import.meta.env.CHROME,
})
