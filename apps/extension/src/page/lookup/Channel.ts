/**
 * The connection to the background: typed requests and their answers, and its notices. The answer is null if the background cannot be reached or
 * does not answer: there is nothing to show either way.
 */
import { browser } from "wxt/browser"
import type { ListingAnswers, ListingNotice, ListingRequest } from "../../messages/ListingMessage.ts"

export interface Channel {
  readonly ask: <R extends ListingRequest>(request: R) => Promise<ListingAnswers[R["type"]] | null>
  /** Calls back with each notice of the background until the signal ends it. */
  readonly listen: (take: (notice: ListingNotice) => void, signal: AbortSignal) => void
}

/** The channel of a content script. `failed` is called when the background cannot be reached, temporarily or permanently. */
export const make = (failed: () => void): Channel => ({
  ask: async (request) => {
    try {
      return (await browser.runtime.sendMessage(request)) ?? null
    } catch {
      failed()
      return null
    }
  },
  listen: (take, signal) => {
    const hear = (message: unknown): void => {
      const type = (message as Partial<ListingNotice> | null)?.type
      if (type === "listing.changed" || type === "listing.off") take({ type })
    }
    browser.runtime.onMessage.addListener(hear)
    signal.addEventListener("abort", () => browser.runtime?.onMessage.removeListener(hear))
  },
})
