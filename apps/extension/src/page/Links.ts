/**
 * The links of a page, with the listings that they may lead to and the cards that they stand in; and watches the page for more. Reads only addresses
 * of elements and what stands around them, which costs no layout and no look at what the page shows.
 *
 * Methods of the DOM are called so that no page can replace them: if a form has a field with the name of one of its methods, the form gives the
 * field instead of the method.
 */
import { ending, isOfPage } from "../address/Reference.ts"
import type { Reader } from "../address/Reference.ts"
import type { Reference } from "../messages/ListingMessage.ts"

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

/**
 * The links in and under some elements, each once. Calls `watch` with every open shadow root and every `xlink:href` among them. Links include areas
 * of pictures, links of drawings, elements with the role of a link and an address, and all of these in open shadow roots.
 */
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

/** A link with the form of its address. */
interface Noted {
  readonly found: Found
  readonly form: string
  /** What its address has in common with those that differ from it in several segments. */
  readonly shape: string
  /** The text that names its listing, in the form that is compared. */
  readonly key: string
  /** Its form, or its shape if no other listing of the page has that form. */
  group: string
  /** Whether the page had no other listing of this form when the card was found. */
  isAlone: boolean
  /** The outermost element around the link with this one listing of its kind. */
  outermost: Element
  card: Element
}

/** Marks an element that contains links to several listings. */
const mixed = Symbol()
type Owners = WeakMap<Element, string | typeof mixed>

/** Elements that are never a card, however few links they contain. */
const bound =
  "body,main,nav,dialog,ul,ol,table,tbody,[role=main],[role=dialog],[role=list],[role=grid],[role=feed]"
export const headings = "h1,h2,h3,h4,h5,h6,[role=heading]"
/** The heading of a page. The card of the only listing of its form does not contain it: that listing is not the page's subject. */
const title = "h1,[aria-level='1']"
/** Most links in the card of a listing that is the only one of its form. */
const mostLinks = 12

/** The text of an address in the form that is compared; each character keeps its place. */
const plain = (text: string): string => text.toLowerCase().replaceAll("_", "-")

const decoded = (text: string): string => {
  try {
    return decodeURI(text).normalize("NFC")
  } catch {
    return text
  }
}

/** An address with `*` in place of the listing. Query and fragment count only if the listing is named there. */
export const formOf = (href: string, reference: string): string => {
  const key = reference.slice(reference.lastIndexOf("/") + 1).normalize("NFC")
  const address = decoded(href.replace(location.origin, ""))
  const path = address.replace(/[?#][^]*/, "")
  const within = (text: string): string | null => {
    const at = plain(text).lastIndexOf(plain(key))
    return at < 0 ? null : `${text.slice(0, at)}*${text.slice(at + key.length)}`
  }
  return within(path) ?? within(address) ?? path
}

/** A number, a contract or a unit, which only a pattern finds. */
const patterned = /^(?:\d+$|:(?:contract|unit)\/)/

/** A segment that names a language. */
const language = /^[a-z]{2}(?:-[a-z]{2,4})?$/

/** The number of segments of an address, and the first that is no language: what `/new/sea-view/41` and `/new/blue-door/42` have in common. */
const shapeOf = (href: string): string => {
  const segments = plain(decoded(href.replace(location.origin, "").replace(/[?#][^]*/, "")))
    .split("/")
    .filter(Boolean)
  const kind = segments.findIndex((segment) => !language.test(segment))
  return ` ${segments.length} ${segments.slice(0, kind + 1).join("/")}`
}

const sizeOf = (element: Element, selector: string): number => [...all(element, selector)].length

/**
 * The links of a page, with their cards. The card of a link is the outermost element around it in which links of this kind lead to this one listing.
 * Links are of one kind if their addresses differ only in the listing, so an agent's link within a card does not divide it; if a pattern finds their
 * numbers, they are all of one kind. A link to what several listings have in common, such as their area, is a card of its own. Cards are found by the links on the page, whether a listing has contracts or not, so the positions of marks and
 * of places without one reveal nothing about contracts.
 */
export interface OwnedLinks {
  /** Takes links that were added or have changed. */
  readonly take: (links: Iterable<Found>) => void
  /** Every link that may lead to a listing of the page's own origin, in the order in which they came. */
  readonly all: () => Iterable<Noted>
  readonly clear: () => void
}

export const makeLinks = (): OwnedLinks => {
  const noted = new Map<Element, Noted>()
  let owners = new Map<string, Owners>()
  /** The forms with several listings, by their shape. */
  let formsOf = new Map<string, Set<string>>()

  const own = ({ group, found, key }: Noted): void => {
    const ofGroup: Owners = owners.get(group) ?? new WeakMap()
    owners.set(group, ofGroup)
    for (let at = parentOf(found.link); at !== null; at = parentOf(at)) {
      const owner = ofGroup.get(at)
      if (owner === key || owner === mixed) return
      ofGroup.set(at, owner === undefined ? key : mixed)
    }
  }
  const isMixed = (group: string): boolean => owners.get(group)?.get(document.documentElement) === mixed
  /** Groups the links anew. Returns whether one of those that were there is in another group now. */
  const group = (): boolean => {
    const keys = new Map<string, string | typeof mixed>()
    for (const { form, key } of noted.values()) keys.set(form, (keys.get(form) ?? key) === key ? key : mixed)
    let isChanged = false
    formsOf = new Map()
    for (const one of noted.values()) {
      const hasSeveral = keys.get(one.form) === mixed
      const group = hasSeveral ? one.form : one.shape
      if (hasSeveral) formsOf.set(one.shape, (formsOf.get(one.shape) ?? new Set()).add(one.form))
      isChanged ||= one.group !== "" && one.group !== group
      one.group = group
    }
    return isChanged
  }
  /** How many headings and links are in an element; each element is counted once for all links that are taken together. */
  let counts = new Map<Element, readonly [headings: number, links: number]>()
  const count = (element: Element) => {
    const known = counts.get(element) ?? ([sizeOf(element, headings), sizeOf(element, "a")] as const)
    counts.set(element, known)
    return known
  }
  const climb = ({ found: { link }, group, isAlone, key, shape }: Noted): Element => {
    const ofGroup = owners.get(group)
    // Listings whose addresses differ from this one in more than the listing.
    const others = group === shape ? [...(formsOf.get(shape) ?? [])] : isMixed(shape) ? [shape] : []
    const isOfOther = (element: Element): boolean =>
      others.some((other) => other !== group && owners.get(other)?.has(element))
    let card = link
    let inCard = 0
    for (
      let at = parentOf(link);
      at !== null && ofGroup?.get(at) === key && !isOfOther(at) && !fits(at, bound);
      at = parentOf(at)
    ) {
      // No other listing shows where the card of this one ends.
      if (isAlone) {
        const [within, linked] = count(at)
        if ((within > 1 && within > inCard) || linked > mostLinks || sizeOf(at, title) > 0) break
        inCard = within
      }
      card = at
    }
    return card
  }
  /**
   * Separates from their cards the links that are the same in the cards of several listings, each of which has only this one. A link that names the
   * listing of its card in a parameter stays: `/book-viewing?listing=sea-view`.
   */
  const separate = (): void => {
    const cards = Map.groupBy(noted.values(), ({ outermost }) => outermost)
    const sides = new Map<string, Set<string>>()
    /** The listings of the other's kind that stand in the cards of a listing. */
    const beside = ({ group, key }: Noted, other: Noted): Set<string> => {
      const side = `${group}\n${key}\n${other.group}`
      const listings = sides.get(side) ?? new Set()
      sides.set(side, listings)
      return listings
    }
    const othersOf = (one: Noted): ReadonlyArray<Noted> => {
      const inCard = cards.get(one.outermost)!
      return inCard.length > mostLinks ? [] : inCard.filter(({ group }) => group !== one.group)
    }
    for (const one of noted.values()) for (const other of othersOf(one)) beside(one, other).add(other.key)
    for (const one of noted.values()) {
      const others = othersOf(one)
      const isShared = others.some((other) => beside(one, other).size > 1 && beside(other, one).size === 1)
      const names = plain(one.found.references.join(" "))
      one.card = isShared && !others.some(({ key }) => names.includes(key)) ? one.found.link : one.outermost
    }
  }
  return {
    take: (links) => {
      let isStale = false
      const fresh = new Set<Noted>()
      for (const found of links) {
        const before = noted.get(found.link)
        // The address as a whole says least about what the links of other listings have in common.
        const slug = found.references.find((reference) => !isOfPage(reference))
        const number = found.references.find((reference) => patterned.test(reference))
        const first = number ?? slug ?? found.references[0]
        const isListing = first !== undefined
        const form = !isListing
          ? ""
          : number === undefined
            ? formOf(found.href, first)
            : number.slice(0, number.lastIndexOf("/") + 1)
        const shape = number === undefined && isListing ? shapeOf(found.href) : form
        const key = isListing ? plain(first).replace(ending, "") : ""
        const isKnown = before?.found.references.join() === found.references.join()
        if (isListing && isKnown && before?.form === form) continue
        if (noted.delete(found.link)) isStale = true
        if (!isListing) continue
        const made = {
          found,
          form,
          shape,
          key,
          group: "",
          isAlone: false,
          outermost: found.link,
          card: found.link,
        }
        noted.set(found.link, made)
        fresh.add(made)
      }
      for (const link of noted.keys()) if (!link.isConnected && noted.delete(link)) isStale = true
      if (group()) isStale = true
      if (isStale) owners = new Map()
      counts = new Map()
      for (const one of isStale ? noted.values() : fresh) own(one)
      for (const one of noted.values()) {
        const isAlone = !isMixed(one.group)
        const isSame = !isStale && !fresh.has(one) && one.isAlone === isAlone
        if (isSame && owners.get(one.group)?.get(one.outermost) !== mixed) continue
        one.isAlone = isAlone
        one.outermost = climb(one)
      }
      separate()
    },
    all: () => noted.values(),
    clear: () => {
      noted.clear()
      owners = new Map()
    },
  }
}
