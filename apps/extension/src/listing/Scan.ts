/**
 * Finds the links of a page that may lead to listings. Reads nothing of an element but its `href`, which costs no layout and no look at
 * what the page shows.
 */
import type { Reference } from "../messages/ListingMessage.ts"
import type { Reader } from "./Reference.ts"

export interface Found {
  readonly link: HTMLAnchorElement
  readonly references: ReadonlyArray<Reference>
}

/** The links in and under some elements, each once, in the order of the page. */
export const linksIn = (elements: Iterable<Element>, read: Reader): ReadonlyArray<Found> => {
  const seen = new Set<Element>()
  const found: Array<Found> = []
  const take = (link: HTMLAnchorElement): void => {
    if (seen.has(link)) return
    seen.add(link)
    const references = read(link.getAttribute("href") ?? "")
    if (references.length > 0) found.push({ link, references })
  }
  for (const element of elements) {
    if (element.matches("a[href]")) take(element as HTMLAnchorElement)
    for (const link of element.querySelectorAll<HTMLAnchorElement>("a[href]")) take(link)
  }
  return found
}
