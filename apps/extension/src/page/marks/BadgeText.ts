/**
 * A listing's contracts in words: in short on its badge, in full for screen readers. Each number counts exactly the contracts that the
 * words after it describe.
 */
import type { BadgeFact } from "../../messages/ListingMessage.ts"
import { number, plural, text, worded } from "../../ui/kit/Message.ts"
import * as Shadow from "./Shadow.ts"
import { apart } from "./Value.ts"

/** The largest number that fits on a badge. */
const mostShown = 999

const short = (count: number): string => (count > mostShown ? `${mostShown}+` : String(count))

/** A value in words, between characters that isolate its direction; `?` if it is empty. */
const said = (value: string): string => apart(worded(value)) || "?"

/** Such as `3 contracts: 1 active (sale), 1 draft (sale), 1 ended (rent)`. */
export const label = ({ count, groups }: BadgeFact): string => {
  const named = groups.map((group) => `${number(group.count)} ${said(group.status)} (${said(group.kind)})`)
  const left = groups.reduce((rest, group) => rest - group.count, count)
  const more = left > 0 ? `. ${text("listingMore", number(left))}` : ""
  return `${plural("contracts", count)}: ${named.join(", ")}${more}`
}

/** Makes an element a mark that shows how many contracts have the leading status, and how many others there are: `1 active` and `+2`. */
export const write = (mark: HTMLElement, { count, leading, status }: BadgeFact): void => {
  const others = count - leading
  Shadow.dress(mark, status, `${short(leading)} ${said(status)}`)
  if (others > 0) mark.dataset["more"] = `+${short(others)}`
  else delete mark.dataset["more"]
}
