/**
 * The mark at a link: a summary of its listing's contracts. It stands before the link's first text, where a title that is cut cannot hide it,
 * and belongs to the link: it is read out with it and takes no stop of the keyboard.
 */
import type { BadgeFact, Reference } from "../../messages/ListingMessage.ts"
import * as BadgeText from "./BadgeText.ts"
import * as Shadow from "./Shadow.ts"

interface Drawn {
  readonly host: HTMLElement
  readonly root: ShadowRoot
  reference: Reference
  fact: BadgeFact
}

/** Times within `returnsMillis` that a badge is put back where the page's own scripts take it out. A text that counts seconds keeps it. */
const mostReturns = 5
const returnsMillis = 1_500

/** The badges of one page. */
export class Badges {
  readonly #page: Document
  #drawn = new WeakMap<Element, Drawn>()
  #links = new WeakMap<Element, Element>()
  readonly #returns = new WeakMap<Element, ReadonlyArray<number>>()
  /** A mark for each fact that was met, to be copied: few differ, and a copy costs a tenth of what making one does. */
  readonly #marks = new Map<string, Node>()

  constructor(page: Document) {
    this.#page = page
  }

  /** Whether a link had a badge that the page has taken out. */
  isLost(link: Element): boolean {
    const drawn = this.#drawn.get(link)
    return drawn !== undefined && !link.contains(drawn.host)
  }

  /** The listing of a link with a badge, or of a badge itself. */
  referenceOf(element: Element): Reference | null {
    return this.#drawn.get(this.#links.get(element) ?? element)?.reference ?? null
  }

  /** Gives a link its badge, or makes the one that it has right. */
  draw(link: HTMLElement, reference: Reference, fact: BadgeFact): void {
    const known = this.#drawn.get(link)
    if (known !== undefined && link.contains(known.host)) {
      known.reference = reference
      if (keyOf(known.fact) !== keyOf(fact)) known.root.replaceChildren(this.#mark(fact))
      known.fact = fact
      return
    }
    if (known !== undefined && !this.#mayReturn(link)) return
    for (const copied of link.querySelectorAll(Shadow.selector)) copied.remove()
    const { host, root } = Shadow.make(this.#page, "badge")
    root.append(this.#mark(fact))
    this.#drawn.set(link, { host, root, reference, fact })
    this.#links.set(host, link)
    const text = firstText(this.#page, link)
    if (text === null) link.append(host)
    else text.before(host)
  }

  /** Takes a link's badge away, if it has one. */
  erase(link: Element): void {
    this.#drawn.get(link)?.host.remove()
    this.#drawn.delete(link)
  }

  /** Takes every badge away. */
  clear(): void {
    Shadow.sweep(this.#page)
    this.#drawn = new WeakMap()
    this.#links = new WeakMap()
  }

  #mark(fact: BadgeFact): Node {
    const key = keyOf(fact)
    const known = this.#marks.get(key) ?? markOf(this.#page, fact)
    this.#marks.set(key, known)
    return known.cloneNode(true)
  }

  #mayReturn(link: Element): boolean {
    const now = Date.now()
    const before = this.#returns.get(link) ?? []
    this.#returns.set(link, [now, ...before].slice(0, mostReturns))
    return now - (before[mostReturns - 1] ?? 0) > returnsMillis
  }
}

const keyOf = (fact: BadgeFact): string => JSON.stringify(fact)

const markOf = (page: Document, fact: BadgeFact): HTMLElement => {
  const mark = page.createElement("span")
  mark.setAttribute("role", "img")
  mark.setAttribute("aria-label", BadgeText.label(fact))
  BadgeText.write(mark, fact)
  return mark
}

/** The first text of a link that is not blank. */
const firstText = (page: Document, link: Element): Text | null => {
  const texts = page.createTreeWalker(link, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (node.nodeValue?.trim()) return node as Text
  }
  return null
}
