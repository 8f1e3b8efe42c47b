/** What a test finds of marks and cards on a page. Each function is sent to the browser as text, so it uses nothing around it. */

/** Waits until whatever comes after a moment has come. Runs in the page. */
export const settle = () =>
  new Promise<void>((resolve) => {
    let left = 24
    const step = () => (left-- > 0 ? requestAnimationFrame(step) : resolve())
    step()
  })

/** Compares the cards of a page with the marks on it. Runs beside the content script. */
export const judge = (blank: ReadonlyArray<string>) => {
  type Opener = { readonly openOrClosedShadowRoot?: ShadowRoot | null }
  type Dom = { readonly openOrClosedShadowRoot: (host: Element) => ShadowRoot }
  const { dom } = (globalThis as unknown as { chrome: { dom?: Dom } }).chrome
  const host = document.documentElement.lastElementChild!
  const root = dom?.openOrClosedShadowRoot(host) ?? (host as Opener).openOrClosedShadowRoot
  const middleOf = (mark: Element) => {
    const { height, left, top, width } = mark.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }
  const marks = [...(root?.querySelectorAll<HTMLElement>(".spot.mark") ?? [])]
    .filter((mark) => mark.checkVisibility())
    .map(middleOf)
    .filter(({ x, y }) => x > 0 && y > 0 && x < innerWidth && y < innerHeight)
  const faults: Array<string> = []
  /** The elements of a tree, also those in open roots. */
  const within = (tree: ParentNode): ReadonlyArray<Element> =>
    [...tree.querySelectorAll("*")].flatMap((one) =>
      one.shadowRoot === null ? one : [one].concat(within(one.shadowRoot)),
    )
  const cards = within(document).filter((one): one is HTMLElement => one.hasAttribute("data-card"))
  /** The element at a place and those around it, also over the borders of open roots. */
  const pathAt = (x: number, y: number): ReadonlyArray<Element> => {
    let hit = document.elementFromPoint(x, y)
    for (;;) {
      const inner: Element | null = hit?.shadowRoot?.elementFromPoint(x, y) ?? null
      if (inner === null || inner.getRootNode() !== hit?.shadowRoot) break
      hit = inner
    }
    // A form may have fields that are named like these members.
    const parentOf = (one: Element): Element | null =>
      (Reflect.get(Node.prototype, "parentElement", one) as Element | null) ??
      (Node.prototype.getRootNode.call(one) as Partial<ShadowRoot>).host ??
      null
    const path: Array<Element> = []
    for (let at = hit; at !== null; at = parentOf(at)) path.push(at)
    return path
  }
  /** The picture that a card is an area of. It has no box of its own, and in Firefox the picture is what is met at its place. */
  const pictureOf = (card: Element): Element | null =>
    document.querySelector(`img[usemap=${CSS.escape(`#${card.closest("map")?.name}`)}]`)
  const boxOf = (card: Element): DOMRect => {
    const image = pictureOf(card)?.getBoundingClientRect()
    if (image === undefined) return card.getBoundingClientRect()
    const [x = 0, y = 0, ...others] = (card.getAttribute("coords") ?? "").split(",").map(Number)
    const [radius = 0] = others
    return others.length === 1
      ? new DOMRect(image.left + x - radius, image.top + y - radius, 2 * radius, 2 * radius)
      : new DOMRect(image.left + x, image.top + y, others[0]! - x, others[1]! - y)
  }
  /** The card that a mark stands on, or else beside. */
  const cardOf = ({ x, y }: { readonly x: number; readonly y: number }): Element | undefined => {
    const hit = pathAt(x, y).find((one) => one.hasAttribute("data-card"))
    const isBeside = (card: Element): boolean => {
      const { bottom, left, right, top } = boxOf(card)
      return x > left - 12 && x < right + 12 && y > top - 12 && y < bottom + 12
    }
    return hit ?? cards.find(isBeside)
  }
  const owners = marks.map((mark) => ({ mark, card: cardOf(mark) }))
  let right = 0
  for (const card of cards) {
    const name = card.dataset["card"]!
    const { bottom, left, right: end, top } = boxOf(card)
    const has = owners.filter((owner) => owner.card === card).length
    const isOf = ([x, y]: readonly [number, number]): boolean =>
      x >= 0 &&
      y >= 0 &&
      x < innerWidth &&
      y < innerHeight &&
      pathAt(x, y).some((one) => one === card || one === pictureOf(card))
    const inset = Math.min(4, (end - left) / 3)
    const shape = card.namespaceURI !== "http://www.w3.org/1999/xhtml" || card.localName === "area"
    const points = shape
      ? [[(left + end) / 2, (top + bottom) / 2] as const]
      : [
          [left + inset, top + inset] as const,
          [end - inset, top + inset] as const,
          [left + inset, bottom - inset] as const,
          [end - inset, bottom - inset] as const,
          [(left + end) / 2, (top + bottom) / 2] as const,
        ]
    const isTurned =
      getComputedStyle(card).transform.includes("matrix") && card.style.transform.includes("rotate")
    const seen = isTurned ? (isOf(points[4]!) ? points.length : 0) : points.filter(isOf).length
    if (blank.includes(name)) {
      if (has > 0) faults.push(`${name} has no contract and ${has} marks`)
    } else if (seen === points.length) {
      if (has === 1) right++
      else faults.push(`${name} has ${has} marks`)
    } else if (seen === 0 && has > 0) faults.push(`${name} is not seen and has ${has} marks`)
  }
  for (const { card, mark } of owners) {
    if (card === undefined) faults.push(`a mark at ${Math.round(mark.x)}, ${Math.round(mark.y)}`)
  }
  return { right, faults }
}
