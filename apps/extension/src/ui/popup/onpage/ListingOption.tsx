/** A listing of the page as an option: its title, its first contracts, and their number if not all are shown. */
import * as Age from "../../kit/Age.ts"
import { number, plural, text } from "../../kit/Message.ts"
import { Cut, Moment, nameOf, StatusPill } from "../detail/Words.tsx"
import { Option } from "../search/Option.tsx"
import { updatedAt } from "./Listings.ts"
import type { Listing } from "./Listings.ts"

/** Maximum number of contracts shown for one listing; a filter or the search shows others. */
const mostShown = 3

/** The id of the option's element, which the list refers to. */
export const optionId = (listing: number): string => `listing-${listing}`

/** The number of contracts; empty for a single one, which is visible. */
const countOf = ({ rows, total }: Listing): string => {
  if (total === 0) return text("onPageNone")
  if (rows.length < total) return text("onPageOf", number(rows.length), number(total))
  return total === 1 ? "" : plural("contracts", total)
}

export const ListingOption = ({
  listing,
  isActive,
  now,
  onShow,
}: {
  readonly listing: Listing
  readonly isActive: boolean
  readonly now: number
  readonly onShow: () => void
}) => {
  const { id, rows, title, total } = listing
  const shown = rows.slice(0, mostShown)
  const latest = updatedAt(listing)
  return (
    <Option id={optionId(id)} isActive={isActive} as="row listing" onChoose={onShow}>
      <p class="listing-head">
        <Cut of={title} as="row-name" />
        <span class="listing-count">
          {countOf(listing)}
          {total > 1 ? " · " : null}
          {latest === "" ? null : <Moment of={latest}>{Age.age(latest, now, "narrow")}</Moment>}
        </span>
      </p>
      {shown.map((row) => (
        <p key={row.id} class="listing-contract">
          <Cut of={nameOf(row)} as="row-title" />
          <Cut of={row.kind} as="row-kind" to={40} />
          <StatusPill status={row.status} />
          <span class="row-id" dir="ltr">
            #{row.id}
          </span>
        </p>
      ))}
      {rows.length > shown.length ? (
        <p class="listing-more">{text("listingMore", number(rows.length - shown.length))}</p>
      ) : null}
    </Option>
  )
}
