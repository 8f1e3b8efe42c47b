/**
 * Tells when a page has gone to another address without being loaded anew. A content script cannot see calls of `history.pushState`, so it
 * listens where the browser tells, and compares addresses whenever it is asked to.
 */

interface NavigationEvents {
  readonly navigation?: EventTarget
}

/** Calls back after each move, until the signal ends it; the function that it gives compares addresses at once. */
export const watch = (
  page: Window & NavigationEvents,
  moved: () => void,
  signal: AbortSignal,
): (() => void) => {
  let last = page.location.href
  const compare = (): void => {
    const now = page.location.href
    if (now === last) return
    last = now
    moved()
  }
  page.addEventListener("popstate", compare, { signal })
  page.navigation?.addEventListener("currententrychange", compare, { signal })
  return compare
}
