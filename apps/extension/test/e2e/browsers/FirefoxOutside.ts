/** What is around the pages of Firefox, set off in the browser's own context: the keys' own elements, the address bar's own search, the menus' event. */
import type { Outside, Suggestion } from "./Driver.ts"

/** The letter of each command's keys. */
const letters: { readonly [command: string]: string } = {
  "toggle-badges": "L",
  sync: "U",
  "open-export": "E",
}

/** `run` evaluates an expression in the browser's own context; `extension` gives one for the extension there. */
export const make = (run: (expression: string) => Promise<unknown>, extension: () => string): Outside => {
  const search = `ChromeUtils.importESModule("resource://gre/modules/ExtensionSearchHandler.sys.mjs").ExtensionSearchHandler`
  const window = `Services.wm.getMostRecentWindow("navigator:browser")`
  return {
    command: async (name) => {
      await run(`(async () => {
        const keys = [...${window}.document.querySelectorAll("keyset[id^='ext-keyset'] key")]
        const own = keys.filter((key) => key.getAttribute("key") === ${JSON.stringify(letters[name])})
        if (own.length !== 1) throw new Error(own.length + " keys in " + keys.map((key) => key.outerHTML).join())
        own[0].doCommand()
      })()`)
    },
    suggestions: async (typed) =>
      (await run(`new Promise((resolve) => {
        ${search}.handleSearch(
          { keyword: "deed", text: ${JSON.stringify(`deed ${typed}`)}, inPrivateWindow: false },
          (suggestions) => resolve(suggestions.map(({ content, description }) => ({ content, description }))),
        )
      })`)) as ReadonlyArray<Suggestion>,
    enter: async (entered) => {
      await run(`(async () => {
        ${search}.handleSearch({ keyword: "deed", text: "deed ", inPrivateWindow: false }, () => {})
        ${search}.handleInputEntered("deed", ${JSON.stringify(`deed ${entered}`)}, "tab")
      })()`)
    },
    clickNotification: async (id) => {
      await run(`(async () => {
        const { apiManager } = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs").ExtensionParent
        const { notificationsMap } = await apiManager.asyncGetAPI("notifications", ${extension()}, "addon_parent")
        notificationsMap.emit("clicked", ${JSON.stringify(id)})
      })()`)
    },
    choose: async (item, clicked) => {
      const info = { menuItemId: item, modifiers: [], editable: false, ...clicked }
      await run(`(async () => {
        ${extension()}.emit("webext-menu-menuitem-click", ${JSON.stringify(info)}, ${window}.gBrowser.selectedTab)
      })()`)
    },
  }
}
