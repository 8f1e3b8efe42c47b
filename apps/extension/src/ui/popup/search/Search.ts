/**
 * The popup's queries to the index while the user types. At most one is running and one waits, always the latest: an outdated answer is never shown.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { ContractRow, SearchAnswer } from "../../../messages/PageMessage.ts"
import type { Background } from "../../state/Background.ts"
import { number, text } from "../../kit/Message.ts"
import type { Here } from "./Subject.ts"

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
export const begin = (background: Background): Promise<Found | null> =>
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

export interface RowGroup {
  readonly name: "here" | "latest" | "found"
  readonly title: string
  readonly rows: ReadonlyArray<ContractRow>
}

const wordsOf = ({ isPage, title }: Here): string => {
  const name = title?.trim() ?? ""
  if (!isPage) return name === "" ? text("groupListing") : name
  return name === "" ? text("groupHere") : text("groupHereTitled", name)
}

/** The number, if any, comes first, because long titles are truncated. */
const titleOf = (here: Here): string => {
  const { rows, total } = here
  const words = wordsOf(here)
  return total > rows.length ? `${text("foundOf", number(rows.length), number(total))} · ${words}` : words
}

/** The rows as they are shown: if nothing is typed, the page's own contracts come first, without duplicates. */
export const groupsOf = (found: Found | null, here: Here | null): ReadonlyArray<RowGroup> => {
  const isSearch = found !== null && found.query.text.trim() !== ""
  const shown = isSearch || here === null ? [] : here.rows
  const ofPage = new Set(shown.map(({ id }) => id))
  const others = (found?.rows ?? []).filter(({ id }) => !ofPage.has(id))
  const hereTitle = here === null ? "" : titleOf(here)
  const groups: ReadonlyArray<RowGroup> = [
    { name: "here", title: hereTitle, rows: shown },
    isSearch
      ? { name: "found", title: text("groupFound"), rows: others }
      : { name: "latest", title: text("groupLatest"), rows: others },
  ]
  return groups.filter(({ rows }) => rows.length > 0)
}

/** The typed contract id; null if the text is not a positive integer within the exact range of numbers. */
export const typedId = (typed: string): number | null => {
  const digits = /^#?(\d{1,16})$/.exec(typed.trim())?.[1]
  const id = Number(digits)
  return digits !== undefined && id > 0 && Number.isSafeInteger(id) ? id : null
}
