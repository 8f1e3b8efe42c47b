/**
 * The popup's queries to the index while the user types. At most one is running and one waits, always the latest: an outdated answer is never shown.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { SearchAnswer } from "../../../messages/PageMessage.ts"
import type { Background } from "../../state/Background.ts"

interface Query {
  readonly text: string
  readonly limit: number
}

export interface Found extends SearchAnswer {
  readonly query: Query
}

/** Number of rows of the first answer, as many as a popup shows: they are painted before more are requested. */
export const firstSize = 10

/** Number of rows of the second answer, and of each further page when the user moves past the last row. */
export const pageSize = 50

/** Maximum number of rows that are requested. To see others, the user types more. */
export const largestPage = 500

const firstQuery: Query = { text: "", limit: firstSize }

/** How long the popup waits for the first rows, so that it is rendered only once, with them. After that it shows placeholders. */
const patienceMillis = 80

/** The latest updates, requested before the popup is rendered; null if they take longer. */
export const beginSearch = (background: Background): Promise<Found | null> =>
  Promise.race([
    background.index
      .search({ ...firstQuery, counts: false })
      .then((answer): Found => ({ ...answer, query: firstQuery }))
      .catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, patienceMillis, null)),
  ])

/**
 * The answer to the query; the previous one until the new one arrives; `failed` if there was no answer. A new `revision` repeats the query.
 */
export const useSearch = (
  background: Background,
  query: Query,
  revision: string,
  begun: Found | null,
): { readonly found: Found | null; readonly hasFailed: boolean } => {
  const [answer, setAnswer] = useState<{ readonly found: Found | null; readonly hasFailed: boolean }>({
    found: begun,
    hasFailed: false,
  })
  const next = useRef<Query | null>(null)
  const isRunning = useRef(false)
  const isBegun = useRef(begun !== null)
  const { limit, text: typed } = query
  // Rows that were requested before the first revision was known belong to that revision.
  const first = useRef("")
  first.current ||= revision
  const change = revision === first.current ? "" : revision
  useLayoutEffect(() => {
    const run = async (): Promise<void> => {
      isRunning.current = true
      while (next.current !== null) {
        const asked = next.current
        next.current = null
        // Counts need the entries of the index, and the very first rows do not wait for those.
        const counts = asked.text !== "" || asked.limit > firstSize
        const known = await background.index.search({ ...asked, counts }).catch(() => null)
        if (next.current !== null) continue
        setAnswer(({ found }) => ({
          found: known === null ? found : { ...known, query: asked },
          hasFailed: known === null,
        }))
      }
      isRunning.current = false
    }
    if (isBegun.current) {
      isBegun.current = false
      return
    }
    next.current = { text: typed, limit }
    if (!isRunning.current) void run()
  }, [background, typed, limit, change])
  return answer
}
