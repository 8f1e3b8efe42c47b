/** The contracts that were found, in groups, as the options of the search box: the arrow keys move through them while the focus stays above. */
import { useEffect, useRef } from "preact/hooks"
import type { ContractRow } from "../../../messages/PageMessage.ts"
import * as Age from "../../kit/Age.ts"
import { text } from "../../kit/Message.ts"
import type { RowGroup } from "./Search.ts"
import { Cut, Moment, nameOf, Place, Tags } from "../detail/Words.tsx"

export const optionId = (place: number): string => `row-${place}`

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
}) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView?.({ block: "nearest" })
  }, [isActive])
  return (
    <div
      ref={element}
      class="row"
      role="option"
      id={optionId(place)}
      aria-selected={isActive}
      onClick={() => onOpen(row.id)}
    >
      <Cut of={nameOf(row)} as="row-name" />
      <Tags row={row} />
      <Place row={row} />
      <span class="row-facts">
        <span class="row-id">#{row.id}</span>
        <Moment of={row.updatedAt}>{Age.age(row.updatedAt, now, "narrow")}</Moment>
      </span>
    </div>
  )
}

export const Rows = ({
  groups,
  active,
  now,
  onOpen,
}: {
  readonly groups: ReadonlyArray<RowGroup>
  /** Place of the chosen row, counted through all groups. */
  readonly active: number
  readonly now: number
  readonly onOpen: (id: number) => void
}) => {
  let place = 0
  return (
    <div id="rows" class="rows" role="listbox" aria-label={text("contracts")}>
      {groups.map(({ name, rows, title }) => (
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
