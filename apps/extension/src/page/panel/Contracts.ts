/** The contracts of a listing as the card and the panel show them: unit, kind, status, dates, and when the service last reported them. */
import type { MessageName } from "../../BrowserNames.ts"
import type { ListingContract, ListingDetail } from "../../messages/ListingMessage.ts"
import { moment } from "../../ui/kit/Age.ts"
import { number, text, worded } from "../../ui/kit/Message.ts"
import { apart, dress, element, line, shown } from "../Host.ts"

const time = (name: MessageName, iso: string): HTMLElement => line("div", "quiet", text(name, moment(iso)))

const item = (contract: ListingContract): HTMLElement => {
  const { createdAt, id, kind, seenAt, status, unitLabel, updatedAt } = contract
  const unit = unitLabel.trim() === "" ? text("listingContract", String(id)) : unitLabel
  const mark = document.createElement("div")
  dress(mark, status, `${apart(worded(kind))} · ${apart(worded(status))}`)
  return element(
    "li",
    "",
    element("div", "line", line("div", "", shown(unit)), mark),
    time("listingCreated", createdAt),
    time("listingUpdated", updatedAt),
    time("listingSeen", seenAt),
  )
}

/** A listing's title and city, the first `most` of its contracts, and how many more there are; without a detail, a note that there is none. */
export const show = (detail: ListingDetail | null, most: number): ReadonlyArray<Node> => {
  if (detail === null) return [line("p", "note", text("listingFailed"))]
  const { city, contracts, title, total } = detail
  const lines = [
    line("b", "", shown(title ?? "")),
    line("div", "quiet", shown(city ?? "")),
    element("ul", "", ...contracts.slice(0, most).map((contract) => item(contract))),
  ]
  const left = total - Math.min(most, contracts.length)
  if (left > 0) lines.push(line("p", "quiet", text("listingMore", number(left))))
  return lines
}
