/**
 * The script in a tab that lets the user choose a link. It is injected only here, and its messages are validated, because the page's renderer may be
 * hostile.
 */
import { browser } from "wxt/browser"
import * as Choice from "../../page/choose/Choice.ts"

/** The tab in which a link is chosen, and the site. */
export interface Subject {
  readonly tabId: number
  /** Such as `https://homes.example`. */
  readonly origin: string
}

/** Reads the query of the page's own address, as the popup writes it. */
export const subjectOf = (query: string): Subject => {
  const asked = new URLSearchParams(query)
  return { tabId: Number(asked.get("tab") ?? "-1"), origin: asked.get("site") ?? "" }
}

/** The choice in a tab; null if none was made. Rejects if the browser does not allow the script in the tab. */
export const choose = async (tabId: number): Promise<Choice.Choice | null> => {
  await browser.scripting.executeScript({ target: { tabId }, files: ["/choose.js"] })
  const port = browser.tabs.connect(tabId, { frameId: 0, name: Choice.port })
  return new Promise((resolve) => {
    port.onDisconnect.addListener(() => resolve(null))
    port.onMessage.addListener((message: unknown) => {
      resolve(Choice.isChoice(message) ? message : null)
      port.disconnect()
    })
  })
}

/** Brings a tab to the front. */
export const show = async (tabId: number): Promise<void> => {
  await browser.tabs.update(tabId, { active: true }).catch(() => {})
}

/** Brings the tab of this page to the front. */
export const showSelf = async (): Promise<void> => {
  const id = (await browser.tabs.getCurrent())?.id
  if (id !== undefined) await show(id)
}

/** Closes the tab of this page if it is not in front. */
export const leave = async (): Promise<void> => {
  const tab = await browser.tabs.getCurrent()
  if (tab?.id !== undefined && !tab.active) await browser.tabs.remove(tab.id)
}
