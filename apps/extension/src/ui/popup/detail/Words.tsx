/** The parts of a contract that rows and detail show alike. Texts of the service are cut to what there is room for, and keep their direction. */
import { createContext } from "preact"
import type { ComponentChildren } from "preact"
import { useContext } from "preact/hooks"
import type { QueryField } from "../../../index/search/Query.ts"
import type { ContractRow } from "../../../messages/PageMessage.ts"
import * as Age from "../../kit/Age.ts"
import { text } from "../../kit/Message.ts"

/** Marks the letters of a field that were looked for. */
export type Mark = (text: string, field: QueryField | "id") => ComponentChildren

/** Marks none. */
export const plainly: Mark = (text) => text

export const Marking = createContext<Mark>(plainly)

/** More of a text than any row or heading can show; the whole of it stands among the fields of the detail. */
const longest = 160

/** A text of the service, cut at its own end, which is the left one of some. */
export const Cut = ({
  of,
  as,
  to = longest,
  field,
}: {
  readonly of: string
  readonly as: string
  readonly to?: number
  /** What it is, where it can be looked for. */
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

/** A status as a small pill: those that the specification names have a tone of their own. */
export const StatusPill = ({ status }: { readonly status: string }) => (
  <span class="status" data-tone={status.slice(0, 20)}>
    <Cut of={status} as="status-name" to={60} field="status" />
  </span>
)

/** A moment in other words; the moment itself shows where the pointer rests. */
export const Moment = ({ of, children }: { readonly of: string; readonly children: string }) => (
  <time dateTime={of} title={Age.moment(of)}>
    {children}
  </time>
)
