/**
 * The contracts of a listing as card and panel show them: unit, kind, status, dates, and how old each fact is. Text nodes only.
 */
import type { MessageName } from "../BrowserNames.ts"
import type { ListingContract, ListingDetail } from "../messages/ListingMessage.ts"
import { age, moment } from "../ui/Age.ts"
import { number, text } from "../ui/Message.ts"
import { element } from "./Shadow.ts"
import { isolated, tone } from "./Value.ts"

/** A moment in some words; the moment itself is at hand for whoever wants it exactly. */
const time = (page: Document, name: MessageName, iso: string, said: string): HTMLElement => {
  const made = page.createElement("time")
  made.dateTime = iso
  made.title = moment(iso)
  made.textContent = text(name, said)
  return made
}

const item = (page: Document, contract: ListingContract, nowMillis: number): HTMLElement => {
  const { createdAt, id, kind, seenAt, status, unitLabel, updatedAt } = contract
  const unit = unitLabel.trim() === "" ? text("listingContract", String(id)) : unitLabel
  return element(
    page,
    "li",
    "",
    element(
      page,
      "div",
      "line",
      isolated(page, unit),
      element(page, "span", `mark ${tone(status)}`, isolated(page, kind), " · ", isolated(page, status)),
    ),
    element(
      page,
      "div",
      "quiet",
      time(page, "listingCreated", createdAt, moment(createdAt)),
      time(page, "listingUpdated", updatedAt, moment(updatedAt)),
      time(page, "listingSeen", seenAt, age(seenAt, nowMillis)),
    ),
  )
}

/** A listing's title and city, the first `most` of its contracts, and how many more there are. */
export const show = (page: Document, detail: ListingDetail, most: number): ReadonlyArray<Node> => {
  const { city, contracts, title, total } = detail
  const now = Date.now()
  const shown = [
    element(page, "b", "", isolated(page, title ?? "")),
    element(page, "div", "quiet", isolated(page, city ?? "")),
    element(page, "ul", "", ...contracts.slice(0, most).map((contract) => item(page, contract, now))),
  ]
  const left = total - Math.min(most, contracts.length)
  if (left > 0) shown.push(element(page, "p", "quiet", text("listingMore", number(left))))
  return shown
}
