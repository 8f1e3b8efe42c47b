/** The browser itself around its pages. Types of the two browsers differ; what only one of them has is asked for before it is called. */
import { browser } from "wxt/browser"
import type { Browser } from "wxt/browser"
import type { ExtensionPage } from "../BrowserNames.ts"
import { notificationId } from "../background/browser/BrowserPlatform.ts"
import type { ListingNotice } from "../messages/ListingMessage.ts"
import type { FrontTab, Shell } from "./Shell.ts"

/** Parts that only Firefox has. */
interface OfFirefox {
  readonly sidebarAction?: { readonly open: () => Promise<void> }
}

const popupPage = "/popup.html"
const windowSize = { width: 420, height: 640 } as const

/** A tab that is gone, or that nobody listens in: there is nothing to do about it. */
const ignored = (): void => {}

/** The result of something that browsers may not allow. */
const isDone = (doing: Promise<unknown>): Promise<boolean> =>
  doing.then(
    () => true,
    () => false,
  )

const addressOf = (page: ExtensionPage): string => browser.runtime.getURL(page)

const openPopup = (page: ExtensionPage, windowId: number | null): Promise<boolean> => {
  const { openPopup: open, setPopup } = browser.action
  if (open === undefined) return Promise.resolve(false)
  // Neither is waited for before the other: the browser allows a popup only while it handles what the user did.
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
  // Browsers take null for a tab's own words, and say so; the types do not.
  setBadge: (tabId, text) =>
    browser.action
      .setBadgeText({ text: text as string, ...(tabId === null ? {} : { tabId }) })
      .then(ignored, ignored),
  badge: () => browser.action.getBadgeText({}),
  setTitle: async (tabId, title) => {
    const own = tabId === null ? {} : { tabId }
    // Chrome has no way back to the title of all tabs, so a tab gets a copy of it.
    const words = title ?? (import.meta.env.FIREFOX ? null : await browser.action.getTitle({}))
    await browser.action.setTitle({ title: words as string, ...own }).then(ignored, ignored)
  },
  endNotification: async () => {
    try {
      await browser.notifications?.clear(notificationId)
    } catch {
      // The permission was taken back: nothing is shown any more.
    }
  },
  tabs: async () => (await browser.tabs.query({})).flatMap(({ id }) => (id === undefined ? [] : [id])),
  askAnew: (tabId) => {
    const notice: ListingNotice = { type: "listing.changed" }
    return browser.tabs.sendMessage(tabId, notice).then(ignored, ignored)
  },
  readsXml: import.meta.env.CHROME,
})
