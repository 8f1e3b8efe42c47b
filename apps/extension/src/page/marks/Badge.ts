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
  /** The fact that it shows, as JSON. */
  key: string
}

/** Times within `returnsMillis` that a badge is put back where the page's own scripts take it out. A text that counts seconds keeps it. */
const mostReturns = 5
const returnsMillis = 1_500

/** The badges of the page. */
export interface Badges {
  /** Whether a link had a badge that the page has taken out. */
  readonly isLost: (link: Element) => boolean
  /** The listing of a link with a badge, or of a badge itself. */
  readonly referenceOf: (element: Element) => Reference | null
  /** Gives a link its badge, or makes the one that it has right. */
  readonly draw: (link: HTMLElement, reference: Reference, fact: BadgeFact) => void
  /** Takes a link's badge away, if it has one. */
  readonly erase: (link: Element) => void
  /** Takes every badge away. */
  readonly clear: () => void
}

export const make = (): Badges => {
  /** By the link, and by the badge's own element. */
  let drawn = new WeakMap<Element, Drawn>()
  const returns = new WeakMap<Element, ReadonlyArray<number>>()
  /** A mark for each fact that was met, to be copied: few differ, and a copy costs a tenth of what making one does. */
  const marks = new Map<string, Node>()

  const mark = (key: string, fact: BadgeFact): Node => {
    const known = marks.get(key) ?? markOf(fact)
    marks.set(key, known)
    return known.cloneNode(true)
  }
  const mayReturn = (link: Element): boolean => {
    const now = Date.now()
    const before = returns.get(link) ?? []
    returns.set(link, [now, ...before].slice(0, mostReturns))
    return now - (before[mostReturns - 1] ?? 0) > returnsMillis
  }
  return {
    isLost: (link) => {
      const known = drawn.get(link)
      return known !== undefined && !link.contains(known.host)
    },
    referenceOf: (element) => drawn.get(element)?.reference ?? null,
    draw: (link, reference, fact) => {
      const key = JSON.stringify(fact)
      const known = drawn.get(link)
      if (known !== undefined && link.contains(known.host)) {
        known.reference = reference
        if (known.key !== key) known.root.replaceChildren(mark(key, fact))
        known.key = key
        return
      }
      if (known !== undefined && !mayReturn(link)) return
      for (const copied of link.querySelectorAll(Shadow.selector)) copied.remove()
      const { host, root } = Shadow.make("badge")
      root.append(mark(key, fact))
      const made = { host, root, reference, key }
      drawn.set(link, made).set(host, made)
      const text = firstText(link)
      if (text === null) link.append(host)
      else text.before(host)
    },
    erase: (link) => {
      const known = drawn.get(link)
      if (known === undefined) return
      known.host.remove()
      drawn.delete(known.host)
      drawn.delete(link)
    },
    clear: () => {
      Shadow.sweep()
      drawn = new WeakMap()
    },
  }
}

const markOf = (fact: BadgeFact): HTMLElement => {
  const mark = document.createElement("span")
  mark.role = "img"
  mark.setAttribute("aria-label", BadgeText.label(fact))
  BadgeText.write(mark, fact)
  return mark
}

/** The first text of a link that is not blank. */
const firstText = (link: Element): Text | null => {
  const texts = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const text = texts.currentNode as Text
    if (text.data.trim() !== "") return text
  }
  return null
}
