/**
 * The parts of the browser around its pages: toolbar, menus, address bar, windows. As a record of functions, so that tests stand in for a
 * browser. Nothing here rejects for what a browser merely does not have.
 */
import type { ExtensionPage, MessageName } from "../BrowserNames.ts"

/** The tab in front. The browser tells its address only where the user granted the site, or has just called the extension there. */
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
   * Opens the popup under its button with another address. False where the browser does not do that. Has to be called while the browser
   * still handles what the user did.
   */
  readonly openPopup: (page: ExtensionPage, windowId: number | null) => Promise<boolean>
  /** Opens the panel at the side of a window; has to be called while the browser still handles what the user did. */
  readonly openPanel: (windowId: number) => Promise<boolean>
  readonly setMenu: (items: ReadonlyArray<MenuItem>) => Promise<void>
  /** Words on the toolbar's button: of one tab, or where no tab has its own. Null takes a tab's own away; an empty text shows none. */
  readonly setBadge: (tabId: number | null, text: string | null) => Promise<void>
  /** The words where no tab has its own. */
  readonly badge: () => Promise<string>
  readonly setTitle: (tabId: number | null, title: string | null) => Promise<void>
  /** Takes the notification about watched contracts away, if it is shown. */
  readonly endNotification: () => Promise<void>
  /** Every tab, whatever it shows. */
  readonly tabs: () => Promise<ReadonlyArray<number>>
  /** Has the content script of a tab ask again for what it shows, if there is one. */
  readonly askAnew: (tabId: number) => Promise<void>
  /** Whether the address bar reads descriptions as XML. */
  readonly readsXml: boolean
}
