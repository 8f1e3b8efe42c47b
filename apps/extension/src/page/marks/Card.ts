/**
 * The card at a badge: the listing's contracts, after the pointer was moved onto the badge and rests there, or the Tab key has brought the
 * focus to its link. A page cannot open it: the focus that a script sets, events that it makes and a badge that it moves below the pointer
 * are no gestures. The card has nothing to press, stays while the pointer is on it, and closes with Escape.
 */
import type { ListingDetail, Reference } from "../../messages/ListingMessage.ts"
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
/** Longest time from the Tab key to the focus that it sets. */
const tabMillis = 100
const mostContracts = 3
/** Height of the area in which a card has room, however many contracts there are. */
const tallest = 300
const gap = 6

/** Makes the card, and gives what hides it. It listens to the page until the signal ends it. */
export const make = (source: CardSource, signal: AbortSignal): (() => void) => {
  const { host, root } = Shadow.make("card")
  const box = Shadow.element("div", "box")
  // What a page can find of the card is this area, whose size does not depend on what is in it.
  const area = Shadow.element("div", "area", box)
  area.popover = "manual"
  root.append(area)
  /** The badge or link that the card is at, or will be after a rest. */
  let anchor: Element | null = null
  let resting: ReturnType<typeof setTimeout> | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined
  /** Where the pointer is on the screen. */
  let pointer = ""
  /** The last key, where it was Tab and has not set the focus yet. */
  let tab: { readonly event: Event; readonly at: number } | null = null

  const stay = (): void => {
    clearTimeout(leaving)
    leaving = undefined
  }
  const hide = (): void => {
    stay()
    clearTimeout(resting)
    anchor = null
    host.remove()
    box.replaceChildren()
  }
  const leave = (): void => {
    if (host.isConnected) leaving ??= setTimeout(hide, leaveMillis)
    else hide()
  }
  const show = async (element: Element): Promise<void> => {
    hide()
    const reference = source.referenceOf(element)
    if (reference === null) return
    anchor = element
    document.documentElement.append(host)
    area.showPopover()
    place(area, element)
    const detail = await source.detail(reference)
    if (anchor === element) box.replaceChildren(...Contracts.show(detail, mostContracts))
  }
  const rest = (element: Element): void => {
    hide()
    anchor = element
    const before = placeOf(element)
    resting = setTimeout(() => {
      if (placeOf(element) === before) void show(element)
      else hide()
    }, restMillis)
  }
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    take: (event: DocumentEventMap[K]) => void,
  ): void => {
    const hear = (event: DocumentEventMap[K]): void => {
      if (event.isTrusted) take(event)
    }
    document.addEventListener(type, hear, { capture: true, signal })
  }

  listen("pointermove", ({ clientY, screenX, screenY, target }) => {
    const before = pointer
    pointer = `${screenX} ${screenY}`
    // Browsers send this, too, when the page moves something below a pointer at rest.
    if (before === "" || before === pointer) return
    const { bottom, top } = box.getBoundingClientRect()
    if (target === host ? clientY >= top && clientY < bottom : target === anchor) stay()
    else if (target !== host && Shadow.isHost(target)) rest(target)
    else if (Shadow.isHost(anchor)) leave()
  })
  listen("pointerout", ({ relatedTarget }) => {
    if (relatedTarget === null && Shadow.isHost(anchor)) leave()
  })
  listen("keydown", (event) => {
    tab = event.key === "Tab" ? { event, at: performance.now() } : null
    if (event.key === "Escape") hide()
  })
  listen("focusin", ({ target }) => {
    const link = closest(target, "a:focus-visible")
    // The key sets the focus once everyone has heard of it. Until then it is a script that does, and so it is after a key that it refused.
    const isByKey =
      tab !== null &&
      tab.event.eventPhase === Event.NONE &&
      !tab.event.defaultPrevented &&
      performance.now() - tab.at < tabMillis
    tab = null
    if (link !== null && isByKey) void show(link)
  })
  listen("focusout", () => {
    if (anchor !== null && !Shadow.isHost(anchor)) leave()
  })
  listen("scroll", () => {
    if (Shadow.isHost(anchor)) hide()
    else if (anchor !== null) place(area, anchor)
  })
  return hide
}

const placeOf = (element: Element): string => {
  const { left, top } = element.getBoundingClientRect()
  return `${left} ${top}`
}

/** Below the anchor, or above it where there is more room, and never beyond the window's edge. */
const place = (area: HTMLElement, anchor: Element): void => {
  const { clientHeight, clientWidth } = document.documentElement
  const { bottom, left, top } = anchor.getBoundingClientRect()
  const below = clientHeight - bottom - 2 * gap
  const above = top - 2 * gap
  const isBelow = below >= Math.min(tallest, above)
  const height = Math.min(tallest, isBelow ? below : above)
  area.style.height = `${height}px`
  area.style.top = `${isBelow ? bottom + gap : top - gap - height}px`
  area.style.left = `${Math.max(gap, Math.min(left, clientWidth - area.clientWidth - gap))}px`
  area.style.alignItems = isBelow ? "start" : "end"
}
