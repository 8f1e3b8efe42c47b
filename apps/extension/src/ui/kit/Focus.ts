/**
 * Keeps the focus for keyboard users. Browsers drop the focus when its element is removed or disabled, and further keys are lost. This restores the
 * focus as soon as the element can be used again, or moves it to the next element that is left, else to the previous one. A page that sets the focus
 * itself takes precedence. Does not depend on the content of the pages.
 */

/** The elements that Tab stops at. */
const stops = "a[href], button, input, select, summary, [tabindex='0']"

const canHaveIt = (element: HTMLElement): boolean =>
  !element.matches(":disabled") && element.checkVisibility()

/** Whether the page has the focus but no element does. The focus is not taken from the browser's own bars. */
const isNowhere = (): boolean =>
  document.hasFocus() && (document.activeElement === null || document.activeElement === document.body)

/** Starts keeping the focus. Called before anything is rendered. */
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
  // A pointer user may want no focus at all, and before the first key press no focus ring must appear.
  addEventListener("pointerdown", () => (isByKeys = false), true)
  addEventListener("keydown", () => (isByKeys = true), true)
  // After two frames, a page has finished its own changes after rendering.
  new MutationObserver(() => {
    if (isByKeys && isNowhere()) requestAnimationFrame(() => requestAnimationFrame(repair))
  }).observe(document, { attributeFilter: ["disabled"], childList: true, subtree: true })
}
