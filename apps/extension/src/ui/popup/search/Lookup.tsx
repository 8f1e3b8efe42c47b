/**
 * Looking contracts up: the box, the rows, and the keys that move through them while the focus stays in the box. The contracts of the page
 * in front come first; rows of the index are asked for at once and wait for nothing else.
 */
import { useLayoutEffect, useState } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import type { SearchField } from "../../../messages/PageMessage.ts"
import type { Step } from "../../../failures/FailureButtons.ts"
import type { Advice } from "../../advice/Advice.ts"
import { useBackground } from "../../state/Live.ts"
import { number, plural, text } from "../../kit/Message.ts"
import { Notice } from "../../advice/Notice.tsx"
import { EmptyResults } from "./EmptyResults.tsx"
import { Rows } from "./Rows.tsx"
import { groupsOf, largestPage, pageSize, typedId, useSearch } from "./Search.ts"
import type { Found } from "./Search.ts"
import { SearchBox } from "./SearchBox.tsx"
import type { Here } from "./Subject.ts"

/** Rows that Page Up and Page Down pass. */
const leap = 6

/** The notice of the first sync, before there is anything to search. */
const firstSync = (): Advice => ({
  tone: "plain",
  title: text("firstSyncTitle"),
  body: text("firstSyncBody"),
  steps: [],
})

const countOf = ({ query, rows, total }: Found): string => {
  if (rows.length === 0 || (query.text.trim() === "" && total === rows.length)) return ""
  if (total === null) return text("foundAtLeast", number(rows.length))
  return total > rows.length
    ? text("foundOf", number(rows.length), number(total))
    : plural("foundAll", rows.length)
}

export const Lookup = ({
  isHidden,
  initial,
  state,
  advice,
  here,
  now,
  revision,
  onOpen,
  onStep,
}: {
  /** Whether a contract is looked at instead. */
  readonly isHidden: boolean
  /** What stands in the box at first. */
  readonly initial: string
  readonly state: AppState | null
  readonly advice: Advice | null
  readonly here: Here | null
  readonly now: number
  readonly revision: string
  readonly onOpen: (id: number) => void
  readonly onStep: (step: Step) => void
}) => {
  const background = useBackground()
  const [typed, setTyped] = useState(initial)
  const [by, setBy] = useState<SearchField>("any")
  const [limit, setLimit] = useState(pageSize)
  const [chosen, setChosen] = useState<number | null>(null)
  const [isEntered, setEntered] = useState(false)
  const { found, hasFailed } = useSearch(background, { text: typed, by, limit }, revision)
  const groups = groupsOf(found, here)
  const ids = groups.flatMap(({ rows }) => rows.map(({ id }) => id))
  const active = chosen === null ? 0 : Math.max(0, ids.indexOf(chosen))
  const isAnswered = found !== null && found.query.text === typed && found.query.by === by
  const canGrow =
    found !== null &&
    found.rows.length >= limit &&
    limit < largestPage &&
    (found.total === null || found.total > limit)

  const type = (next: string, field: SearchField = by): void => {
    setTyped(next)
    setBy(field)
    setLimit(pageSize)
    setChosen(null)
    setEntered(false)
  }
  const grow = (): void => setLimit(Math.min(limit + pageSize, largestPage))
  const move = (by: number): void => {
    const next = Math.max(0, active + by)
    if (next >= ids.length - 1 && canGrow) grow()
    setChosen(ids[Math.min(next, ids.length - 1)] ?? null)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const moves: { readonly [key: string]: number } = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: leap,
      PageUp: -leap,
    }
    if (Object.hasOwn(moves, event.key)) move(moves[event.key] ?? 0)
    else if (event.key === "Enter") setEntered(true)
    else if (event.key === "Escape" && typed !== "") type("")
    else return
    event.preventDefault()
  }

  // Enter means the first row for what was typed, also when it was pressed before the answer came.
  useLayoutEffect(() => {
    if (!isEntered || !isAnswered) return
    setEntered(false)
    const id = ids[active] ?? typedId(found.query)
    if (id !== null) onOpen(id)
  }, [isEntered, isAnswered])

  const isEmpty = state !== null && state.index.contracts === 0
  const notice = advice ?? (isEmpty && state.sync._tag === "Syncing" ? firstSync() : null)
  return (
    <main class="lookup" hidden={isHidden}>
      {isEmpty ? null : (
        <SearchBox
          typed={typed}
          by={by}
          active={active}
          hasRows={ids.length > 0}
          onType={type}
          onField={(field) => type(typed, field)}
          onKey={onKey}
        />
      )}
      {notice === null ? null : <Notice advice={notice} onStep={onStep} isLarge={isEmpty} />}
      <Rows groups={groups} active={active} now={now} onOpen={onOpen} />
      {found === null || ids.length > 0 || isEmpty ? null : (
        <EmptyResults
          query={found.query}
          checked={state?.index.contracts ?? 0}
          isComplete={state === null || state.index.completedAt !== null}
          onEverywhere={() => type(typed, "any")}
          onAsk={onOpen}
        />
      )}
      <div class="lookup-end">
        <p role="status">{hasFailed ? text("searchFailed") : found === null ? "" : countOf(found)}</p>
        {canGrow ? (
          <button type="button" class="button button-small button-quiet" onClick={grow}>
            {text("showMore")}
          </button>
        ) : null}
      </div>
    </main>
  )
}
