/** What has changed in the index of the account in use, read anew when the index may have changed. */
import { useEffect, useState } from "preact/hooks"
import type { AppState, ChangesAnswer } from "../../../messages/AppState.ts"
import { useBackground } from "../../state/Live.ts"

/** The changes; null while they are not known, and `failed` where they cannot be read. */
export const useChanges = ({ account, index }: AppState): ChangesAnswer | "failed" | null => {
  const background = useBackground()
  const [answer, setAnswer] = useState<ChangesAnswer | "failed" | null>(null)
  useEffect(() => {
    let isWanted = true
    void background
      .ask({ type: "page.changes" })
      .catch(() => "failed" as const)
      .then((found) => {
        if (isWanted) setAnswer(found)
      })
    return () => {
      isWanted = false
    }
  }, [background, account, index.contracts, index.completedAt, index.head?.readAt])
  return answer
}
