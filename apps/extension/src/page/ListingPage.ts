/**
 * The content script: shows contracts on one page of a granted site. It asks the background what to do here, scans links, has them looked up, marks
 * their cards, and follows additions and navigation. It leaves nothing behind when the grant is revoked or a newer version of the extension starts.
 */
import { browser } from "wxt/browser"
import * as Marks from "./marks/Marks.ts"
import type { Chosen } from "./panel/Panel.ts"
import type { Details } from "./panel/Details.ts"
import { readerOf } from "../address/Reference.ts"
import type { Reader } from "../address/Reference.ts"
import { linksIn, watchAdditions } from "./Links.ts"
import type { Found } from "./Links.ts"
import { detailsPlace, mostReferences, referencesPerMinute } from "../messages/ListingMessage.ts"
import type { BadgeFact, Known, ListingNotice, Reference } from "../messages/ListingMessage.ts"
import type { Channel } from "../messages/Requests.ts"
import * as Host from "./Host.ts"

/** Runs in the page until a newer script starts there, and again in a document that the page has put in place of its own. */
export const start = (): void => {
  // A document such as an SVG image or a feed has no place for the extension's element.
  if (!(document.documentElement instanceof HTMLElement)) return
  const { check, end, signal } = beginLifetime()
  attach(connect(check), signal, () => {
    end()
    start()
  })
}

/**
 * The lifetime of this content script. It ends when a newer one starts in the same page, after an update or because the site was granted
 * again, or when the extension is gone. A page can end it too, by the same event; the page then only loses its badges.
 */
interface Lifetime {
  readonly signal: AbortSignal
  /** Ends the lifetime if the extension was disabled, removed or updated. Content scripts are not notified of that. */
  readonly check: () => void
  readonly end: () => void
}

/** Ends the script that ran here before, and begins the lifetime of this one. */
const beginLifetime = (): Lifetime => {
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

/** The channel of a content script. `failed` is called when the background cannot be reached, temporarily or permanently. */
const connect = (failed: () => void): Channel => ({
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

/** What is known of the references of this page. Each is asked for once, many in one message, and nothing but references is sent. */
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

export const makeAsk = (channel: Channel): Ask => {
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

/** Returns a function that loads the script that shows details. It gives null if that script is not available now; a later call may succeed. */
const loadedDetails = <Details>(
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

/** Pause before a request that was not allowed is repeated: the quota of a tab is counted by the minute. */
const quotaMillis = 60_000
/** Pause before a background that did not answer is asked again; twice as long each time, up to a minute. */
const againMillis = 2_000

/** The base address that the page sets itself, if it sets one. */
const baseOfPage = (): string | undefined => document.querySelector<HTMLBaseElement>("base[href]")?.href

interface Prerendered {
  readonly prerendering?: boolean
}

/**
 * Shows contracts on the page until the signal ends it. `rewritten` is called when the page has replaced its own document in place, which
 * removes every listener.
 */
export const attach = (channel: Channel, signal: AbortSignal, rewritten: () => void): void => {
  const ask = makeAsk(channel)
  const host = Host.make(() => shown?.panel.raise())
  Host.addStyles(host.root, Marks.styles)
  const details = loadedDetails<Details>(channel, ({ styles }) => Host.addStyles(host.root, styles))
  /** Null until there is a link that may lead to a listing. */
  let marks: Marks.Marks | null = null
  /** The panel, and the function that hides the card; null until there is a listing to show. */
  let shown: ReturnType<Details["show"]> | null = null
  const load = async (reference: Reference) => {
    const [script, detail] = await Promise.all([
      details(),
      channel.ask({ type: "listing.detail", reference }),
    ])
    return script && ((element: Element) => script.card(host.root, detail, element))
  }
  const marksOf = (): Marks.Marks => (marks ??= Marks.make(host, signal))
  const bring = async (): Promise<void> => {
    const script = await details()
    if (script === null || signal.aborted) return
    shown ??= script.show(channel, host.root, { marks: marksOf(), load, chosen: () => chosen }, signal)
  }
  let chosen: Chosen = { pill: false }
  let read: Reader | null = null
  let base: string | undefined
  /** Incremented at each new beginning; the results of an earlier one are then discarded. */
  let beginning = 0
  /** Lookups in a row that were not answered. */
  let unanswered = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let renewal: ReturnType<typeof setTimeout> | undefined

  const stopTimers = (): void => {
    clearTimeout(retry)
    clearTimeout(renewal)
  }
  const clear = (): void => {
    beginning++
    read = null
    stopTimers()
    shown?.hideCard()
    shown?.panel.rest(false)
    marks?.clear()
    host.remove()
    ask.forget()
  }

  /** Looks up the links in some elements, and updates their badges. */
  const show = async (elements: Iterable<Element>, isBeginning: boolean): Promise<void> => {
    if (read === null) return
    const current = beginning
    const isCurrent = (): boolean => current === beginning
    const found = linksIn(elements, read, follow)
    const own = read(location.href)
    const references = found.flatMap((one) => one.references)
    const isLearned = await ask.learn([...own, ...references])
    if (!isCurrent()) return
    // Made whatever the answer is: see `Marks.ts`.
    if (references.length > 0) marksOf()
    if (isLearned) unanswered = 0
    else {
      const millis = ask.isPaused() ? quotaMillis : Math.min(againMillis * 2 ** unanswered++, quotaMillis)
      clearTimeout(retry)
      retry = setTimeout(() => void showAll(), millis)
    }
    const ownListing = ask.firstOf(own)
    const isPaused = ask.isPaused()
    let isNeeded = ownListing !== null || isPaused
    const listingOf = ({ references }: Found) => {
      const listing = ask.firstOf(references)
      if (listing === null || listing.reference === ownListing?.reference) return null
      isNeeded = true
      return listing
    }
    // Most of what a page adds has no link. A mark whose card was removed goes by itself.
    if (found.length > 0 || isBeginning) marks?.take(found, listingOf)
    if (isNeeded) await bring()
    if (!isCurrent()) return
    // A background that has just stopped loads nothing: it is asked again.
    if (isNeeded && shown === null) beginIn(againMillis)
    if (ownListing === null) shown?.panel.rest(isPaused)
    else shown?.panel.show(ownListing.reference, ownListing.fact, isBeginning)
  }
  const showAll = (isBeginning = false): Promise<void> => show([document.documentElement], isBeginning)

  const beginIn = (millis: number): void => {
    clearTimeout(renewal)
    renewal = setTimeout(restart, millis)
  }

  /** Begins anew: at the start, at another address, and when the index or the settings have changed. */
  const begin = async (): Promise<void> => {
    // A form of the page can have this name.
    if (signal.aborted || (document as Prerendered).prerendering === true) return
    // Whether anything may be shown here is asked at once, even if everything else has to wait.
    if (ask.pauseMillis() > 0 && (await channel.ask({ type: "listing.lookup", references: [] })) !== null) {
      beginIn(ask.pauseMillis())
      return
    }
    const current = ++beginning
    stopTimers()
    // Names that need no pattern are asked for in the same message.
    const plain = readerOf([], document.baseURI, location)
    const named = linksIn([document.documentElement], plain, () => {}).flatMap((found) => found.references)
    const references = [...new Set([...plain(location.href), ...named])].slice(0, mostReferences)
    const start = await channel.ask({ type: "listing.start", references })
    if (current !== beginning) return
    if (start === null) {
      const wasOn = read !== null
      clear()
      if (wasOn) beginIn(quotaMillis)
      return
    }
    Host.setTheme(start.theme)
    chosen = start
    host.attach()
    ask.renew()
    ask.take(references, start.known)
    base = baseOfPage()
    read = readerOf(start.patterns, document.baseURI, location, start.hasLinks)
    await showAll(true)
  }
  const restart = (): void => void begin()

  const compare = watchAddress(() => {
    beginning++
    shown?.hideCard()
    void showAll()
    beginIn(ask.pauseMillis())
  }, signal)
  const follow = watchAdditions((added) => {
    if (added.has(document.documentElement)) {
      rewritten()
      return
    }
    compare()
    if (base === baseOfPage()) void show(added, false)
    else restart()
  }, signal)
  channel.listen((notice) => {
    if (notice.type === "listing.off") clear()
    else restart()
  }, signal)
  document.addEventListener("prerenderingchange", restart, { signal })
  // The browser can keep a page that is left and show it again. Such a page was not notified of what happened meanwhile.
  window.addEventListener("pagehide", clear, { signal })
  window.addEventListener("pageshow", ({ persisted }) => persisted && restart(), { signal })
  signal.addEventListener("abort", clear)
  restart()
}

/**
 * Calls back after each navigation, until the signal ends it. The returned function compares addresses at once: a content script cannot see calls of
 * `history.pushState`, so addresses are compared at the browser's events and whenever something has changed.
 */
const watchAddress = (moved: () => void, signal: AbortSignal): (() => void) => {
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
