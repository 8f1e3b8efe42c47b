/**
 * The toolbar's button: how many contracts the page in a tab has, an exclamation mark where the extension needs its user, else nothing; and the
 * same in words. The mark goes before the numbers, which pages ask for anew when it goes. Where numbers are switched off none is handed to it, and
 * what is needed stands in words alone.
 */
import { describe, needsUser } from "../failures/ConnectionFailure.ts"
import type { AppState } from "../messages/AppState.ts"
import type { Shell } from "./Shell.ts"

type Doing = Pick<Shell, "text" | "badge" | "setBadge" | "setTitle" | "tabs" | "askAnew">

export interface Toolbar {
  /** The contracts of a tab's page as text; empty for none. */
  readonly show: (tabId: number, count: string) => Promise<void>
  /** The state of the extension, whenever it may have changed. */
  readonly take: (state: Pick<AppState, "connection" | "index" | "settings">) => Promise<void>
}

/** What needs the user's attention, as a text; null for nothing. */
export const needOf = (
  { connection, index }: Pick<AppState, "connection" | "index">,
  text: Shell["text"],
): string | null => {
  if (connection._tag !== "Ready" && needsUser(connection)) return text(...describe(connection, "").headline)
  return index.smaller === null ? null : text("smallerNeed")
}

const mark = "!"

export const make = (shell: Doing): Toolbar => {
  const { askAnew, badge, setBadge, setTitle, tabs, text } = shell
  let need: string | null = null
  let drawn = ""

  return {
    show: async (tabId, count) => {
      const hasOwn = count !== "" && need === null
      await setBadge(tabId, hasOwn ? count : null)
      await setTitle(tabId, hasOwn ? (count === "1" ? text("toolbarOne") : text("toolbarMany", count)) : null)
    },
    take: async (state) => {
      need = needOf(state, text)
      const wanted = need !== null && state.settings.toolbarCount ? mark : ""
      const title = need === null ? text("extensionAction") : text("toolbarNeed", need)
      if (drawn === wanted + title) return
      drawn = wanted + title
      // What the button shows outlives a background that the browser stops, so it tells whether there was anything to fix before.
      const before = await badge()
      await setBadge(null, wanted)
      await setTitle(null, title)
      if (before === wanted) return
      for (const tabId of await tabs()) {
        // A page may be too busy to answer, so none is waited for.
        if (need === null) void askAnew(tabId)
        else {
          await setBadge(tabId, null)
          await setTitle(tabId, null)
        }
      }
    },
  }
}
