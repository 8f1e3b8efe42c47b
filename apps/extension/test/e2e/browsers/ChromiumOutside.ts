/**
 * What is around the pages of Chromium has no way in without a window: keys, menus and the address bar belong to the browser. Here the events
 * that it would send are sent to the background itself.
 */
import type { WebWorker } from "puppeteer-core"
import type { Outside, Suggestion } from "./Driver.ts"

/** Events as Chromium's own bindings have them. */
interface Dispatched {
  readonly dispatch: (...args: ReadonlyArray<unknown>) => void
}

interface Chrome {
  readonly chrome: {
    readonly commands: { readonly onCommand: Dispatched }
    readonly contextMenus: { readonly onClicked: Dispatched }
    readonly omnibox: { readonly onInputChanged: Dispatched; readonly onInputEntered: Dispatched }
    readonly tabs: {
      readonly query: (query: object) => Promise<ReadonlyArray<{ readonly windowId: number }>>
    }
  }
}

export const make = (worker: () => Promise<WebWorker>): Outside => ({
  command: async (name) =>
    (await worker()).evaluate((command) => {
      ;(globalThis as unknown as Chrome).chrome.commands.onCommand.dispatch(command)
    }, name),
  suggestions: async (typed) =>
    (await worker()).evaluate(
      (text) =>
        new Promise<ReadonlyArray<Suggestion>>((resolve) => {
          ;(globalThis as unknown as Chrome).chrome.omnibox.onInputChanged.dispatch(text, resolve)
        }),
      typed,
    ),
  enter: async (entered) =>
    (await worker()).evaluate((text) => {
      ;(globalThis as unknown as Chrome).chrome.omnibox.onInputEntered.dispatch(text, "newForegroundTab")
    }, entered),
  choose: async (item, clicked) =>
    (await worker()).evaluate(
      async (menuItemId, more) => {
        const { chrome } = globalThis as unknown as Chrome
        const [tab] = await chrome.tabs.query({})
        chrome.contextMenus.onClicked.dispatch({ menuItemId, ...more }, tab)
      },
      item,
      clicked,
    ),
})
