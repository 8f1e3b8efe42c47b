/**
 * Whether a mark would stand where its card is seen: not beyond the window, not under a header or a menu of the page, not where a scroller
 * has cut the card off.
 */

import { all, closest, parentOf } from "../links/Elements.ts"

/** How far from the middle of a mark it is looked once more, in pixels. */
const beside = 40

/** The box of a card; that of what is in it, where that is all taken out of the flow and leaves it none. */
export const boxOf = (card: Element): DOMRect => {
  const box = card.getBoundingClientRect()
  if (box.width > 3 && box.height > 3) return box
  for (const child of all(card, ":scope > *")) {
    const inner = boxOf(child)
    if (inner.width > 3 && inner.height > 3) return inner
  }
  return box
}

/** Whether the browser draws an element, or something in it where it has no box of its own (`display: contents`). */
const isShown = (element: Element): boolean => {
  if (element.checkVisibility({ contentVisibilityAuto: true })) return true
  return getComputedStyle(element).display === "contents" && [...all(element, ":scope > *")].some(isShown)
}

/** The picture that a link is an area of, which has no box of its own; null for other links. */
export const pictureOf = (link: Element): Element | null => {
  const map = link.getAttribute("coords") && (closest(link, "map") as HTMLMapElement | null)
  return map ? document.querySelector(`img[usemap=${JSON.stringify(`#${map.name}`)}]`) : null
}

/** One look at the cards of a page: the size of the window, and what is around cards that the browser has not skipped. */
export interface Look {
  readonly width: number
  readonly height: number
  readonly shown: Set<ParentNode | null>
}

/** A new look. The window's size is asked for once, because a browser has to make sure each time that its layout is right. */
export const look = (): Look => ({ width: innerWidth, height: innerHeight, shown: new Set() })

/**
 * Whether a card is in the window, or no more than some pixels beyond it. To ask for the box of what the browser has skipped would have it laid out, so that is
 * asked first. Cards with one parent are skipped together: the first of them answers for all in the same look.
 */
export const isNear = (
  card: Element,
  link: Element,
  { height, shown, width }: Look,
  beyond: number,
): boolean => {
  const drawn = pictureOf(link) ?? card
  if (!shown.has(drawn.parentNode)) {
    if (!isShown(drawn)) return false
    shown.add(drawn.parentNode)
  }
  const { bottom, left, right, top } = boxOf(drawn)
  const isInWindow = bottom > -beyond && top < height + beyond && right > -beyond && left < width + beyond
  return isInWindow && isShown(drawn)
}

/** Whether an element is in another one, also over the borders of open roots. */
const isIn = (element: Element | null, outer: Element | null): boolean => {
  let at = element
  while (at !== null && at !== outer) at = parentOf(at)
  return at !== null
}

/** Whether a place is in the window. */
export const isInside = (x: number, y: number, { height, width }: Look): boolean =>
  x >= 0 && y >= 0 && x < width && y < height

/** Whether nothing of the page lies over a place of a card in the window. */
export const isSeen = (card: Element, anchor: Element, x: number, y: number): boolean => {
  const scope = anchor.getRootNode() as Document | ShadowRoot
  const hit = scope.elementFromPoint(x, y)
  const isOf = (found: Element | null): boolean => isIn(found, card) || isIn(found, anchor)
  if (isOf(hit)) return true
  if (!isIn(card, hit)) return false
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
