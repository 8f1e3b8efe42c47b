/**
 * Remembers which changes were seen when the list was last viewed: the number of the latest change for each account, in the storage of the
 * extension's pages. While a contract of the list is shown, the list stays the same.
 */
import type { Change, ChangesAnswer, AppState } from "../../../messages/AppState.ts"
import { useEffect, useState } from "preact/hooks"
import { useBackground, useRead } from "../../state/Live.ts"

const keyOf = (account: string): string => `changes ${account}`

/** The number of the last change that was seen before this page was opened, by account. */
const seen = new Map<string, number>()

/** The number of the latest change that was seen; 0 before the first view. */
export const seenTo = (account: string): number => {
  const known = seen.get(account) ?? Number(localStorage.getItem(keyOf(account)) ?? 0)
  seen.set(account, known)
  return known
}

/** Records that the list is being viewed. */
export const look = (account: string, { last }: ChangesAnswer): void => {
  seenTo(account)
  localStorage.setItem(keyOf(account), String(last))
}

/** Records that the list was closed: its changes now count as seen. */
export const leave = (account: string): void => void seen.delete(account)

/** The changes after the one with this number. */
export const since = ({ changes, last }: ChangesAnswer, number: number): ReadonlyArray<Change> =>
  // An index that was emptied and filled again starts counting from the beginning.
  number > last ? changes : changes.slice(Math.max(0, changes.length - (last - number)))

export type Counts = { readonly [Kind in Change["kind"]]: number }

/** How many contracts are new, changed or gone; each counts once. */
export const countsOf = (changes: ReadonlyArray<Change>): Counts => {
  const kinds = new Map<number, Change["kind"]>()
  for (const { id, kind } of changes) {
    const isNew = kind === "changed" && kinds.get(id) === "new"
    kinds.set(id, isNew ? "new" : kind)
  }
  const counts = { new: 0, changed: 0, gone: 0 }
  for (const kind of kinds.values()) counts[kind] += 1
  return counts
}

/** Whether the page's window has the focus: a list in a window behind others does not count as viewed. */
export const useFocus = (): boolean => {
  const [hasFocus, setFocus] = useState(() => document.hasFocus())
  useEffect(() => {
    const look = (): void => setFocus(document.hasFocus())
    addEventListener("focus", look)
    addEventListener("blur", look)
    return () => {
      removeEventListener("focus", look)
      removeEventListener("blur", look)
    }
  }, [])
  return hasFocus
}

/** The changes; null until they are known, `failed` if they cannot be read. `isShown` says that the user is viewing them. */
export const useChanges = (
  { account, index, watched }: AppState,
  isShown: boolean,
): ChangesAnswer | "failed" | null => {
  const background = useBackground()
  const changed = watched.changed.length
  return useRead(async () => {
    // What changes after it was marked as looked at stays marked. A full disk does not prevent the answer.
    if (isShown) await background.ask({ type: "page.looked" }).catch(() => null)
    return background.index.changes()
  }, [background, account, index.contracts, index.completedAt, index.head?.readAt, changed, isShown])
}
