/**
 * Brings a card into view and draws a frame around it for a moment. The page is scrolled and nothing else of it is changed: the frame is
 * in the extension's own root, takes no pointer and holds no text.
 */
import * as Shadow from "../marks/Shadow.ts"
import { boxOf } from "../marks/Sight.ts"

const shownMillis = 1_600

/** Scrolls to a card and shows where it is; one frame at a time. */
export const show = (root: ShadowRoot, card: Element): void => {
  const isTall = boxOf(card).height > innerHeight
  Element.prototype.scrollIntoView.call(card, {
    behavior: "instant",
    block: isTall ? "start" : "center",
    inline: "nearest",
  })
  for (const before of root.querySelectorAll(".frame")) before.remove()
  const frame = Shadow.element("div", "frame")
  frame.popover = "manual"
  root.append(frame)
  frame.showPopover()
  Shadow.silently(frame)
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
  setTimeout(() => frame.remove(), shownMillis)
}
