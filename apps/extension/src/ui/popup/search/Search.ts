/**
 * The popup's questions to the index while somebody types. At most one is under way and one waits, always the latest: an answer that was
 * overtaken is never shown.
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

/** Rows of the first answer, as many as a popup shows: they are painted before more are asked for. */
export const firstSize = 10

/** Rows of the second, and how many more come with each step down past the last one. */
export const pageSize = 50

/** The most rows that are asked for; who needs more types more. */
export const largestPage = 500

const firstQuery: Query = { text: "", limit: firstSize }

/** How long the popup waits for the first rows, so that it is drawn once and with them; then it shows where they will be. */
const patienceMillis = 80

/** The latest updates, asked for before there is anything to show them in; null when they take longer, and while it is locked. */
export const begin = (background: Background): Promise<Found | null> =>
  Promise.race([
    background
      .ask({ type: "page.search", ...firstQuery, counts: false })
      .then((answer: Partial<Found> | null): Found | null =>
        answer?.rows === undefined ? null : { ...(answer as Found), query: firstQuery },
      )
      .catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, patienceMillis, null)),
  ])

/**
 * The answer to the query, the one before it while the new one is on its way; `failed` when there was none. A new `revision` asks again.
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
  // The rows that were asked for before the first revision was known are of that revision.
  const first = useRef("")
  first.current ||= revision
  const change = revision === first.current ? "" : revision
  useLayoutEffect(() => {
    const run = async (): Promise<void> => {
      isRunning.current = true
      while (next.current !== null) {
        const asked = next.current
        next.current = null
        // The tables in memory are read for counts, which the very first rows do not wait for.
        const counts = asked.text !== "" || asked.limit > firstSize
        const known = await background.ask({ type: "page.search", ...asked, counts }).catch(() => null)
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

/** The number goes first, where there is one to tell: long titles are cut. */
const titleOf = (here: Here): string => {
  const { rows, total } = here
  const words = wordsOf(here)
  return total > rows.length ? `${text("foundOf", number(rows.length), number(total))} · ${words}` : words
}

/** The rows as they are shown: with nothing typed the page's own contracts first, and none of them twice. */
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

/** The contract id that was typed, if it is one: whole, positive, and as long as numbers are exact. */
export const typedId = (typed: string): number | null => {
  const digits = /^#?(\d{1,16})$/.exec(typed.trim())?.[1]
  const id = Number(digits)
  return digits !== undefined && id > 0 && Number.isSafeInteger(id) ? id : null
}
