/** What the script that lets the user choose a link sends to the page of the extension that asked for it. */
import * as Shape from "../../messages/Shape.ts"

/** The port between the two. It carries one choice at most, and ends when the site's page is left. */
export const port = "choose"

/** Links at most, the chosen one among them. */
export const mostLinks = 500
/** UTF-16 units of an address at most. */
export const longestAddress = 2_000

/** A link that the user chose. Addresses are those of the page's own site, from its root on. */
export interface Choice {
  readonly chosen: string
  /** All links of the page, each address once. */
  readonly links: ReadonlyArray<string>
}

const address = Shape.text(longestAddress, 1)

/** Whether a value is a choice. */
export const isChoice: Shape.Shape<Choice> = Shape.object({
  chosen: address,
  links: Shape.listOf(address, mostLinks),
})
