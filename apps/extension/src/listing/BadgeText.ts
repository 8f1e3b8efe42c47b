/**
 * A listing's contracts in words: in short on its badge, in full for whoever has it read out. Each number counts exactly the contracts of
 * which the words after it are true.
 */
import type { BadgeFact } from "../messages/ListingMessage.ts"
import { number, plural, text } from "../ui/Message.ts"
import { apart, tone } from "./Value.ts"

/** Characters of a status that fit on a badge beside two numbers. */
const statusCharacters = 11

/** A value between marks that keep its direction, or a sign that there is none. */
const said = (value: string, most?: number): string => apart(value, most) || "?"

/** Such as `1 active +2`: the contracts of the leading status, and how many others there are. */
export const brief = ({ count, leading, status }: BadgeFact): string => {
  const others = count - leading
  return `${number(leading)} ${said(status, statusCharacters)}${others > 0 ? ` +${number(others)}` : ""}`
}

/** Such as `3 contracts: 1 active (sale), 1 draft (sale), 1 ended (rent)`. */
export const label = ({ count, groups }: BadgeFact): string => {
  const named = groups.map((group) => `${number(group.count)} ${said(group.status)} (${said(group.kind)})`)
  const left = groups.reduce((rest, group) => rest - group.count, count)
  const more = left > 0 ? `. ${text("listingMore", number(left))}` : ""
  return `${plural("contracts", count)}: ${named.join(", ")}${more}`
}

/** The class of a badge: its colour is the leading status's. */
export const className = ({ status }: BadgeFact): string => `mark ${tone(status)}`
