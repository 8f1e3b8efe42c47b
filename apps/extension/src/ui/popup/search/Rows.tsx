/** The contracts found, in groups, as the options of the search box: the arrow keys move through them while the focus stays in the box. */
import type { ContractRow } from "../../../messages/PageMessage.ts"
import * as Age from "../../kit/Age.ts"
import { text } from "../../kit/Message.ts"
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { RowGroup } from "./Search.ts"
import { Cut, Moment, nameOf, Place, StatusPill } from "../detail/Words.tsx"

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
