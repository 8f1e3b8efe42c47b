/**
 * Whether a mark would stand where its card is seen: not beyond the window, not under a header or a menu of the page, not where a scroller
 * has cut the card off.
 */

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
  const { bottom, height, left, right, top, width } = card.getBoundingClientRect()
  // The corner of the box around a shape may be outside of the shape.
  if (card instanceof SVGElement) return isOf(scope.elementFromPoint(left + width / 2, top + height / 2))
  const nearX = Math.min(Math.max(x, left + 2), right - 2)
  const nearY = Math.min(Math.max(y, top + 2), bottom - 2)
  return (nearX !== x || nearY !== y) && isOf(scope.elementFromPoint(nearX, nearY))
}
