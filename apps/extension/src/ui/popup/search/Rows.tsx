/**
 * A search while the user types: what is asked of the index, the search box, and below it the contracts found, in groups, as the options of the box.
 * The arrow keys move through them while the focus stays in the box.
 */
import type { PageIndex } from "../../../index/PageIndex.ts"
import type { ContractRow, SearchAnswer } from "../../../index/PageIndex.ts"
import * as Age from "../../kit/Age.ts"
import { text } from "../../kit/Message.ts"
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Cut, Moment, nameOf, Place, StatusPill } from "../detail/Words.tsx"
import { Icon } from "../../kit/Icon.tsx"
import { IconButton } from "../../kit/Button.tsx"

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
export const beginSearch = (index: PageIndex): Promise<Found | null> =>
  Promise.race([
    index
      .search({ ...firstQuery, counts: false })
      .then((answer): Found => ({ ...answer, query: firstQuery }))
      .catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, patienceMillis, null)),
  ])

/**
 * The answer to the query; the previous one until the new one arrives. At most one query is running and one waits, always the latest: an outdated
 * answer is never shown. A new `revision` repeats the query.
 */
export const useSearch = (
  index: PageIndex,
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
        const known = await index.search({ ...asked, counts }).catch(() => null)
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
  }, [index, typed, limit, change])
  return answer
}

export interface RowGroup {
  readonly name: "here" | "latest" | "found"
  readonly title: string
  readonly rows: ReadonlyArray<ContractRow>
}

/** The element id that the search box uses to refer to the option at a place. */
export const optionId = (place: number): string => `row-${place}`

/** One option of a list that keeps the focus: the arrow keys choose an option and scroll to it. */
export const Option = ({
  children,
  id,
  isActive,
  as = "row",
  onChoose,
}: {
  readonly children: ComponentChildren
  /** The id that the list, or the search box above it, uses to refer to the chosen option. */
  readonly id: string
  readonly isActive: boolean
  /** CSS classes. */
  readonly as?: string
  readonly onChoose: () => void
}) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView?.({ block: "nearest" })
  }, [isActive])
  return (
    <div ref={element} class={as} role="option" id={id} aria-selected={isActive} onClick={onChoose}>
      {children}
    </div>
  )
}

const Row = ({
  row,
  place,
  isActive,
  now,
  onOpen,
}: {
  readonly row: ContractRow
  readonly place: number
  readonly isActive: boolean
  readonly now: number
  readonly onOpen: (id: number) => void
}) => (
  <Option id={optionId(place)} isActive={isActive} onChoose={() => onOpen(row.id)}>
    <Cut of={nameOf(row)} as="row-name" field="unit" />
    <Cut of={row.kind} as="row-kind" to={40} field="kind" />
    <StatusPill status={row.status} />
    <Place row={row} />
    <span class="row-id" dir="ltr">
      #<Cut of={String(row.id)} as="" field="id" />
    </span>
    <Moment of={row.updatedAt}>{Age.age(row.updatedAt, now, "narrow")}</Moment>
  </Option>
)

/** Placeholder rows until the first rows arrive: as many as a popup has room for. */
const Skeleton = () => (
  <div class="skeleton" aria-hidden>
    {Array.from({ length: 7 }, (_, at) => (
      <p key={at} />
    ))}
  </div>
)

export const Rows = ({
  groups,
  active,
  now,
  onOpen,
}: {
  /** Null until they are known. */
  readonly groups: ReadonlyArray<RowGroup> | null
  /** Place of the chosen row, counted through all groups. */
  readonly active: number
  readonly now: number
  readonly onOpen: (id: number) => void
}) => {
  let place = 0
  return (
    <div id="rows" class="rows" role="listbox" aria-label={text("contracts")} aria-busy={groups === null}>
      {groups === null ? <Skeleton /> : null}
      {groups?.map(({ name, rows, title }) => (
        <div key={name} role="group" aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`} class="group-title" role="presentation">
            <Cut of={title} as="group-words" />
          </h2>
          {rows.map((row) => {
            const own = place++
            return (
              <Row key={row.id} row={row} place={own} isActive={own === active} now={now} onOpen={onOpen} />
            )
          })}
        </div>
      ))}
    </div>
  )
}

export const searchBoxId = "search"

export const SearchBox = ({
  label,
  typed,
  active,
  hasRows,
  onType,
  onKey,
}: {
  /** What is searched, if that is not contracts. */
  readonly label?: string
  readonly typed: string
  readonly active: number
  readonly hasRows: boolean
  readonly onType: (typed: string) => void
  readonly onKey: (event: KeyboardEvent) => void
}) => {
  const startWith = (text: string): void => {
    onType(text)
    document.getElementById(searchBoxId)?.focus()
  }
  return (
    <search class="search">
      <div class="search-box">
        <Icon name="search" />
        <input
          id={searchBoxId}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
          maxLength={200}
          value={typed}
          {...(typed === "" ? {} : { dir: "auto" as const })}
          placeholder={label ?? text("searchHint")}
          aria-label={label ?? text("searchLabel")}
          aria-autocomplete="list"
          aria-expanded={hasRows}
          aria-controls="rows"
          {...(hasRows ? { "aria-activedescendant": optionId(active) } : {})}
          onInput={(event) => onType(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        {typed !== "" ? (
          <IconButton icon="close" name={text("searchClear")} onPress={() => startWith("")} />
        ) : label === undefined ? (
          // By the keyboard, it is the character itself.
          <button
            type="button"
            class="search-commands"
            title={text("commands")}
            tabIndex={-1}
            onClick={() => startWith(">")}
          >
            <kbd aria-hidden="true">&gt;</kbd>
            <span class="unseen">{text("commands")}</span>
          </button>
        ) : null}
      </div>
    </search>
  )
}
