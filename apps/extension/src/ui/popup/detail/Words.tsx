/** The parts of a contract that rows and details both show. Texts of the service are truncated to the available room and keep their direction. */
import { createContext } from "preact"
import type { ComponentChildren } from "preact"
import { useContext } from "preact/hooks"
import type { QueryField } from "../../../index/Query.ts"
import type { ContractRow } from "../../../index/PageIndex.ts"
import * as Age from "../../kit/Age.ts"
import { text, worded } from "../../kit/Message.ts"

/** Highlights the searched letters in a field. */
export type Mark = (text: string, field: QueryField | "id") => ComponentChildren

/** Highlights nothing. */
export const plainly: Mark = (text) => text

export const Marking = createContext<Mark>(plainly)

/** Longest text, in characters; rows and headings cannot show more. The fields of the detail show it completely. */
export const longest = 160
/** The same of a status. */
export const longestStatus = 60

/** A text of the service, truncated at its end, which is on the left in some scripts. */
export const Cut = ({
  of,
  as,
  to = longest,
  field,
}: {
  readonly of: string
  readonly as: string
  readonly to?: number
  /** The field of the text, if it can be searched. */
  readonly field?: QueryField | "id"
}) => {
  const mark = useContext(Marking)
  const cut = of.slice(0, to)
  return <bdi class={as}>{field === undefined ? cut : mark(cut, field)}</bdi>
}

export const nameOf = ({ unitLabel }: ContractRow): string =>
  unitLabel.trim() === "" ? text("noUnit") : unitLabel

/** The listing and its city. */
export const Place = ({ row: { city, title } }: { readonly row: ContractRow }) => (
  <span class="row-place">
    {title === null ? text("noListing") : <Cut of={title} as="row-title" field="listing" />}
    {city === null ? null : (
      <span class="row-city">
        <Cut of={city} as="row-city-name" to={60} field="city" />
      </span>
    )}
  </span>
)

/** A status as a small pill. Statuses that the specification names have their own tone. */
export const StatusPill = ({ status }: { readonly status: string }) => (
  <span class="status" data-tone={status.slice(0, 20)}>
    <Cut of={worded(status)} as="status-name" to={longestStatus} field="status" />
  </span>
)

/** A moment as text; hovering shows the exact moment. */
export const Moment = ({ of, children }: { readonly of: string; readonly children: string }) => (
  <time dateTime={of} title={Age.moment(of)}>
    {children}
  </time>
)
