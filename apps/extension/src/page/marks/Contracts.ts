/** The contracts of a listing as card and panel show them: unit, kind, status, dates, and when the service last said so. */
import type { MessageName } from "../../BrowserNames.ts"
import type { ListingContract, ListingDetail } from "../../messages/ListingMessage.ts"
import { moment } from "../../ui/kit/Age.ts"
import { number, text } from "../../ui/kit/Message.ts"
import { dress, element, line } from "./Shadow.ts"
import { apart, shown } from "./Value.ts"

const time = (page: Document, name: MessageName, iso: string): HTMLElement =>
  line(page, "div", "quiet", text(name, moment(iso)))

const item = (page: Document, contract: ListingContract): HTMLElement => {
  const { createdAt, id, kind, seenAt, status, unitLabel, updatedAt } = contract
  const unit = unitLabel.trim() === "" ? text("listingContract", String(id)) : unitLabel
  const mark = page.createElement("div")
  dress(mark, status, `${apart(kind)} · ${apart(status)}`)
  return element(
    page,
    "li",
    "",
    element(page, "div", "line", line(page, "div", "", shown(unit)), mark),
    time(page, "listingCreated", createdAt),
    time(page, "listingUpdated", updatedAt),
    time(page, "listingSeen", seenAt),
  )
}

/** A listing's title and city, the first `most` of its contracts, and how many more there are; without a detail, that there is none. */
export const show = (page: Document, detail: ListingDetail | null, most: number): ReadonlyArray<Node> => {
  if (detail === null) return [line(page, "p", "note", text("listingFailed"))]
  const { city, contracts, title, total } = detail
  const lines = [
    line(page, "b", "", shown(title ?? "")),
    line(page, "div", "quiet", shown(city ?? "")),
    element(page, "ul", "", ...contracts.slice(0, most).map((contract) => item(page, contract))),
  ]
  const left = total - Math.min(most, contracts.length)
  if (left > 0) lines.push(line(page, "p", "quiet", text("listingMore", number(left))))
  return lines
}
