/**
 * What is around the pages of Chromium has no way in without a window: keys, menus and the address bar belong to the browser. Here the events
 * that it would send are sent to the background itself.
 */
import type { Outside, Suggestion, Tab } from "./Driver.ts"

/** Events as Chromium's own bindings have them. */
interface Dispatched {
  readonly dispatch: (...args: ReadonlyArray<unknown>) => void
}

interface Chrome {
  readonly chrome: {
    readonly commands: { readonly onCommand: Dispatched }
    readonly contextMenus: { readonly onClicked: Dispatched }
    readonly notifications: { readonly onClicked: Dispatched }
    readonly omnibox: { readonly onInputChanged: Dispatched; readonly onInputEntered: Dispatched }
    readonly tabs: {
      readonly query: (query: object) => Promise<ReadonlyArray<{ readonly windowId: number }>>
    }
  }
}

/** `evaluate` is that of the background. */
export const make = (evaluate: Tab["evaluate"]): Outside => ({
  command: (name) =>
    evaluate((command) => {
      ;(globalThis as unknown as Chrome).chrome.commands.onCommand.dispatch(command)
    }, name),
  suggestions: (typed) =>
    evaluate(
      (text) =>
        new Promise<ReadonlyArray<Suggestion>>((resolve) => {
          ;(globalThis as unknown as Chrome).chrome.omnibox.onInputChanged.dispatch(text, resolve)
        }),
      typed,
    ),
  enter: (entered) =>
    evaluate((text) => {
      ;(globalThis as unknown as Chrome).chrome.omnibox.onInputEntered.dispatch(text, "newForegroundTab")
    }, entered),
  choose: (item, clicked) =>
    evaluate(
      async (menuItemId, more) => {
        const { chrome } = globalThis as unknown as Chrome
        const [tab] = await chrome.tabs.query({})
        chrome.contextMenus.onClicked.dispatch({ menuItemId, ...more }, tab)
      },
      item,
      clicked,
    ),
  clickNotification: (id) =>
    evaluate((clicked) => {
      ;(globalThis as unknown as Chrome).chrome.notifications.onClicked.dispatch(clicked)
    }, id),
})
