/**
 * The card at a badge: the listing's contracts, while the pointer rests on the badge or the keyboard is on its link. It has nothing to
 * press, stays while the pointer is on it, and goes with Escape. Its content is asked for when it opens.
 */
import type { ListingDetail, Reference } from "../messages/ListingMessage.ts"
import * as Contracts from "./Contracts.ts"
import { closest } from "./Elements.ts"
import * as Shadow from "./Shadow.ts"

export interface CardSource {
  /** The listing of a badge or of a link with one. */
  readonly referenceOf: (element: Element) => Reference | null
  readonly detail: (reference: Reference) => Promise<ListingDetail | null>
}

const restMillis = 150
const leaveMillis = 250
const mostContracts = 4
const gap = 6

/** Makes the card of a page, and gives what hides it. It listens to the page until the signal ends it. */
export const make = (page: Document, source: CardSource, signal: AbortSignal): (() => void) => {
  const { host, root } = Shadow.make(page, "card")
  const box = Shadow.element(page, "div", "box")
  box.popover = "manual"
  root.append(box)
  let anchor: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const hide = (): void => {
    clearTimeout(timer)
    anchor = null
    host.remove()
  }
  const show = async (element: Element): Promise<void> => {
    const reference = source.referenceOf(element)
    if (reference === null) return
    anchor = element
    const detail = await source.detail(reference)
    if (anchor !== element || !element.isConnected || detail === null) return
    box.replaceChildren(...Contracts.show(page, detail, mostContracts))
    page.documentElement.append(host)
    box.showPopover()
    place(page, box, element)
  }
  const later = (millis: number, act: () => void): void => {
    clearTimeout(timer)
    timer = setTimeout(act, millis)
  }
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    take: (event: DocumentEventMap[K]) => void,
  ): void => {
    const hear = (event: DocumentEventMap[K]): void => {
      if (event.isTrusted) take(event)
    }
    page.addEventListener(type, hear, { capture: true, passive: true, signal })
  }

  listen("pointerover", ({ target }) => {
    if (isHost(target)) {
      clearTimeout(timer)
      if (target !== host && target !== anchor) later(restMillis, () => void show(target))
    } else if (anchor?.isConnected === false) hide()
  })
  listen("pointerout", ({ target }) => {
    if (isHost(target)) later(leaveMillis, hide)
  })
  listen("focusin", ({ target }) => {
    const link = closest(target, "a:focus-visible")
    if (link !== null) void show(link)
  })
  listen("focusout", () => {
    if (anchor !== null) later(leaveMillis, hide)
  })
  listen("keydown", ({ key }) => {
    if (key === "Escape") hide()
  })
  listen("scroll", ({ target }) => {
    if (anchor !== null && target !== host) hide()
  })
  return hide
}

const isHost = (target: EventTarget | null): target is Element => target !== null && Shadow.isOurs(target)

/** Below the anchor, or above it where there is no room, and never beyond the window's edge. */
const place = (page: Document, box: HTMLElement, anchor: Element): void => {
  const { clientHeight, clientWidth } = page.documentElement
  const at = anchor.getBoundingClientRect()
  const { height, width } = box.getBoundingClientRect()
  const below = at.bottom + gap
  const top = below + height <= clientHeight ? below : Math.max(gap, at.top - gap - height)
  box.style.top = `${top}px`
  box.style.left = `${Math.max(gap, Math.min(at.left, clientWidth - width - gap))}px`
}
