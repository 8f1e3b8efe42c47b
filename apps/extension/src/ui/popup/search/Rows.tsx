/**
 * The search box, and below it the contracts found, in groups, as the options of the box: the arrow keys move through them while the focus stays in the
 * box.
 */
import type { ContractRow } from "../../../messages/PageMessage.ts"
import * as Age from "../../kit/Age.ts"
import { text, number } from "../../kit/Message.ts"
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Cut, Moment, nameOf, Place, StatusPill } from "../detail/Words.tsx"
import { Icon } from "../../kit/Icon.tsx"
import { IconButton } from "../../kit/Button.tsx"
import type { Found } from "./Search.ts"
import type { Here } from "./Subject.ts"

interface RowGroup {
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
