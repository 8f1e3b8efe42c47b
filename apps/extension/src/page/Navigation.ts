/**
 * Reports when a page has navigated to another address without a reload. A content script cannot see calls of `history.pushState`, so this
 * listens to the browser's events, and compares addresses whenever it is asked to.
 */

/** Calls back after each navigation, until the signal ends it. The returned function compares addresses at once. */
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
