/**
 * What a page of the extension asks the content script of the tab in front, and the answers. The script answers only the extension's own
 * pages. A page's renderer may be hostile, so its answer is checked as well: sizes with shapes, and what it says is only text. Content scripts
 * have no library, so the checks are plain.
 */
import { longestReference } from "./ListingMessage.ts"
import type { Reference } from "./ListingMessage.ts"

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

/** The members of an object that has exactly these; null for any other value. */
export const membersOf = <Name extends string>(
  value: unknown,
  ...names: ReadonlyArray<Name>
): { readonly [_ in Name]: unknown } | null =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === names.length &&
  names.every((name) => Object.hasOwn(value, name))
    ? (value as { readonly [_ in Name]: unknown })
    : null

const isInteger = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least

/** Whether a value is a request to a content script. */
export const isTabRequest = (value: unknown): value is TabRequest => {
  const show = membersOf(value, "type", "id")
  return show === null
    ? membersOf(value, "type")?.type === "tab.cards"
    : show.type === "tab.show" && isInteger(show.id, 1)
}

/** Whether a value is a text of at most this many UTF-16 units, which may be empty. */
export const isText = (value: unknown, longest: number): value is string =>
  typeof value === "string" && value.length <= longest

/** Whether a value is a list of texts of some length, and of at most so many. */
export const areTexts = (value: unknown, most: number, longest: number): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.length <= most && value.every((text) => text !== "" && isText(text, longest))

const isCard = (value: unknown): boolean => {
  const card = membersOf(value, "id", "title", "references")
  return (
    card !== null &&
    isInteger(card.id, 1) &&
    isText(card.title, longestTitle) &&
    areTexts(card.references, mostReferencesOfCard, longestReference)
  )
}

const isPageCards = (value: unknown): value is PageCards => {
  const { cards, total } = membersOf(value, "cards", "total") ?? {}
  return Array.isArray(cards) && cards.length <= mostCards && cards.every(isCard) && isInteger(total, 0)
}

/** Whether a value answers each request. */
export const isTabAnswer: {
  readonly [Type in TabRequest["type"]]: (value: unknown) => value is TabAnswers[Type]
} = {
  "tab.cards": isPageCards,
  "tab.show": (value) => typeof value === "boolean",
}
