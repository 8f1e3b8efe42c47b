/**
 * Finds the links of a page, with the listings that they may lead to, and watches the page for more. Links include areas of pictures, links of
 * drawings, elements with the role of a link and an address, and all of these in open shadow roots. Reads only addresses of elements, which costs
 * no layout and no look at what the page shows.
 *
 * Methods of the DOM are called so that no page can replace them: if a form has a field with the name of one of its methods, the form gives the
 * field instead of the method.
 */
import type { Reference } from "../messages/ListingMessage.ts"
import type { Reader } from "../address/Reference.ts"

/** The nearest element that a selector matches, beginning with the node itself. */
export const closest = (node: EventTarget | null, selector: string): Element | null =>
  node instanceof Element ? Element.prototype.closest.call(node, selector) : null

/** Whether a selector matches an element. */
export const fits = (element: Element, selector: string): boolean =>
  Element.prototype.matches.call(element, selector)

/** The elements within an element that a selector matches. */
export const all = (element: Element, selector: string): Iterable<Element> =>
  Element.prototype.querySelectorAll.call(element, selector)

/** The parent of an element; at the top of a shadow root, its host. */
export const parentOf = (element: Element): Element | null =>
  (Reflect.get(Node.prototype, "parentElement", element) as Element | null) ??
  (Node.prototype.getRootNode.call(element) as Partial<ShadowRoot>).host ??
  null

export interface Found {
  readonly link: Element
  /** The address as the page has it. */
  readonly href: string
  /** Empty if the link can lead to no listing, or leads nowhere. */
  readonly references: ReadonlyArray<Reference>
}

/** Elements that can be links. One of another name can have its address in `data-href`, and one of a drawing in `xlink:href`. */
const selector = "a,area,[role=link]"

/** The address of a link as the page has it; empty if it has none. */
const addressOf = (link: Element): string =>
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

const gatherMillis = 50

/**
 * Calls back with added elements, and with links whose address changed, until the signal ends it. The returned function watches one more tree of
 * the page, such as an open shadow root. Of an element it watches all attributes, because no filter finds those of a namespace.
 */
export const watchAdditions = (
  take: (added: ReadonlySet<Element>) => void,
  signal: AbortSignal,
): ((tree: Node) => void) => {
  let added = new Set<Element>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (): void => {
    const gathered = added
    timer = undefined
    added = new Set()
    take(gathered)
  }
  const note = ({ addedNodes, target, type }: MutationRecord): void => {
    if (type === "attributes") {
      added.add(target as Element)
      return
    }
    for (const node of addedNodes) {
      if (node instanceof Element) added.add(node)
    }
  }
  const observer = new MutationObserver((records) => {
    for (const record of records) note(record)
    if (added.size > 0) timer ??= setTimeout(tell, gatherMillis)
  })
  const observe = (tree: Node): void =>
    observer.observe(
      tree,
      tree instanceof Element
        ? { attributes: true }
        : { childList: true, subtree: true, attributeFilter: ["href", "data-href", "role"] },
    )
  observe(document)
  signal.addEventListener("abort", () => {
    observer.disconnect()
    clearTimeout(timer)
  })
  return observe
}
