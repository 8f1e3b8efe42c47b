/**
 * How long this content script is the one that counts: until a newer one starts in the same page, after an update or because the site was
 * granted again, or until the extension is gone. A page may end it too by the same event; it then only loses its badges.
 */
import { browser } from "wxt/browser"

export interface Lifetime {
  readonly signal: AbortSignal
  /** Ends the lifetime if the extension was disabled, removed or updated, which nobody tells a content script. */
  readonly check: () => void
  readonly end: () => void
}

/** Ends the script that was here before, and begins this one's time. */
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
