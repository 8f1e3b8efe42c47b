/** The mark of a card as it is kept from frame to frame: what it shows, where, and what was last known of its place. */
import type { BadgeFact, Reference } from "../../messages/ListingMessage.ts"
import type { Spot, Spots } from "./Anchor.ts"

export interface Listing {
  readonly reference: Reference
  readonly fact: BadgeFact
}

/** A card, and its mark. */
export interface Mark {
  readonly card: Element
  /** The first link of the card, which determines the mark's place, so that the place does not show which link leads to a contract. */
  readonly link: Element
  /** The link to the listing that the mark shows. */
  named: Element
  /** Null if nothing is shown. */
  listing: Listing | null
  /** The listing as JSON; empty without one. */
  key: string
  /** Null until the card is measured. */
  spots: Spots | null
  /** Its place among them, with the size that its element had then. */
  spot: (Spot & { readonly width: number; readonly height: number }) | null
  box: HTMLElement | null
  layer: HTMLElement | null
  /** Where the box is in its layer, as a transform; empty if it is not seen. */
  at: string
  /** Frames until the mark is tested again for something that covers it; null if it never was. */
  rest: number | null
}
