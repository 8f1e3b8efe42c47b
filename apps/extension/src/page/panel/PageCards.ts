/**
 * The listings that a page's cards lead to, for the extension's own pages: those with contracts, and those without whose links have the form of
 * one with contracts. A form is known only if a listing of it has a contract. Reads the page and changes nothing.
 */
import { mostCards, mostReferencesOfCard } from "../../messages/TabMessage.ts"
import type { PageCard, PageCards } from "../../messages/TabMessage.ts"
import { all, closest, headings } from "../Links.ts"
import type { Marks } from "../marks/Marks.ts"
import { boxOf } from "../marks/Anchor.ts"
import { nameIn } from "../Host.ts"

export interface Cards {
  readonly list: () => PageCards
  /** The card of a listing that was listed before, if it can be scrolled to. */
  readonly find: (id: number) => Element | null
}

/** Elements with links for navigating the site. Such a link counts as a listing only if that has contracts. */
const around = "nav,body>header,body>footer,[role=navigation],[role=banner],[role=contentinfo]"

export const make = (marks: Pick<Marks, "all" | "listingOf">): Cards => {
  /** The id of each listing by its key, not by its card: cards come and go, and are reused for other listings. */
  const ids = new Map<string, number>()
  const inOrder = () =>
    Array.from(marks.all())
      .filter(({ found }) => found.link.isConnected)
      .toSorted(({ found: { link: one } }, { found: { link: other } }) =>
        one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1,
      )
  return {
    list: () => {
      const links = inOrder()
      const forms = new Set(
        links.filter(({ found }) => marks.listingOf(found.link) !== null).map(({ form }) => form),
      )
      const cards = new Map<string, PageCard>()
      for (const { card, form, found, key } of links) {
        const known = marks.listingOf(found.link)?.reference
        if (!forms.has(form) || cards.has(key)) continue
        if (known === undefined && closest(card, around) !== null) continue
        const id = ids.get(key) ?? ids.size + 1
        ids.set(key, id)
        const references = new Set(known === undefined ? [] : [known])
        for (const reference of found.references) references.add(reference)
        cards.set(key, {
          id,
          title: titleOf(card, found.link),
          references: [...references].slice(0, mostReferencesOfCard),
        })
      }
      return { cards: [...cards.values()].slice(0, mostCards), total: cards.size }
    },
    find: (id) => {
      const one = inOrder().find(({ card, key }) => ids.get(key) === id && hasPlace(card))
      return one?.card ?? null
    },
  }
}

const hasPlace = (card: Element): boolean => {
  const { height, width } = boxOf(card)
  return height > 0 && width > 0
}

/** The text of an element. A form can have a field that is named like the property. */
const textOf = (element: Element): string => Reflect.get(Element.prototype, "textContent", element)

/** The card's heading, else what its link says or shows. */
const titleOf = (card: Element, link: Element): string => {
  const [heading] = all(card, headings)
  const [picture] = all(card, "img[alt]")
  const texts = [
    heading === undefined ? "" : textOf(heading),
    textOf(link),
    link.getAttribute("aria-label") ?? "",
    picture?.getAttribute("alt") ?? "",
  ]
  return nameIn(texts)
}
