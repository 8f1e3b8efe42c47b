/**
 * The parts of the browser around its pages: toolbar, menus, address bar, windows. A record of functions, so that tests can replace the
 * browser. Nothing here rejects only because a browser lacks something.
 */
import type { ExtensionPage, MessageName } from "../BrowserNames.ts"

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

export interface Shell {
  readonly text: (name: MessageName, ...values: Array<string>) => string
  readonly open: (page: ExtensionPage, place?: Place) => Promise<void>
  /** Opens a page in a small window of its own. */
  readonly openWindow: (page: ExtensionPage) => Promise<void>
  /**
   * Opens the popup under its button with another address. False if the browser does not do that. Has to be called while the browser
   * still handles the user's action.
   */
  readonly openPopup: (page: ExtensionPage, windowId: number | null) => Promise<boolean>
  /** Opens the panel at the side of a window; has to be called while the browser still handles the user's action. */
  readonly openPanel: (windowId: number) => Promise<boolean>
  readonly setMenu: (items: ReadonlyArray<MenuItem>) => Promise<void>
  /** Sets the text on the toolbar's button: for one tab, or for tabs without their own. Null removes a tab's own text; an empty text shows none. */
  readonly setBadge: (tabId: number | null, text: string | null) => Promise<void>
  /** The text for tabs without their own. */
  readonly badge: () => Promise<string>
  readonly setTitle: (tabId: number | null, title: string | null) => Promise<void>
  /** Removes the notification about watched contracts, if it is shown. */
  readonly endNotification: () => Promise<void>
  /** Every tab, whatever it shows. */
  readonly tabs: () => Promise<ReadonlyArray<number>>
  /** Makes the content script of a tab, if there is one, ask again for what it shows. */
  readonly askAnew: (tabId: number) => Promise<void>
  /** Whether the address bar reads descriptions as XML. */
  readonly readsXml: boolean
}
