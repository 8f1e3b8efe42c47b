/**
 * The lookup of contracts: the search box, the rows, and the keys that move through them while the focus stays in the box. The contracts of the page
 * in front come first; rows of the index are requested at once and wait for nothing else. The code for highlights, filters and commands is loaded
 * after the first rows are shown.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import type { Step } from "../../../failures/ConnectionFailure.ts"
import { isReading } from "../../advice/Advice.ts"
import type { Advice } from "../../advice/Advice.ts"
import { useBackground } from "../../state/Live.ts"
import { number, plural, text } from "../../kit/Message.ts"
import { Notice } from "../../advice/Notice.tsx"
import { later, useLoaded } from "../../kit/Later.tsx"
import { Marking, plainly } from "../detail/Words.tsx"
import type { Command } from "./Commands.tsx"
import type { Filter } from "./Filters.tsx"
import { Button } from "../../kit/Button.tsx"
import type { Here } from "./Subject.ts"
import { firstSize, largestPage, pageSize, Rows, SearchBox, useSearch } from "./Rows.tsx"
import type { Found, RowGroup } from "./Rows.tsx"

/** The typed contract id; null if the text is not a positive integer within the exact range of numbers. */
const typedId = (typed: string): number | null => {
  const digits = /^#?(\d{1,16})$/.exec(typed.trim())?.[1]
  const id = Number(digits)
  return digits !== undefined && id > 0 && Number.isSafeInteger(id) ? id : null
}

/** Number of rows that Page Up and Page Down move by. */
const leap = 6

/** The notice of the first sync, before there is anything to search. */
const firstSync = (): Advice => ({
  tone: "plain",
  title: text("firstSyncTitle"),
  body: text("firstSyncBody"),
  steps: [],
})

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
const groupsOf = (found: Found | null, here: Here | null): ReadonlyArray<RowGroup> => {
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

const countOf = ({ query, rows, total }: Found): string => {
  if (rows.length === 0 || (query.text.trim() === "" && total === rows.length)) return ""
  return total > rows.length
    ? text("foundOf", number(rows.length), number(total))
    : plural("foundAll", rows.length)
}

/** A search without matches: how many contracts were checked, and what else to try. */
const EmptyResults = ({
  typed,
  checked,
  isComplete,
  isFiltered,
  onAll,
  onAsk,
}: {
  readonly typed: string
  /** Number of contracts that were searched. */
  readonly checked: number
  /** Whether a sync was ever complete. */
  readonly isComplete: boolean
  readonly isFiltered: boolean
  /** Removes the filters. */
  readonly onAll: () => void
  readonly onAsk: (id: number) => void
}) => {
  const id = typedId(typed)
  if (typed.trim() === "" && !isFiltered) return null
  return (
    <div class="empty-results">
      <p>{plural("foundNone", checked)}</p>
      {isComplete ? null : <p class="quiet">{text("foundIncomplete")}</p>}
      {id === null ? null : (
        <Button kinds="main" onClick={() => onAsk(id)}>
          {text("foundAtService", String(id))}
        </Button>
      )}
      {isFiltered ? <Button onClick={onAll}>{text("filtersClear")}</Button> : null}
    </div>
  )
}

const Filters = later(() => import("./Filters.tsx").then((loaded) => loaded.Filters))

const everything: Filter = { status: null, kind: null }

/** A text with the terms of a filter: see `index/Query.ts`. */
const filtered = (typed: string, filter: Filter): string =>
  [
    typed,
    ...(["status", "kind"] as const).map((name) => {
      const value = filter[name]
      return value === null ? "" : `${name}:"${value.replaceAll('"', "")}"`
    }),
  ]
    .join(" ")
    .trim()

export const Lookup = ({
  isHidden,
  initial,
  begun,
  state,
  advice,
  here,
  origin,
  now,
  revision,
  onOpen,
  onStep,
  onCommand,
}: {
  /** Whether a contract is shown instead. */
  readonly isHidden: boolean
  /** The initial text of the box. */
  readonly initial: string
  /** The results for an empty box, if they are already known. */
  readonly begun: Found | null
  readonly state: AppState | null
  readonly advice: Advice | null
  readonly here: Here | null
  /** The site in front; null for none. */
  readonly origin: string | null
  readonly now: number
  readonly revision: string
  readonly onOpen: (id: number) => void
  readonly onStep: (step: Step) => void
  readonly onCommand: (command: Command) => void
}) => {
  const { index } = useBackground()
  const [typed, setTyped] = useState(initial)
  const [filter, setFilter] = useState(everything)
  const isFiltered = filter.status !== null || filter.kind !== null
  const [limit, setLimit] = useState(firstSize)
  const [chosen, setChosen] = useState<number | string | null>(null)
  const [isEntered, setEntered] = useState(false)
  const isCommanding = typed.startsWith(">")
  const highlight = useLoaded(typed !== "", () => import("./Highlight.tsx"))
  const palette = useLoaded(isCommanding, () => import("./Commands.tsx"))
  const mark = useMemo(() => highlight?.markOf(typed), [highlight, typed])
  const asked = isCommanding ? "" : filtered(typed, filter)
  const { found, hasFailed } = useSearch(index, { text: asked, limit }, revision, begun)
  const groups = found === null && here === null ? null : groupsOf(found, here)
  const commands =
    isCommanding && palette !== null && state !== null ? palette.of(state, origin, typed) : null
  const ids: ReadonlyArray<number | string> = isCommanding
    ? (commands ?? []).map(({ id }) => id)
    : (groups ?? []).flatMap(({ rows }) => rows.map(({ id }) => id))
  const active = chosen === null ? 0 : Math.max(0, ids.indexOf(chosen))
  const isAnswered = isCommanding ? commands !== null : found?.query.text === asked
  const isFirst = found?.query.limit === firstSize && (found.total > firstSize || found.groups === null)
  const canGrow =
    !isCommanding &&
    found !== null &&
    found.rows.length >= limit &&
    limit < largestPage &&
    found.total > limit

  const begin = (): void => {
    setLimit(firstSize)
    setChosen(null)
    setEntered(false)
  }
  const type = (next: string): void => {
    setTyped(next)
    begin()
  }
  const choose = (name: keyof Filter, value: string): void => {
    setFilter((before) => ({ ...before, [name]: before[name] === value ? null : value }))
    begin()
  }
  const chooseAll = (): void => {
    setFilter(everything)
    begin()
  }
  // After the first rows were painted.
  useEffect(() => {
    if (isFirst) setLimit(Math.max(limit, pageSize))
  }, [isFirst, found])

  const grow = (): void => setLimit(Math.min(limit + pageSize, largestPage))
  const move = (by: number): void => {
    const next = Math.max(0, active + by)
    if (next >= ids.length - 1 && canGrow && !isFirst) grow()
    setChosen(ids[Math.min(next, ids.length - 1)] ?? null)
  }
  const run = (command: Command): void => {
    type("")
    onCommand(command)
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
    else if (event.key === "Escape" && isFiltered) chooseAll()
    else return
    event.preventDefault()
  }

  // Enter opens the first row for the typed text, even if it was pressed before the answer arrived.
  useLayoutEffect(() => {
    if (!isEntered || !isAnswered) return
    setEntered(false)
    const command = commands?.[active]
    const id = isCommanding ? null : ((ids[active] as number | undefined) ?? typedId(typed))
    if (command !== undefined) run(command)
    else if (id !== null) onOpen(id)
  }, [isEntered, isAnswered])

  // Counts stay visible until there are new ones.
  const counted = useRef(found)
  if (found !== null && (found.groups !== null || !isFirst)) counted.current = found
  const known = counted.current
  const isEmpty = state !== null && state.index.contracts === 0
  const notice = advice ?? (isEmpty && state.sync._tag === "Syncing" ? firstSync() : null)
  return (
    <div class="lookup" hidden={isHidden}>
      {isEmpty ? null : (
        <>
          <SearchBox typed={typed} active={active} hasRows={ids.length > 0} onType={type} onKey={onKey} />
          <div class="filters" hidden={isCommanding}>
            {known === null ? null : (
              <Filters
                asked={known.query.text}
                groups={known.groups ?? []}
                chosen={filter}
                onChoose={choose}
              />
            )}
          </div>
        </>
      )}
      {notice === null ? null : (
        <Notice
          advice={notice}
          onStep={onStep}
          isTrying={state !== null && isReading(state)}
          isLarge={isEmpty}
        />
      )}
      {isCommanding ? (
        palette === null ? null : (
          <palette.List commands={commands ?? []} active={active} onRun={run} />
        )
      ) : (
        <Marking.Provider value={mark ?? plainly}>
          <Rows groups={groups} active={active} now={now} onOpen={onOpen} />
        </Marking.Provider>
      )}
      {found === null || ids.length > 0 || isEmpty || isCommanding ? null : (
        <EmptyResults
          typed={typed}
          checked={state?.index.contracts ?? 0}
          isComplete={state === null || state.index.completedAt !== null}
          isFiltered={isFiltered}
          onAll={chooseAll}
          onAsk={onOpen}
        />
      )}
      <div class="lookup-end">
        <p role="status">
          {hasFailed
            ? text("searchFailed")
            : commands !== null
              ? commands.length === 0
                ? text("commandsNone")
                : ""
              : found === null || isFirst || isCommanding
                ? ""
                : countOf(found)}
        </p>
        {canGrow && !isFirst ? (
          <Button kinds="small quiet" onClick={grow}>
            {text("showMore")}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
