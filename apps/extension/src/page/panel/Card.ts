/**
 * The card at a mark, with the listing's contracts. It opens after the pointer was moved onto the mark and rests there, or after the Tab key has
 * moved the focus to its link. Neither card nor mark takes the pointer: its position is compared with theirs. A page cannot open the card: focus
 * that a script sets, events that it makes and a mark that it moves below the pointer are no gestures. The card has no controls, stays while the
 * pointer is on it, and closes with Escape.
 */
import type { Reference } from "../../messages/ListingMessage.ts"
import { closest } from "../Links.ts"
import type { Mark } from "../marks/Marks.ts"
import type { Marks } from "../marks/Marks.ts"

/** A card that is drawn. */
interface Drawn {
  readonly isAt: (x: number, y: number) => boolean
  /** Moves it beside its element again. */
  readonly place: () => void
  readonly remove: () => void
}

export interface CardSource {
  readonly marks: {
    readonly at: (x: number, y: number) => Pick<Mark, "box" | "listing"> | null
    readonly listingOf: Marks["listingOf"]
    readonly anchorOf: Marks["anchorOf"]
  }
  /** Asks for a listing's contracts, and returns a function that draws them at an element; null if nothing can be drawn. */
  readonly load: (reference: Reference) => Promise<((element: Element) => Drawn) | null>
}

/** What the card is attached to: a mark below the pointer, or a link with the focus. */
interface Anchor {
  /** The box of the mark, or the link. */
  readonly element: Element
  readonly reference: Reference
  readonly isPointed: boolean
}

const restMillis = 150
const leaveMillis = 250
/** Longest time from the Tab key to the focus that it sets. */
const tabMillis = 100

/** Makes the card, and returns a function that hides it. The card listens to the page until the signal ends it. */
export const make = ({ load, marks }: CardSource, signal: AbortSignal): (() => void) => {
  let card: Drawn | null = null
  /** What the card is attached to, or will be once the pointer has rested. */
  let anchor: Anchor | null = null
  let resting: ReturnType<typeof setTimeout> | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined
  /** Where the pointer is on the screen. */
  let pointer = ""
  /** The last key press, if it was Tab and has not set the focus yet. */
  let tab: { readonly event: Event; readonly at: number } | null = null

  const stay = (): void => {
    clearTimeout(leaving)
    leaving = undefined
  }
  const hide = (): void => {
    stay()
    clearTimeout(resting)
    anchor = null
    card?.remove()
    card = null
  }
  const leave = (): void => {
    if (card === null) hide()
    else leaving ??= setTimeout(hide, leaveMillis)
  }
  const show = async (at: Anchor): Promise<void> => {
    hide()
    anchor = at
    const draw = await load(at.reference)
    if (anchor === at && draw !== null) card = draw(at.element)
  }
  const rest = (at: Anchor): void => {
    hide()
    anchor = at
    const before = placeOf(at.element)
    resting = setTimeout(() => {
      if (placeOf(at.element) === before) void show(at)
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

  listen("pointermove", ({ clientX, clientY, screenX, screenY }) => {
    const before = pointer
    pointer = `${screenX} ${screenY}`
    // Browsers also send this when the page moves something below a pointer at rest.
    if (before === "" || before === pointer) return
    const mark = marks.at(clientX, clientY)
    const isOnCard = anchor?.isPointed && card?.isAt(clientX, clientY)
    if (isOnCard || (mark !== null && mark.box === anchor?.element)) stay()
    else if (mark?.box != null && mark.listing !== null) {
      rest({ element: mark.box, reference: mark.listing.reference, isPointed: true })
    } else if (anchor?.isPointed) leave()
  })
  listen("pointerout", ({ relatedTarget }) => {
    if (relatedTarget === null && anchor?.isPointed) leave()
  })
  listen("keydown", (event) => {
    tab = event.key === "Tab" ? { event, at: performance.now() } : null
    if (event.key === "Escape") hide()
  })
  listen("focusin", (event) => {
    const link = closest(event.composedPath()[0] ?? null, ":focus-visible")
    // The key sets the focus after all listeners got its event. Focus before that, or after a prevented event, was set by a script.
    const isByKey =
      tab !== null &&
      tab.event.eventPhase === Event.NONE &&
      !tab.event.defaultPrevented &&
      performance.now() - tab.at < tabMillis
    tab = null
    if (link === null || !isByKey) return
    const listing = marks.listingOf(link)
    if (listing === null) hide()
    else void show({ element: marks.anchorOf(link), reference: listing.reference, isPointed: false })
  })
  listen("focusout", () => {
    if (anchor !== null && !anchor.isPointed) leave()
  })
  listen("scroll", () => {
    if (anchor?.isPointed) hide()
    else card?.place()
  })
  return hide
}

const placeOf = (element: Element): string => {
  const { left, top } = element.getBoundingClientRect()
  return `${left} ${top}`
}
