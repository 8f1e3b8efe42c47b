/**
 * What a page of the extension asks the content script of the tab in front, and the answers. The script answers only the extension's own
 * pages. A page's renderer may be hostile, so its answer is checked as well: sizes with shapes, and what it says is only text.
 */
import { longestReference } from "./ListingMessage.ts"
import type { Reference } from "./ListingMessage.ts"
import * as Shape from "./Shape.ts"

/** Most listings of one answer; a page with more says how many there are. */
export const mostCards = 300
/** Most references of one listing. */
export const mostReferencesOfCard = 8
/** Longest title, in UTF-16 units: a page's script has cut it to fewer. */
const longestTitle = 200

export type TabRequest =
  /** The listings that the page's cards lead to. */
  | { readonly type: "tab.cards" }
  /** Scrolls to the card of an earlier answer and draws a frame around it for a moment. */
  | { readonly type: "tab.show"; readonly id: number }

/** A listing that a card of the page leads to. */
export interface PageCard {
  /** Its number on this page, the same for as long as the page is open. */
  readonly id: number
  /** What the page calls it; may be empty. */
  readonly title: string
  /** References that may name it, the likeliest first. */
  readonly references: ReadonlyArray<Reference>
}

/** The listings in the order of the page, and how many there are; more than these on a page with very many. */
export interface PageCards {
  readonly cards: ReadonlyArray<PageCard>
  readonly total: number
}

/** The answer to each request; that to the second is whether the card can be seen. */
export interface TabAnswers {
  readonly "tab.cards": PageCards
  readonly "tab.show": boolean
}

/** Whether a value is a request to a content script. */
export const isTabRequest = Shape.byType<TabRequest>({
  "tab.cards": Shape.object({}),
  "tab.show": Shape.object({ id: Shape.integer(1) }),
})

const card: Shape.Shape<PageCard> = Shape.object({
  id: Shape.integer(1),
  title: Shape.text(longestTitle),
  references: Shape.listOf(Shape.text(longestReference, 1), mostReferencesOfCard),
})

/** Whether a value answers each request. */
export const isTabAnswer: { readonly [Type in TabRequest["type"]]: Shape.Shape<TabAnswers[Type]> } = {
  "tab.cards": Shape.object({ cards: Shape.listOf(card, mostCards), total: Shape.integer(0) }),
  "tab.show": Shape.yesOrNo,
}
