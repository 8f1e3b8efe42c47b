/**
 * Finds the links of a page, with the listings that they may lead to. Reads nothing of an element but its `href`, which costs no layout and
 * no look at what the page shows.
 */
import type { Reference } from "../../messages/ListingMessage.ts"
import { all } from "./Elements.ts"
import type { Reader } from "./Reference.ts"

export interface Found {
  readonly link: Element
  /** The address as the page has it. */
  readonly href: string
  /** None where the link can lead to no listing, or to nowhere. */
  readonly references: ReadonlyArray<Reference>
}

/** The links in and under some elements, each once, in the order of the page. */
export const linksIn = (elements: Iterable<Element>, read: Reader): ReadonlyArray<Found> => {
  const links = new Set<Element>()
  for (const element of elements) {
    if (element.localName === "a") links.add(element)
    for (const link of all(element, "a")) links.add(link)
  }
  return Array.from(links, (link) => {
    const href = link.getAttribute("href") ?? ""
    return { link, href, references: read(href) }
  })
}
