/** The changes in the index of the account in use, read again whenever the index may have changed. */
import { useEffect, useState } from "preact/hooks"
import type { AppState, ChangesAnswer } from "../../../messages/AppState.ts"
import { useBackground, useRead } from "../../state/Live.ts"

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
