/**
 * What the page asks the background: the connection, and what is known about the references of this page. Each reference is asked for once, many in
 * one message, and nothing but references is sent.
 */
import { browser } from "wxt/browser"
import { mostReferences, referencesPerMinute } from "../messages/ListingMessage.ts"
import type {
  BadgeFact,
  Known,
  ListingAnswers,
  ListingNotice,
  Reference,
} from "../messages/ListingMessage.ts"
import type { ListingRequest } from "../messages/Requests.ts"

export interface Channel {
  readonly ask: <R extends ListingRequest>(request: R) => Promise<ListingAnswers[R["type"]] | null>
  /** Calls back with each notice of the background until the signal ends it. */
  readonly listen: (take: (notice: ListingNotice) => void, signal: AbortSignal) => void
}

/** The channel of a content script. `failed` is called when the background cannot be reached, temporarily or permanently. */
export const connect = (failed: () => void): Channel => ({
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

/** Most references that are remembered; on a page that has shown more, all are forgotten. */
const mostRemembered = 50_000
/** The pause for each reference before everything is asked for again. It leaves half of a tab's quota for new references. */
const millisPerReference = (2 * 60_000) / referencesPerMinute
/** The shortest such pause. */
const leastMillis = 1_000

export interface Ask {
  /** The first listing with contracts among some references. */
  readonly firstOf: (
    references: ReadonlyArray<Reference>,
  ) => { readonly reference: Reference; readonly fact: BadgeFact } | null
  /** Whether this tab has used up its quota for now. */
  readonly isPaused: () => boolean
  /** Milliseconds until everything may be asked for again, so that a tab stays within its quota. 0 or less when it may be now. */
  readonly pauseMillis: () => number
  /** Takes the answer for some references. False if they were not answered. */
  readonly take: (references: ReadonlyArray<Reference>, known: Known | "later" | null | undefined) => boolean
  /** Asks for references that are not known yet. False if any of them was not answered, or has to be asked for again already. */
  readonly learn: (references: Iterable<Reference>) => Promise<boolean>
  /** Marks everything to be asked for again, and keeps what is known until the answer comes. Answers on their way are discarded. */
  readonly renew: () => void
  /** Forgets everything. */
  readonly forget: () => void
}

export const make = (channel: Channel): Ask => {
  const known = new Map<Reference, BadgeFact | null>()
  /** References that are not to be asked for again. Replaced by a new set when all of them have to be. */
  let fresh = new Set<Reference>()
  let pausedUntil = 0
  let isPaused = false

  const pause = (millis: number): void => {
    pausedUntil = Math.max(pausedUntil, Date.now()) + millis
  }
  const forget = (): void => {
    fresh = new Set()
    known.clear()
    pausedUntil = 0
  }
  const take: Ask["take"] = (references, answer) => {
    isPaused = answer === "later"
    if (answer == null || answer === "later") return false
    pause(references.length * millisPerReference)
    const facts = new Map(Object.entries(answer))
    for (const reference of references) {
      fresh.add(reference)
      known.set(reference, facts.get(reference) ?? null)
    }
    return true
  }
  return {
    take,
    firstOf: (references) => {
      for (const reference of references) {
        const fact = known.get(reference)
        if (fact != null) return { reference, fact }
      }
      return null
    },
    isPaused: () => isPaused,
    pauseMillis: () => pausedUntil - Date.now(),
    learn: async (references) => {
      if (known.size > mostRemembered) forget()
      const current = fresh
      const unknown = [...new Set(references)].filter((reference) => !current.has(reference))
      for (let at = 0; at < unknown.length; at += mostReferences) {
        const part = unknown.slice(at, at + mostReferences)
        const answer = await channel.ask({ type: "listing.lookup", references: part })
        if (current !== fresh) return false
        if (!take(part, answer === "later" ? answer : answer?.known)) return false
      }
      return true
    },
    renew: () => {
      fresh = new Set()
      pause(leastMillis)
    },
    forget,
  }
}

/** Name of the global object that the content script and the script that shows details share, and no page can see. */
const detailsPlace = "deedkit details"

/** Hands what the script that shows details gives to the content script that asked for it. */
export const give = (details: object): void => void Object.assign(globalThis, { [detailsPlace]: details })

/** Returns a function that loads that script. It gives null if the script is not available now; a later call may succeed. */
export const loadedDetails = <Details>(
  channel: Channel,
  take: (details: Details) => void,
): (() => Promise<Details | null>) => {
  let coming: Promise<Details | null> | null = null
  const bring = async (): Promise<Details | null> => {
    const isThere = await channel.ask({ type: "listing.loadDetails" })
    const details = (isThere && (globalThis as { readonly [detailsPlace]?: Details })[detailsPlace]) || null
    if (details === null) coming = null
    else take(details)
    return details
  }
  return () => (coming ??= bring())
}
