/**
 * Finds the place of a mark in its card: after the last line of the heading, if nothing else is there, else in a corner of the picture, else in
 * a corner of the card. Only if a card has no free place does the mark lie over its upper edge.
 */
import { all, fits } from "../links/Elements.ts"
import { headings } from "./Owners.ts"
import { boxOf, pictureOf } from "./Sight.ts"

/** Size of every mark in pixels, whatever its text. The style sheet repeats both numbers. */
export const width = 108
export const height = 20
/** Distance between a mark and the text before it. */
const gap = 6
/** How much a mark may cover of a line above or below. */
const slack = 4
/** Least width and height of a picture. */
const leastPicture = 64
/** Most parts of a card that are looked at; in a larger card, the mark may cover other parts. */
const mostParts = 80

const pictures = "img,picture,video,canvas,svg,[role=img]"
const solid = "button,input,select,img,video,canvas,svg,[role=button]"

/** A place in an element, from its upper left corner. */
export interface Spot {
  readonly anchor: Element
  /** The element that names the card's listing. */
  readonly words: Element
  readonly x: number
  readonly y: number
}

/** Where a spot is in the window now. */
export const placeIn = ({ anchor, x, y }: Spot): readonly [x: number, y: number] => {
  const { left, top } = anchor.getBoundingClientRect()
  return [left + x, top + y]
}

/** Whether an element is drawn, and not transparent. */
const isDrawn = (element: Element): boolean =>
  element.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true })

/** Whether an element is drawn with at least this width and height, in pixels. */
export const isLarge = (element: Element, least: number): boolean => {
  const box = element.getBoundingClientRect()
  return box.width >= least && box.height >= least && isDrawn(element)
}

const find = (card: Element, selector: string, least: number): Element | null => {
  const found = [...(fits(card, selector) ? [card] : []), ...all(card, selector)]
  return found.find((one) => isLarge(one, least)) ?? null
}

/** A line of a text, or a part of one. */
interface Line {
  readonly text: Node
  readonly box: DOMRect
}

/** The lines of text in an element. */
const linesIn = (element: Element): ReadonlyArray<Line> => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const lines: Array<Line> = []
  while (lines.length < mostParts && texts.nextNode() !== null) {
    const text = texts.currentNode
    if (!text.nodeValue?.trim()) continue
    range.selectNodeContents(text)
    for (const box of range.getClientRects()) if (box.width > 1) lines.push({ text, box })
  }
  return lines
}

/** A place in the window for a mark's upper left corner. */
type Place = readonly [left: number, top: number]

/** The part that a mark at a place would cover. Closely set lines are as high as they can be, so a small overlap does not count. */
const covered = (parts: ReadonlyArray<DOMRect>, [left, top]: Place): DOMRect | undefined =>
  parts.find(
    (part) =>
      part.left < left + width &&
      part.right > left &&
      part.top < top + height - slack &&
      part.bottom > top + slack,
  )

/** The place after the last visible line of an element, and past other parts of the card on that line. */
const behind = (
  element: Element,
  own: ReadonlyArray<Line>,
  bounds: DOMRect,
  parts: ReadonlyArray<DOMRect>,
  isToLeft: boolean,
): Place | null => {
  const box = element.getBoundingClientRect()
  const lines = own
    .map((line) => line.box)
    .filter(({ bottom, left, right }) => bottom <= box.bottom + 1 && right > box.left && left < box.right)
  let left = 0
  let top = 0
  for (let part = lines.at(-1); part !== undefined; part = covered([...lines, ...parts], [left, top])) {
    left = isToLeft ? part.left - gap - width : part.right + gap
    top ||= part.top + (part.height - height) / 2
  }
  const isInside = left >= Math.max(bounds.left, 0) && left + width <= Math.min(bounds.right, innerWidth)
  return lines.length > 0 && isInside ? [left, top] : null
}

/** The corners of a box, beginning with the lower one on the side where lines begin. */
const cornersOf = ({ bottom, left, right, top }: DOMRect, isToLeft: boolean): ReadonlyArray<Place> => {
  const across = [left + gap, right - gap - width]
  if (isToLeft) across.reverse()
  return across.flatMap((x) => [[x, bottom - gap - height] as const, [x, top + gap] as const])
}

/** The place for the mark of a card that contains a link; null if nothing of the card is drawn. */
export const spotIn = (card: Element, link: Element): Spot | null => {
  const mapped = pictureOf(link)
  if (mapped !== null) {
    // The upper left corner of a rectangle, or the middle of a circle. Numbers without a comma between them give no place.
    const [x = 0, y = 0] = link.getAttribute("coords")!.split(",").map(Number)
    return { anchor: mapped, words: link, x, y }
  }
  const picture = find(card, pictures, leastPicture)
  const words = find(card, headings, 8) ?? (isLarge(link, 4) ? link : card)
  const bounds = boxOf(card)
  const isToLeft = getComputedStyle(words).direction === "rtl"
  const lines = linesIn(card)
  const parts = lines.map(({ box }) => box)
  for (const part of all(card, solid)) {
    if (part !== picture && parts.length < 2 * mostParts) parts.push(part.getBoundingClientRect())
  }
  const at = (anchor: Element, [x, y]: Place): Spot => {
    const { left, top } = anchor.getBoundingClientRect()
    return { anchor, words, x: x - left, y: y - top }
  }
  const isFree = (place: Place): boolean => covered(parts, place) === undefined
  const own = lines.filter((line) => Node.prototype.contains.call(words, line.text))
  // The element that names the listing may be in a root within the card, or beyond the lines that were looked at.
  const text = behind(words, own.length === 0 ? linesIn(words) : own, bounds, parts, isToLeft)
  if (text !== null) return at(words, text)
  if (picture !== null) {
    const corners = cornersOf(picture.getBoundingClientRect(), isToLeft)
    return at(picture, corners.find(isFree) ?? corners[0]!)
  }
  if (!isLarge(words, 3)) return null
  const corner = cornersOf(bounds, isToLeft).find(isFree)
  if (corner !== undefined) return at(words, corner)
  const { left, right, top } = words.getBoundingClientRect()
  return at(words, [isToLeft ? left : Math.max(left, right - width), top - height / 2])
}
