/** The message that the script for choosing a link sends to the extension page that asked for it. */
import * as Shape from "../../messages/Shape.ts"

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

const address = Shape.text(longestAddress, 1)

/** Whether a value is a list of addresses of a page. */
export const areAddresses = Shape.listOf(address, mostLinks)

/** Whether a value is a choice. */
export const isChoice: Shape.Shape<Choice> = Shape.object({
  chosen: address,
  links: areAddresses,
})
