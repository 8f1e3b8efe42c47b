/**
 * Reports when something on a page may have moved, from events of the browser and from changes of the page's tree. Because things can also move
 * without either, such as a picture that gets its size from a script's style sheet, it reports every few seconds as well.
 */

const moves = [
  "scroll",
  "resize",
  "load",
  "toggle",
  "fullscreenchange",
  "transitionrun",
  "transitionend",
  "animationstart",
  "animationend",
]
const lookMillis = 3_000

export interface Waking {
  /** The page may have moved. */
  readonly moved: () => void
  /** Something in or of this element changed. */
  readonly changed: (element: Element) => void
  /** A dialog, a popover or a full screen was opened or closed. */
  readonly opened: () => void
}

/** Reports until the signal ends it. The returned function watches one more root within the page. */
export const watch = ({ changed, moved, opened }: Waking, signal: AbortSignal): ((root: Node) => void) => {
  const observer = new MutationObserver((records) => {
    for (const { attributeName, target } of records) {
      const at = target instanceof Element ? target : target.parentElement
      if (at !== null) changed(at)
      if (attributeName === "open") opened()
    }
    moved()
  })
  const observe = (root: Node): void =>
    observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ["class", "style", "hidden", "open"],
    })
  observe(document)
  for (const type of moves) {
    const hear = (): void => {
      // Something may lie above the upper layer now.
      if (type === "toggle" || type === "fullscreenchange") opened()
      moved()
    }
    window.addEventListener(type, hear, { capture: true, passive: true, signal })
  }
  const timer = setInterval(() => {
    if (!document.hidden) moved()
  }, lookMillis)
  signal.addEventListener("abort", () => {
    observer.disconnect()
    clearInterval(timer)
  })
  return observe
}
