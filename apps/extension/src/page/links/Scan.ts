/**
 * Finds the links of a page, with the listings that they may lead to. Links include areas of pictures, links of drawings, elements with the role
 * of a link and an address, and all of these in open shadow roots. Reads only addresses of elements, which costs no layout and no look at what
 * the page shows.
 */
import type { Reference } from "../../messages/ListingMessage.ts"
import { all, fits } from "./Elements.ts"
import type { Reader } from "./Reference.ts"

export interface Found {
  readonly link: Element
  /** The address as the page has it. */
  readonly href: string
  /** Empty if the link can lead to no listing, or leads nowhere. */
  readonly references: ReadonlyArray<Reference>
}

/** Elements that can be links. One of another name can have its address in `data-href`, and one of a drawing in `xlink:href`. */
export const selector = "a,area,[role=link]"

/** The address of a link as the page has it; empty if it has none. */
export const addressOf = (link: Element): string =>
  link.getAttribute("href") ?? link.getAttribute("xlink:href") ?? link.getAttribute("data-href") ?? ""

/** The links in and under some elements, each once. Calls `watch` with every open shadow root and every `xlink:href` among them. */
export const linksIn = (
  elements: Iterable<Element>,
  read: Reader,
  watch: (part: ShadowRoot | Element) => void = () => {},
): ReadonlyArray<Found> => {
  const links = new Set<Element>()
  const look = (linksWithin: Iterable<Element>, within: Iterable<Element>): void => {
    for (const link of linksWithin) links.add(link)
    for (const { shadowRoot } of within) {
      // A form can have a field of this name.
      if (!(shadowRoot instanceof ShadowRoot)) continue
      watch(shadowRoot)
      look(shadowRoot.querySelectorAll(selector), shadowRoot.querySelectorAll("*"))
    }
  }
  for (const element of elements) {
    if (fits(element, selector)) links.add(element)
    look(all(element, selector), [element, ...all(element, "*")])
  }
  return Array.from(links, (link) => {
    const href = addressOf(link)
    if (link.hasAttribute("xlink:href")) watch(link)
    return { link, href, references: read(href) }
  })
}
