/**
 * Finds the free places for a mark in a card: after the last line of the heading, at an edge of the picture, in a corner of a card without one.
 * Cards of a page look alike, so that one of these places is free in most of them: `Votes` finds it. Only if a card has no free place does the
 * mark lie over its upper edge. And whether a mark there is seen: not beyond the window, under a header of the page, or where a scroller has cut the
 * card off.
 */
import { all, closest, fits, headings, parentOf } from "../Links.ts"

/** Size of every mark in pixels, whatever its text. The style sheet repeats both numbers. */
export const width = 108
export const height = 20
/** Distance between a mark and the text before it. */
const gap = 6
/** How much a mark may cover of a line above or below. */
const slack = 4
/** More than the padding of a card: space of this height without content is not its own. */
const emptyRow = 64
/** Least width and height of a picture. */
const leastPicture = 64
/** Most parts of a card that are looked at; in a larger card, the mark may cover other parts. */
const mostParts = 80

const pictures = "img,picture,video,canvas,svg,[role=img]"
const solid = "button,input,select,img,video,canvas,svg,[role=button]"

/** The places in the order in which they are preferred. */
const places = [
  "text",
  "picture 0",
  "picture 1",
  "picture 2",
  "picture 3",
  "picture 4",
  "picture 5",
  "card 0",
  "card 1",
  "card 2",
  "card 3",
  "edge",
] as const
export type PlaceName = (typeof places)[number]

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

/** The part of a color that says how much of what lies below is seen. */
const transparent = /^rgba\(.*, 0\)$|^transparent$/

/** Whether an element is painted, other than by its texts. */
const isPainted = (element: Element): boolean => {
  const { backgroundColor, backgroundImage, borderTopStyle } = getComputedStyle(element)
  return backgroundImage !== "none" || borderTopStyle !== "none" || !transparent.test(backgroundColor)
}

/** The part of a picture that no element between it and its card cuts off. */
const shownOf = (picture: Element, card: Element): DOMRect => {
  let { bottom, left, right, top } = picture.getBoundingClientRect()
  for (let at = parentOf(picture); at !== null && at !== parentOf(card); at = parentOf(at)) {
    if (getComputedStyle(at).overflow === "visible") continue
    const box = at.getBoundingClientRect()
    left = Math.max(left, box.left)
    top = Math.max(top, box.top)
    right = Math.min(right, box.right)
    bottom = Math.min(bottom, box.bottom)
  }
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
}

/** What lies over a picture and is much smaller than it: buttons and painted labels without a text. */
const labelsOn = (picture: Element, card: Element): ReadonlyArray<DOMRect> => {
  const { bottom, height, left, right, top, width: across } = picture.getBoundingClientRect()
  const labels: Array<DOMRect> = []
  let looked = 0
  for (const element of all(card, "*")) {
    if (looked++ > 2 * mostParts) break
    const box = element.getBoundingClientRect()
    const isOver = box.left < right && box.right > left && box.top < bottom && box.bottom > top
    const isSmall = box.width > 1 && box.height > 1 && 3 * box.width * box.height < across * height
    if (!isOver || !isSmall || element === picture || !isDrawn(element)) continue
    if (fits(element, solid) || isPainted(element)) labels.push(box)
  }
  return labels
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

/** A card without the empty rows above and below its content, such as the space that an advertisement may fill; the usual padding stays. */
const withoutEmptyRows = ({ bottom, left, right, top }: DOMRect, parts: ReadonlyArray<DOMRect>): DOMRect => {
  const first = Math.min(bottom, ...parts.map((part) => part.top))
  const last = Math.max(top, ...parts.map((part) => part.bottom))
  if (first >= last) return new DOMRect(left, top, right - left, bottom - top)
  const upper = first - top > emptyRow ? first : top
  const lower = bottom - last > emptyRow ? last : bottom
  return new DOMRect(left, upper, right - left, lower - upper)
}

/** The corners of a box, beginning with the lower one on the side where lines begin. */
const cornersOf = ({ bottom, left, right, top }: DOMRect, isToLeft: boolean): ReadonlyArray<Place> => {
  const across = [left + gap, right - gap - width]
  if (isToLeft) across.reverse()
  return across.flatMap((x) => [[x, bottom - gap - height] as const, [x, top + gap] as const])
}

/** A box, or of one that is wider than the window the part that is in it: its corners are never seen together. */
const inWindow = (box: DOMRect): DOMRect => {
  if (box.width <= innerWidth) return box
  const left = Math.max(box.left, 0)
  return new DOMRect(left, box.top, Math.max(0, Math.min(box.right, innerWidth) - left), box.height)
}

/** The corners of a picture, and the middle of its lower and of its upper edge. */
const edgesOf = (box: DOMRect, isToLeft: boolean): ReadonlyArray<Place> => {
  const middle = (box.left + box.right - width) / 2
  return [...cornersOf(box, isToLeft), [middle, box.bottom - gap - height], [middle, box.top + gap]]
}

export type Spots = ReadonlyMap<PlaceName, Spot>

/** The free places for the mark of a card that contains a link, at least one; empty if nothing of the card is drawn. */
export const spotsIn = (card: Element, link: Element): Spots => {
  const spots = new Map<PlaceName, Spot>()
  const mapped = pictureOf(link)
  if (mapped !== null) {
    // The upper left corner of a rectangle, or the middle of a circle. Numbers without a comma between them give no place.
    const [x = 0, y = 0] = link.getAttribute("coords")!.split(",").map(Number)
    return spots.set("edge", { anchor: mapped, words: link, x, y })
  }
  const picture = find(card, pictures, leastPicture)
  const words = find(card, headings, 8) ?? (isLarge(link, 4) ? link : card)
  const bounds = boxOf(card)
  const isToLeft = getComputedStyle(words).direction === "rtl"
  const lines = linesIn(card)
  const texts = lines.map(({ box }) => box)
  const solids: Array<DOMRect> = []
  for (const part of all(card, solid)) {
    if (part !== picture && texts.length + solids.length < 2 * mostParts)
      solids.push(part.getBoundingClientRect())
  }
  const parts = [...texts, ...solids]
  const add = (name: PlaceName, anchor: Element, [x, y]: Place): void => {
    const { left, top } = anchor.getBoundingClientRect()
    spots.set(name, { anchor, words, x: x - left, y: y - top })
  }
  const own = lines.filter((line) => Node.prototype.contains.call(words, line.text))
  // The element that names the listing may be in a root within the card, or beyond the lines that were looked at.
  const text = behind(words, own.length === 0 ? linesIn(words) : own, bounds, parts, isToLeft)
  if (text !== null) add("text", words, text)
  if (picture !== null) {
    const edges = edgesOf(inWindow(shownOf(picture, card)), isToLeft)
    const over = [...texts, ...labelsOn(picture, card)]
    for (const [at, place] of edges.entries()) {
      if (covered(over, place) === undefined) add(`picture ${at}` as PlaceName, picture, place)
    }
    if (spots.size === 0) add("picture 0", picture, edges[0]!)
    return spots
  }
  if (!isLarge(words, 3)) return spots
  for (const [at, place] of cornersOf(inWindow(withoutEmptyRows(bounds, parts)), isToLeft).entries()) {
    if (covered(parts, place) === undefined) add(`card ${at}` as PlaceName, words, place)
  }
  const { left, right, top } = words.getBoundingClientRect()
  if (spots.size === 0)
    add("edge", words, [isToLeft ? left : Math.max(left, right - width), top - height / 2])
  return spots
}

/** Cards after which the place of a page's marks stays. */
const mostVotes = 32

/** Finds the one place for the marks of a page: the one that is free in most of its first cards, and of several the preferred one. */
export class Votes {
  readonly #counts = new Map<PlaceName, number>()
  #order: ReadonlyArray<PlaceName> = places
  #cards = 0

  /** Counts the free places of one more card. Returns whether the order of the places has changed. */
  add(spots: Spots): boolean {
    if (spots.size === 0 || this.#cards >= mostVotes) return false
    this.#cards++
    for (const name of spots.keys()) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    const before = this.#order.join()
    this.#order = places.toSorted(
      (one, other) => (this.#counts.get(other) ?? 0) - (this.#counts.get(one) ?? 0),
    )
    return this.#order.join() !== before
  }

  /** The place of a card's mark: the first in the order of the page that is free in the card. */
  choose(spots: Spots): Spot | null {
    const name = this.#order.find((name) => spots.has(name))
    return name === undefined ? null : spots.get(name)!
  }
}

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
