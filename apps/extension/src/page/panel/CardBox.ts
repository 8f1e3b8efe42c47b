/**
 * Draws the card: a listing's first contracts, in an area whose size does not depend on them, because the size is what a page can find out
 * about the card.
 */
import type { ListingDetail } from "../../messages/ListingMessage.ts"
import * as Shadow from "../marks/Shadow.ts"
import * as Contracts from "./Contracts.ts"

const mostContracts = 3
/** Greatest height of the area for a card, however many contracts there are. */
const tallest = 300
const gap = 6

/** Draws the contracts of a listing at an element of the page. */
export const draw = (root: ShadowRoot, detail: ListingDetail | null, at: Element) => {
  const box = Shadow.element("div", "box", ...Contracts.show(detail, mostContracts))
  box.role = "status"
  const area = Shadow.element("div", "area", box)
  area.popover = "manual"
  root.append(area)
  area.showPopover()
  place(area, at)
  Shadow.silently(area)
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
