/**
 * Whether a mark would stand where its card is seen: not beyond the window, not under a header or a menu of the page, not where a scroller
 * has cut the card off.
 */

import { all } from "../links/Elements.ts"

/** How far from the middle of a mark it is looked once more, in pixels. */
const beside = 40

/** The box of a card; that of what is in it, where that is all taken out of the flow and leaves it none. */
export const boxOf = (card: Element): DOMRect => {
  const box = card.getBoundingClientRect()
  const [inner] = all(card, "*")
  return inner === undefined || (box.width > 3 && box.height > 3) ? box : boxOf(inner)
}

/** Whether nothing of the page lies over a place of a card. */
export const isSeen = (card: Element, anchor: Element, x: number, y: number): boolean => {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false
  const scope = anchor.getRootNode() as Document | ShadowRoot
  const hit = scope.elementFromPoint(x, y)
  const isOf = (found: Element | null): boolean =>
    found !== null && (card.contains(found) || anchor.contains(found))
  if (isOf(hit)) return true
  if (hit === null || !hit.contains(card)) return false
  // Beside the card's own box: seen only where the nearest point of the card is, else it was cut off there.
  const { bottom, height, left, right, top, width } = boxOf(card)
  // The corner of the box around a shape may be outside of the shape.
  if (card instanceof SVGElement) return isOf(scope.elementFromPoint(left + width / 2, top + height / 2))
  const nearX = Math.min(Math.max(x, left + 2), right - 2)
  const nearY = Math.min(Math.max(y, top + 2), bottom - 2)
  // Between parts of the card there may be nothing of it, as between the cells of a table: a little further there is.
  const isGap = nearX === x && nearY === y
  return isOf(scope.elementFromPoint(isGap ? x - beside : nearX, nearY))
}
