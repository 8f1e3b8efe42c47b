/**
 * The marks of a page: one for each card of a listing with contracts, and for each other card a place of the same size that shows nothing. A
 * page that measures what covers its own boxes thus learns only where its cards are. Each frame in which something may have moved first reads
 * where the cards near the window are, and then writes the differences. The frames stop when nothing moves any more.
 */
import { text } from "../../ui/kit/Message.ts"
import { makeLinks } from "../Links.ts"
import type { Found, OwnedLinks } from "../Links.ts"
import { height, isLarge, placeIn, spotsIn, Votes, width } from "./Anchor.ts"
import * as Anchor from "./Anchor.ts"
import { badgeLabel, element, makeLayers, nameIn, transforms, writeBadge } from "../Host.ts"
import type { Host } from "../Host.ts"
import type { BadgeFact, Reference } from "../../messages/ListingMessage.ts"
import type { Spot, Spots } from "./Anchor.ts"
import styles from "./marks.css?inline"

interface Listing {
  readonly reference: Reference
  readonly fact: BadgeFact
}

/** A card, and its mark. */
export interface Mark {
  readonly card: Element
  /** The first link of the card, which determines the mark's place, so that the place does not show which link leads to a contract. */
  readonly link: Element
  /** The link to the listing that the mark shows. */
  named: Element
  /** Null if nothing is shown. */
  listing: Listing | null
  /** The listing as JSON; empty without one. */
  key: string
  /** Null until the card is measured. */
  spots: Spots | null
  /** Its place among them, with the size that its element had then. */
  spot: (Spot & { readonly width: number; readonly height: number }) | null
  box: HTMLElement | null
  layer: HTMLElement | null
  /** Where the box is in its layer, as a transform; empty if it is not seen. */
  at: string
  /** Looks until the mark is tested again for something that covers it; null if it never was. */
  rest: number | null
}

export interface Marks {
  /** Takes added and changed links, and makes every card show what is known about its listing now. */
  readonly take: (links: Iterable<Found>, listingOf: (found: Found) => Listing | null) => void
  /** The mark that is visible at a point of the window. */
  readonly at: (x: number, y: number) => Mark | null
  /** The listing that a link leads to, if its card has a mark; `all` gives the links that may lead to one. */
  readonly listingOf: (link: Element) => Listing | null
  /** The element that is drawn for a link: for an area of a picture, that picture. */
  readonly anchorOf: (link: Element) => Element
  readonly all: OwnedLinks["all"]
  readonly clear: () => void
}

/** Frames without a change after which the animation loop stops. */
const calmFrames = 6
/** How far beyond the window cards count as near, and how far beyond it their marks get places, in pixels. */
const nearby = 200
const inView = 40
/** Frames from one look at a card to the next. */
const lookFrames = 6
/** Fewest cards that a frame looks at. On a page with many, each frame looks at a part of them, so that no frame is slow. */
const leastLooks = 200
/** Frames from one test of a mark to the next: as many as those in which a new one cannot be seen yet. */
const testFrames = 3
/**
 * Frames from one that looks to the next while the document alone scrolls: it takes its marks along, and those of the next cards have
 * places before they are in view.
 */
const glideFrames = 3
/** Elements that are searched for a card, from a changed element upwards. */
const mostUp = 12

export const make = ({ keep, list }: Host, signal: AbortSignal): Marks => {
  list.role = "list"
  list.ariaLabel = text("extensionAction")
  const layers = makeLayers(list)
  const links = makeLinks()
  const marks = new Map<Element, Mark>()
  const near = new Set<Mark>()
  let votes = new Votes()
  let counted = new WeakSet<Element>()
  let listings = new WeakMap<Element, Listing | null>()
  const roots = new WeakSet<Node>([document])
  /** The cards that are still to be looked at, in their order on the page. */
  let unseen: Iterator<Mark> = marks.values()
  let calm = 0
  let frames = 0
  let drawn = 0
  let isAwake = false
  /** Whether the document has scrolled since the last look, and whether nothing else moves. */
  let hasScrolled = false
  let isGliding = false
  let skipped = 0

  const wake = (isScroll = false): void => {
    keep()
    calm = 0
    if (isScroll) hasScrolled = true
    else isGliding = false
    if (isAwake || marks.size === 0) return
    isAwake = true
    frames = 0
    requestAnimationFrame(frame)
  }
  const unbox = (mark: Mark): void => {
    mark.box?.remove()
    mark.box = mark.layer = mark.spot = mark.spots = null
    mark.at = ""
  }
  const leave = (mark: Mark): void => {
    near.delete(mark)
    if (mark.spot !== null) sizes.unobserve(mark.spot.anchor)
    unbox(mark)
    mark.rest = null
  }
  const erase = (mark: Mark): void => {
    leave(mark)
    marks.delete(mark.card)
  }
  const sizes = new ResizeObserver(() => {
    // The layout is not painted yet: if the document has grown, the layer at its end does not take marks along.
    write(({ at, spot }) => (at === "" || spot === null ? null : placeIn(spot)))
    wake()
  })
  for (const part of document.querySelectorAll("html, html > *")) sizes.observe(part)
  signal.addEventListener("abort", () => sizes.disconnect())
  const observe = watchMoves(
    {
      moved: wake,
      changed: (changed) => {
        let at: Element | null = changed
        for (let up = 0; at !== null && up < mostUp; up++, at = at.parentElement) {
          const mark = marks.get(at)
          if (mark !== undefined) mark.spot = mark.spots = null
        }
      },
      opened: () => {
        layers.raise()
        for (const mark of near) mark.spot = mark.spots = null
      },
    },
    signal,
  )

  const look = (view: Anchor.Look): void => {
    if (frames % lookFrames === 0) unseen = marks.values()
    for (let left = Math.max(leastLooks, marks.size / lookFrames); left > 0; left--) {
      const { done, value: mark } = unseen.next()
      if (done === true) {
        // A page that scrolls brings new cards near in every look.
        if (isGliding) unseen = marks.values()
        break
      }
      if (!mark.card.isConnected) erase(mark)
      else if (!Anchor.isNear(mark.card, mark.link, view, nearby)) leave(mark)
      else if (!near.has(mark)) near.add(mark)
    }
  }
  /** Finds the free places of the cards in view that have none yet, and counts them, before any mark gets its place. */
  const measure = (view: Anchor.Look): void => {
    let isOther = false
    for (const mark of near) {
      if (!mark.card.isConnected) continue
      const { spot } = mark
      if (spot === null && !Anchor.isNear(mark.card, mark.link, view, inView)) continue
      const box = spot?.anchor.getBoundingClientRect()
      const isSame = box !== undefined && spot?.width === box.width && spot.height === box.height
      if (mark.spots !== null && isSame) continue
      mark.spot = null
      mark.spots = spotsIn(mark.card, mark.link)
      if (counted.has(mark.card)) continue
      if (mark.spots.size > 0) counted.add(mark.card)
      if (votes.add(mark.spots)) isOther = true
    }
    if (isOther) for (const mark of near) mark.spot = null
  }
  /** Where a mark belongs in the window; null if it would not be seen. A new one is tested in one of the frames before it appears. */
  const placeOf = (mark: Mark, view: Anchor.Look): readonly [x: number, y: number] | null => {
    if (mark.spots === null) return null
    if (mark.spot === null) {
      const spot = votes.choose(mark.spots)
      if (spot === null) return null
      sizes.observe(spot.anchor)
      const layer = layers.of(spot.anchor)
      if (mark.layer !== layer) {
        const { spots } = mark
        unbox(mark)
        mark.spots = spots
      }
      mark.layer = layer
      const { height, width } = spot.anchor.getBoundingClientRect()
      mark.spot = { ...spot, width, height }
    }
    const { anchor } = mark.spot
    if (!isLarge(anchor, 4)) return null
    const place = placeIn(mark.spot)
    const [x, y] = [place[0] + width / 2, place[1] + height / 2]
    if (!Anchor.isInside(x, y, view)) return null
    // A look that follows several frames later has no other one to leave the test to.
    const isDue = isGliding || (mark.rest !== null && (mark.at === "" || mark.rest === 0))
    if (!isDue) mark.rest = mark.rest === null ? drawn++ % testFrames : mark.rest - 1
    else {
      mark.rest = testFrames - 1
      if (!Anchor.isSeen(mark.card, anchor, x, y)) return null
    }
    return place
  }
  const draw = (mark: Mark, layer: HTMLElement): HTMLElement => {
    const box = element("div", "spot")
    if (mark.listing !== null) {
      const { fact } = mark.listing
      const words = mark.spot!.words === mark.link ? mark.named : mark.spot!.words
      const [alt, label] = ["alt", "aria-label"].map((name) => words.getAttribute(name) ?? "")
      const title = nameIn([words.textContent ?? "", alt!, label!])
      box.role = "listitem"
      box.ariaLabel = title && `${title}: `
      box.ariaLabel += badgeLabel(fact)
      writeBadge(box, fact)
    }
    layers.add(layer, box)
    return box
  }
  /** Reads where all near marks belong, and then moves those that are elsewhere. Returns whether any has appeared, gone or moved. */
  const write = (wanted: (mark: Mark) => readonly [x: number, y: number] | null): boolean => {
    const writes: Array<readonly [Mark, string]> = []
    const transformOf = transforms()
    for (const mark of near) {
      const place = wanted(mark)
      const at = transformOf(mark.layer, place)
      if (at === mark.at) continue
      if (at !== "" && mark.at !== "") hasScrolled = false
      writes.push([mark, at])
    }
    for (const [mark, at] of writes) {
      mark.at = at
      if (mark.layer !== null) mark.box ??= draw(mark, mark.layer)
      if (mark.box !== null) mark.box.style.transform = at
    }
    return writes.length > 0
  }
  const frame = (): void => {
    if (signal.aborted) return
    if (isGliding && ++skipped < glideFrames) {
      requestAnimationFrame(frame)
      return
    }
    skipped = 0
    const view = Anchor.look()
    look(view)
    measure(view)
    frames++
    const hasMoved = write((mark) => (mark.card.isConnected ? placeOf(mark, view) : null))
    // A mark that moves on its page, as in a header that stays in the window, is followed in every frame.
    isGliding = hasScrolled
    hasScrolled = false
    calm = hasMoved ? 0 : calm + 1
    isAwake = calm < calmFrames
    if (isAwake) requestAnimationFrame(frame)
  }

  return {
    take: (found, listingOf) => {
      links.take(found)
      const wanted = new Map<Element, Pick<Mark, "link" | "named" | "listing">>()
      for (const { card, found: one } of links.all()) {
        const { link } = one
        const root = link.getRootNode()
        if (!roots.has(root)) observe(root)
        roots.add(root)
        const listing = listingOf(one)
        listings.set(link, listing)
        const first = wanted.get(card)
        if (!first?.listing) wanted.set(card, { link: first?.link ?? link, named: link, listing })
      }
      for (const mark of marks.values()) if (!wanted.has(mark.card)) erase(mark)
      for (const [card, { link, listing, named }] of wanted) {
        const key = listing === null ? "" : JSON.stringify(listing)
        const mark = marks.get(card)
        if (mark?.link !== link) {
          if (mark !== undefined) erase(mark)
          marks.set(card, {
            card,
            link,
            named,
            listing,
            key,
            spots: null,
            spot: null,
            box: null,
            layer: null,
            at: "",
            rest: null,
          })
          continue
        }
        if (mark.key !== key) unbox(mark)
        mark.named = named
        mark.listing = listing
        mark.key = key
      }
      frames = 0
      wake()
    },
    at: (x, y) => {
      for (const mark of near) {
        const box = mark.at !== "" && mark.listing !== null && mark.box?.getBoundingClientRect()
        if (box && x >= box.left && x < box.right && y >= box.top && y < box.bottom) return mark
      }
      return null
    },
    listingOf: (link) => listings.get(link) ?? null,
    anchorOf: (link) => Anchor.pictureOf(link) ?? link,
    all: links.all,
    clear: () => {
      listings = new WeakMap()
      votes = new Votes()
      counted = new WeakSet()
      for (const mark of marks.values()) erase(mark)
      links.clear()
    },
  }
}

/** The style sheet of marks. It is in every page of a granted site, so it tells the page nothing about its listings. */
export { styles }

/**
 * Reports when something on a page may have moved, from events of the browser and from changes of the page's tree. Because things can also move
 * without either, such as a picture that gets its size from a script's style sheet, it reports every few seconds as well.
 */

const moveEvents = [
  "scroll",
  "resize",
  "load",
  "toggle",
  "fullscreenchange",
  "transitionrun",
  "transitionend",
  "animationstart",
  "animationend",
]
const lookMillis = 3_000

interface Waking {
  /** The page may have moved; `isScroll` if the document has scrolled and nothing else is known to have moved. */
  readonly moved: (isScroll?: boolean) => void
  /** Something in or of this element changed. */
  readonly changed: (element: Element) => void
  /** A dialog, a popover or a full screen was opened or closed. */
  readonly opened: () => void
}

/** Reports until the signal ends it. The returned function watches one more root within the page. */
const watchMoves = ({ changed, moved, opened }: Waking, signal: AbortSignal): ((root: Node) => void) => {
  const observer = new MutationObserver((records) => {
    for (const { attributeName, target } of records) {
      const at = target instanceof Element ? target : target.parentElement
      if (at !== null) changed(at)
      if (attributeName === "open") opened()
    }
    moved()
  })
  const observe = (root: Node): void =>
    observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ["class", "style", "hidden", "open"],
    })
  observe(document)
  for (const type of moveEvents) {
    const hear = ({ target }: Event): void => {
      // Something may lie above the upper layer now.
      if (type === "toggle" || type === "fullscreenchange") opened()
      moved(type === "scroll" && target === document)
    }
    window.addEventListener(type, hear, { capture: true, passive: true, signal })
  }
  const timer = setInterval(() => {
    if (!document.hidden) moved()
  }, lookMillis)
  signal.addEventListener("abort", () => {
    observer.disconnect()
    clearInterval(timer)
  })
  return observe
}
