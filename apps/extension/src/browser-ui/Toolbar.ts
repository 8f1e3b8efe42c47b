/**
 * The toolbar's button: how many contracts the page in a tab has, an exclamation mark if the extension needs its user, a dot if watched contracts
 * have changed; and the same in words in the title, which is set first. The exclamation mark replaces the numbers, the dot precedes them, and
 * pages ask for their numbers again when a mark appears or disappears. If numbers are switched off, none is passed to it, and the meaning of a
 * mark is shown only in words.
 */
import { describe, needsUser } from "../failures/ConnectionFailure.ts"
import type { AppState } from "../messages/AppState.ts"
import type { Shell } from "./Shell.ts"

type Doing = Pick<Shell, "text" | "badge" | "setBadge" | "setTitle" | "endNotification" | "tabs" | "askAnew">

export interface Toolbar {
  /** Shows the number of contracts of a tab's page, as text; empty for none. */
  readonly show: (tabId: number, count: string) => Promise<void>
  /** Takes the state of the extension, whenever it may have changed. */
  readonly take: (state: Pick<AppState, "connection" | "index" | "settings" | "watched">) => Promise<void>
}

/** What needs the user's attention, as a text; null for nothing. */
export const needOf = (
  { connection, index }: Pick<AppState, "connection" | "index">,
  text: Shell["text"],
): string | null => {
  if (connection._tag !== "Ready" && needsUser(connection)) return text(...describe(connection, "").headline)
  return index.smaller === null ? null : text("smallerNeed")
}

const needMark = "!"
const watchedMark = "•"

export const make = (shell: Doing): Toolbar => {
  const { askAnew, badge, endNotification, setBadge, setTitle, tabs, text } = shell
  let drawn = ""
  /** The last number that is being shown: callers need not wait, so the next number does. */
  let last = Promise.resolve()

  return {
    show: (tabId, count) => {
      const draw = async (): Promise<void> => {
        // The button keeps its text when the browser stops the background: this one may not know the state yet.
        const mark = await badge()
        const hasOwn = count !== "" && mark !== needMark
        const words = count === "1" ? text("toolbarOne") : text("toolbarMany", count)
        await setTitle(tabId, hasOwn ? (mark === "" ? words : `${words} · ${text("watchedNeed")}`) : null)
        await setBadge(tabId, hasOwn ? mark + count : null)
      }
      return (last = last.then(draw, draw))
    },
    take: async (state) => {
      const need = needOf(state, text)
      const words = need ?? (state.watched.changed.length === 0 ? null : text("watchedNeed"))
      const mark = need === null ? watchedMark : needMark
      const wanted = words !== null && state.settings.toolbarCount ? mark : ""
      const title = words === null ? text("extensionAction") : text("toolbarNeed", words)
      if (drawn === wanted + title) return
      drawn = wanted + title
      if (state.watched.changed.length === 0) void endNotification()
      // So it also shows which mark there was before.
      const before = await badge()
      await setTitle(null, title)
      await setBadge(null, wanted)
      if (before === wanted) return
      for (const tabId of await tabs()) {
        // A page may be too busy to answer, so none is waited for.
        if (need === null) void askAnew(tabId)
        else {
          await setTitle(tabId, null)
          await setBadge(tabId, null)
        }
      }
    },
  }
}
