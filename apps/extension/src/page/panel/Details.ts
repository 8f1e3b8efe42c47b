/** The script that shows details. It is loaded into a page with the first badge or panel. */
import type { Marks } from "../marks/Marks.ts"
import * as Card from "./Card.ts"
import * as Panel from "./Panel.ts"
import styles from "./details.css?inline"
import { browser } from "wxt/browser"
import * as Sender from "../../messages/Sender.ts"
import type { RawSender } from "../../messages/Sender.ts"
import { isTabRequest } from "../../messages/TabMessage.ts"
import type { TabAnswers, TabRequest } from "../../messages/TabMessage.ts"
import * as PageCards from "./PageCards.ts"
import * as Host from "../Host.ts"
import { boxOf } from "../marks/Anchor.ts"
import type { ListingDetail } from "../../messages/ListingMessage.ts"
import type { Channel } from "../../messages/Requests.ts"
import * as Contracts from "./Contracts.ts"

const mostContracts = 3
/** Greatest height of the area for a card, however many contracts there are. */
const tallest = 300
const gap = 6

/**
 * Draws the card at an element of the page: a listing's first contracts, in an area whose size does not depend on them, because the size is what a
 * page can find out about the card.
 */
export const drawCard = (root: ShadowRoot, detail: ListingDetail | null, at: Element) => {
  const box = Host.element("div", "box", ...Contracts.show(detail, mostContracts))
  box.role = "status"
  const area = Host.element("div", "area", box)
  area.popover = "manual"
  root.append(area)
  area.showPopover()
  place(area, at)
  Host.silently(area)
  return {
    isAt: (x: number, y: number): boolean => {
      const { bottom, left, right, top } = box.getBoundingClientRect()
      return x >= left && x < right && y >= top && y < bottom
    },
    place: (): void => place(area, at),
    remove: (): void => area.remove(),
  }
}

/** Places the area below the anchor, or above it if there is more room, and never beyond the window's edge. */
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

const framedMillis = 1_600

/**
 * Scrolls to a card and draws a frame around it for a moment, one frame at a time. Nothing else of the page is changed: the frame is in the
 * extension's own root, takes no pointer and holds no text.
 */
const frameCard = (root: ShadowRoot, card: Element): void => {
  const isTall = boxOf(card).height > innerHeight
  Element.prototype.scrollIntoView.call(card, {
    behavior: "instant",
    block: isTall ? "start" : "center",
    inline: "nearest",
  })
  for (const before of root.querySelectorAll(".frame")) before.remove()
  const frame = Host.element("div", "frame")
  frame.popover = "manual"
  root.append(frame)
  frame.showPopover()
  Host.silently(frame)
  /** The page may move the card meanwhile. */
  const follow = (): void => {
    if (!frame.isConnected || !card.isConnected) return frame.remove()
    const { height, left, top, width } = boxOf(card)
    frame.style.transform = `translate(${left.toFixed(1)}px,${top.toFixed(1)}px)`
    frame.style.height = `${height}px`
    frame.style.width = `${width}px`
    requestAnimationFrame(follow)
  }
  follow()
  setTimeout(() => frame.remove(), framedMillis)
}

type Answer = TabAnswers[TabRequest["type"]]

/**
 * Answers the extension's own pages, which ask for the listings of the page in front and to show one, until the signal ends it. No other sender is
 * answered.
 */
const answerPages = (
  root: ShadowRoot,
  marks: Pick<Marks, "all" | "listingOf">,
  signal: AbortSignal,
): void => {
  const cards = PageCards.make(marks)
  const self = { id: browser.runtime.id, origin: browser.runtime.getURL("").replace(/\/$/, "") }
  const answer = (request: TabRequest): Answer => {
    if (request.type === "tab.cards") return cards.list()
    const card = cards.find(request.id)
    if (card !== null) frameCard(root, card)
    return card !== null
  }
  const hear = (message: unknown, sender: RawSender, respond: (answer: Answer) => void): void => {
    if (Sender.of(sender, self)?._tag === "Page" && isTabRequest(message)) respond(answer(message))
  }
  browser.runtime.onMessage.addListener(hear)
  signal.addEventListener("abort", () => browser.runtime?.onMessage.removeListener(hear))
}

interface Source extends Pick<Card.CardSource, "load"> {
  readonly marks: Marks
  /** The user's choices for the panel now: another value once they have changed. */
  readonly chosen: () => Panel.Chosen
}

export const details = {
  /** Makes the panel and the card, and answers the extension's pages, until the signal ends it. */
  show: (channel: Channel, root: ShadowRoot, source: Source, signal: AbortSignal) => {
    answerPages(root, source.marks, signal)
    return { panel: Panel.make(channel, root, source.chosen), hideCard: Card.make(source, signal) }
  },
  card: drawCard,
  styles,
}

export type Details = typeof details
