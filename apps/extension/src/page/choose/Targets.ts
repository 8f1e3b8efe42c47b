/**
 * The links that can be chosen: those to pages of the site itself, with addresses that begin at its root. Reads the page and changes nothing.
 */
import { addressOf, fits, linksIn, parentOf, selector } from "../links/Scan.ts"
import { longestAddress, mostLinks } from "./Choice.ts"

/** The address that a link leads to; null if that is on another site, or a place on the page itself. */
export const targetOf = (link: Element): string | null => {
  const href = addressOf(link)
  if (href === "" || /^#(?!!?\/)/.test(href) || !URL.canParse(href, document.baseURI)) return null
  const { hash, origin, pathname, search } = new URL(href, document.baseURI)
  const target = pathname + search + hash
  return origin === location.origin && target.length <= longestAddress ? target : null
}

const isLink = (link: Element): boolean => targetOf(link) !== null

/** All links of the page. */
const all = (): ReadonlyArray<Element> =>
  linksIn([document.documentElement], () => [])
    .map(({ link }) => link)
    .filter(isLink)

/** The links that are drawn, in the order of the page. */
export const drawn = (): ReadonlyArray<Element> =>
  all().filter((link) => {
    const { height, width } = link.getBoundingClientRect()
    return height > 0 && width > 0 && link.checkVisibility({ visibilityProperty: true })
  })

/** The addresses of the page's links, each once, with the chosen one first. */
export const targets = (chosen: string): ReadonlyArray<string> =>
  [...new Set([chosen, ...all().map((link) => targetOf(link) ?? chosen)])].slice(0, mostLinks)

/** The elements at a point of the window, the uppermost first, including those in open shadow roots. */
const stackAt = (
  x: number,
  y: number,
  scope: Document | ShadowRoot = document,
  seen = new Set<Node>(),
): ReadonlyArray<Element> =>
  scope.elementsFromPoint(x, y).flatMap((element) => {
    const { shadowRoot } = element
    // A form can have a field of this name. A root also lists the elements below it again, including its own host.
    if (!(shadowRoot instanceof ShadowRoot) || seen.has(shadowRoot)) return element
    return stackAt(x, y, shadowRoot, seen.add(shadowRoot)).concat(element)
  })

/** The uppermost link at a point of the window; null if there is none. */
export const at = (x: number, y: number): Element | null => {
  for (const element of stackAt(x, y)) {
    for (let around: Element | null = element; around !== null; around = parentOf(around)) {
      if (fits(around, selector) && isLink(around)) return around
    }
  }
  return null
}
