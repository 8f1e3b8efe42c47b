/**
 * Tells when a page has gone to another address without being loaded anew. A content script cannot see calls of `history.pushState`, so it
 * listens where the browser tells, and compares addresses whenever it is asked to.
 */

/** Calls back after each move, until the signal ends it; the function that it gives compares addresses at once. */
export const watch = (moved: () => void, signal: AbortSignal): (() => void) => {
  let last = location.href
  const compare = (): void => {
    if (location.href === last) return
    last = location.href
    moved()
  }
  window.addEventListener("popstate", compare, { signal })
  const { navigation } = window as { readonly navigation?: EventTarget }
  navigation?.addEventListener("currententrychange", compare, { signal })
  return compare
}
