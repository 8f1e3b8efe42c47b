/** The message that the script for choosing a link sends to the extension page that asked for it. */
import { areTexts, membersOf } from "../../messages/TabMessage.ts"

/** Name of the port between the two. It carries one choice at most, and ends when the site's page is left. */
export const port = "choose"

/** Most links of a choice, including the chosen one. */
export const mostLinks = 500
/** Longest address, in UTF-16 units. */
export const longestAddress = 2_000

/** A link that the user chose. All addresses are of the page's own site and begin at its root. */
export interface Choice {
  readonly chosen: string
  /** All links of the page, each address once. */
  readonly links: ReadonlyArray<string>
}

/** Whether a value is a list of addresses of a page. */
export const areAddresses = (value: unknown): value is ReadonlyArray<string> =>
  areTexts(value, mostLinks, longestAddress)

/** Whether a value is a choice. */
export const isChoice = (value: unknown): value is Choice => {
  const choice = membersOf(value, "chosen", "links")
  return choice !== null && areAddresses([choice.chosen]) && areAddresses(choice.links)
}
