/**
 * The lifetime of this content script. It ends when a newer one starts in the same page, after an update or because the site was granted
 * again, or when the extension is gone. A page can end it too, by the same event; the page then only loses its badges.
 */
import { browser } from "wxt/browser"

export interface Lifetime {
  readonly signal: AbortSignal
  /** Ends the lifetime if the extension was disabled, removed or updated. Content scripts are not notified of that. */
  readonly check: () => void
  readonly end: () => void
}

/** Ends the script that ran here before, and begins the lifetime of this one. */
export const begin = (): Lifetime => {
  const ending = new AbortController()
  const { signal } = ending
  const end = (): void => ending.abort()
  const started = `deedkit:${browser.runtime.id}`
  document.dispatchEvent(new Event(started))
  document.addEventListener(started, end, { signal })
  return {
    signal,
    end,
    check: () => {
      if (browser.runtime?.id === undefined) end()
    },
  }
}
