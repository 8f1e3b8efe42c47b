/**
 * A listing's contracts in words: in short on its badge, in full for screen readers. Each number counts exactly the contracts that the
 * words after it describe.
 */
import type { BadgeFact } from "../../messages/ListingMessage.ts"
import { number, plural, text, worded } from "../../ui/kit/Message.ts"
import * as Host from "../Host.ts"

const characters = 60
/** Spaces and invisible characters, except the two joiners that some scripts are written with. */
const invisible = /(?:(?![\u200C\u200D])[\s\p{Cc}\p{Cf}\p{Cs}])+/gu

/** The first half of a surrogate pair that was cut in two. */
const half = /[\uD800-\uDBFF]$/

/** A text without control characters, cut to 60 characters. */
export const shown = (text: string): string => {
  const line = text
    .slice(0, 4 * characters)
    .replace(invisible, " ")
    .trim()
  return line.length > characters ? `${line.slice(0, characters - 1).replace(half, "")}…` : line
}

const plain = /^[ -~]*$/

/**
 * A value with its direction isolated, between characters that it cannot contain itself. A value of plain ASCII needs none, and is laid
 * out sooner.
 */
export const apart = (text: string): string => {
  const line = shown(text)
  return plain.test(line) ? line : `\u2068${line}\u2069`
}

/** What stands on one picture of several, such as `1/10`. */
const counter = /^\d+\s*\/\s*\d+$/

/** The first of some texts that names a listing, as it is shown; empty if none does. */
export const nameIn = (texts: ReadonlyArray<string>): string =>
  texts.map(shown).find((text) => text !== "" && !counter.test(text)) ?? ""

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
  Host.dress(mark, status, `${short(leading)} ${said(status)}`)
  if (others > 0) mark.dataset["more"] = `+${short(others)}`
  else delete mark.dataset["more"]
}
