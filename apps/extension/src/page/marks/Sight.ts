/**
 * Whether a mark would be at a visible point of its card: not beyond the window, not under a header or a menu of the page, not where a
 * scroller has cut the card off.
 */

import { all, closest, parentOf } from "../links/Scan.ts"

/** Distance from the middle of a mark at which the card is tested once more, in pixels. */
const beside = 40

/** The box of a card; that of its content if all of it is out of the flow and leaves the card without a box. */
export const boxOf = (card: Element): DOMRect => {
  const box = card.getBoundingClientRect()
  if (box.width > 3 && box.height > 3) return box
  for (const child of all(card, ":scope > *")) {
    const inner = boxOf(child)
    if (inner.width > 3 && inner.height > 3) return inner
  }
  return box
}

/** Whether the browser draws an element, or something in it if it has no box of its own (`display: contents`). */
const isShown = (element: Element): boolean => {
  if (element.checkVisibility({ contentVisibilityAuto: true })) return true
  return getComputedStyle(element).display === "contents" && [...all(element, ":scope > *")].some(isShown)
}

/** The picture that a link is an area of, which has no box of its own; null for other links. */
export const pictureOf = (link: Element): Element | null => {
  const map = link.getAttribute("coords") && (closest(link, "map") as HTMLMapElement | null)
  return map ? document.querySelector(`img[usemap=${JSON.stringify(`#${map.name}`)}]`) : null
}

/** One look at the cards of a page: the size of the window, and the parents of cards that the browser has not skipped. */
export interface Look {
  readonly width: number
  readonly height: number
  readonly shown: Set<ParentNode | null>
}

/** A new look. The window's size is read once, because each read makes a browser check that its layout is up to date. */
export const look = (): Look => ({ width: innerWidth, height: innerHeight, shown: new Set() })

/**
 * Whether a card is in the window, or at most `beyond` pixels outside it. Reading the box of a card that the browser has skipped would lay it
 * out, so that is tested first. Cards with the same parent are skipped together: the first of them answers for all in the same look.
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

/** Whether an element is in another one, also across the borders of open roots. */
const isIn = (element: Element | null, outer: Element | null): boolean => {
  let at = element
  while (at !== null && at !== outer) at = parentOf(at)
  return at !== null
}

/** Whether a point is in the window. */
export const isInside = (x: number, y: number, { height, width }: Look): boolean =>
  x >= 0 && y >= 0 && x < width && y < height

/** Whether a point of a card in the window is visible, that is, not covered by other content of the page. */
export const isSeen = (card: Element, anchor: Element, x: number, y: number): boolean => {
  const scope = anchor.getRootNode() as Document | ShadowRoot
  const hit = scope.elementFromPoint(x, y)
  const isOf = (found: Element | null): boolean => isIn(found, card) || isIn(found, anchor)
  if (isOf(hit)) return true
  if (!isIn(card, hit)) return false
  // A point outside the card's own box is visible only if the nearest point of the card is; otherwise the card was cut off there.
  const { bottom, height, left, right, top, width } = boxOf(card)
  // The corner of the box around a shape may be outside the shape.
  if (card instanceof SVGElement) return isOf(scope.elementFromPoint(left + width / 2, top + height / 2))
  const nearX = Math.min(Math.max(x, left + 2), right - 2)
  const nearY = Math.min(Math.max(y, top + 2), bottom - 2)
  // There may be gaps between parts of the card, as between the cells of a table: a little further there is a part.
  const isGap = nearX === x && nearY === y
  return isOf(scope.elementFromPoint(isGap ? x - beside : nearX, nearY))
}
