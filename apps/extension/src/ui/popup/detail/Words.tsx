/** The parts of a contract that rows and detail show alike. Texts of the service are cut to what there is room for, and keep their direction. */
import type { ContractRow } from "../../../messages/PageMessage.ts"
import * as Age from "../../kit/Age.ts"
import { text } from "../../kit/Message.ts"
import { Status } from "../../kit/Status.tsx"

/** More of a text than any row or heading can show; the whole of it stands among the fields of the detail. */
const longest = 160

/** A text of the service, cut at its own end, which is the left one of some. */
export const Cut = ({
  of,
  as,
  to = longest,
}: {
  readonly of: string
  readonly as: string
  readonly to?: number
}) => <bdi class={as}>{of.slice(0, to)}</bdi>

export const nameOf = ({ unitLabel }: ContractRow): string =>
  unitLabel.trim() === "" ? text("noUnit") : unitLabel

/** The listing and its city. */
export const Place = ({ row: { city, title } }: { readonly row: ContractRow }) => (
  <span class="row-place">
    {title === null ? text("noListing") : <Cut of={title} as="row-title" />}
    {city === null ? null : (
      <span class="row-city">
        <Cut of={city} as="row-city-name" to={60} />
      </span>
    )}
  </span>
)

export const Tags = ({ row: { kind, status } }: { readonly row: ContractRow }) => (
  <span class="row-tags">
    <Cut of={kind} as="row-kind" to={40} />
    <Status status={status} />
  </span>
)

/** A moment in other words; the moment itself shows where the pointer rests. */
export const Moment = ({ of, children }: { readonly of: string; readonly children: string }) => (
  <time dateTime={of} title={Age.moment(of)}>
    {children}
  </time>
)
