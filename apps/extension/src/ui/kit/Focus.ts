/**
 * Keeps the place of who goes by the keyboard. Browsers drop the focus when its element goes or is disabled, and what is typed next goes nowhere:
 * here it comes back as soon as the element can be used again, or moves to what stood next to it. Pages that put the focus somewhere themselves
 * come first. Knows nothing of what they show.
 */

/** What Tab stops at. */
const stops = "a[href], button, input, select, summary, [tabindex='0']"

const canHaveIt = (element: HTMLElement): boolean =>
  !element.matches(":disabled") && element.checkVisibility()

/** Nowhere in a page that has it: who has gone on into the browser's own bars is not called back. */
const isNowhere = (): boolean =>
  document.hasFocus() && (document.activeElement === null || document.activeElement === document.body)

/** Keeps it from now on. Called before anything is drawn. */
export const keep = (): void => {
  let isByKeys = false
  let at: HTMLElement | null = null
  let order: ReadonlyArray<HTMLElement> = []
  const repair = (): void => {
    if (at === null || !isByKeys || !isNowhere()) return
    if (at.isConnected) {
      if (canHaveIt(at)) at.focus()
      return
    }
    const place = order.indexOf(at)
    const left = (element: HTMLElement): boolean => element.isConnected && canHaveIt(element)
    const next = order.slice(place + 1).find(left) ?? order.slice(0, Math.max(place, 0)).findLast(left)
    next?.focus()
  }
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    at = target
    order = [...document.querySelectorAll<HTMLElement>(stops)]
  })
  // Who points sees where, and may want it nowhere; and before anything was pressed, no ring shall show where nobody went.
  addEventListener("pointerdown", () => (isByKeys = false), true)
  addEventListener("keydown", () => (isByKeys = true), true)
  // Two frames: what a page does itself after it was drawn is done by then.
  new MutationObserver(() => {
    if (isByKeys && isNowhere()) requestAnimationFrame(() => requestAnimationFrame(repair))
  }).observe(document, { attributeFilter: ["disabled"], childList: true, subtree: true })
}
