/** The mark of a card as it is kept from frame to frame: what it shows, where, and what was last known of its place. */
import type { BadgeFact, Reference } from "../../messages/ListingMessage.ts"
import type { Spot } from "./Anchor.ts"

export interface Listing {
  readonly reference: Reference
  readonly fact: BadgeFact
}

/** A card, and its mark. */
export interface Mark {
  readonly card: Element
  /** The first link of the card, by which the mark has its place: which of its links leads to a contract is not to be seen. */
  readonly link: Element
  /** The link of the listing that it shows. */
  named: Element
  /** Null where nothing is shown. */
  listing: Listing | null
  /** What it says, as JSON. */
  key: string
  spot: (Spot & { readonly width: number; readonly height: number }) | null
  box: HTMLElement | null
  layer: HTMLElement | null
  /** Where the box is in its layer, as a transform; empty where it is not seen. */
  at: string
  /** Frames until it is tested again whether something lies over it; null where it never was. */
  rest: number | null
}
