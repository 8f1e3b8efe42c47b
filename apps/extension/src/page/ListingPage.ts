/**
 * One page of a granted site, from its first look to its last: asks what to do here, looks at links, has them looked up, draws, and follows
 * what the page adds and where it goes. It leaves nothing behind when the site is taken back or a newer version of the extension starts.
 */
import type { Reference } from "../messages/ListingMessage.ts"
import * as Additions from "./links/Additions.ts"
import { Ask } from "./lookup/Ask.ts"
import { Badges } from "./marks/Badge.ts"
import * as Card from "./marks/Card.ts"
import type { Channel } from "./lookup/Channel.ts"
import { spread } from "./marks/Frames.ts"
import * as Navigation from "./Navigation.ts"
import * as Panel from "./panel/Panel.ts"
import { readerOf } from "./links/Reference.ts"
import type { Reader } from "./links/Reference.ts"
import { linksIn } from "./links/Scan.ts"
import type { Found } from "./links/Scan.ts"
import * as Shadow from "./marks/Shadow.ts"
import { setTheme } from "./marks/Sheet.ts"

/** Badges drawn in one frame. */
const badgesPerFrame = 300
/** Pause before a request that was not allowed is repeated: the quota of a tab is counted by the minute. */
const quotaMillis = 60_000

/**
 * Shows contracts on a page until the signal ends it. `rewritten` is called when the page has become another one in the same place, which
 * takes every listener with it.
 */
export const attach = (
  page: Document,
  window: Window,
  channel: Channel,
  signal: AbortSignal,
  rewritten: () => void,
): void => {
  const ask = new Ask(channel)
  const badges = new Badges(page)
  const panel = Panel.make(page, channel)
  const hideCard = Card.make(
    page,
    {
      referenceOf: (element) => badges.referenceOf(element),
      detail: (reference) => channel.ask({ type: "listing.detail", reference }),
    },
    signal,
  )
  let read: Reader | null = null
  /** Rises with each new beginning; what an earlier one has under way is of no use then. */
  let beginning = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let renewal: ReturnType<typeof setTimeout> | undefined

  const clear = (): void => {
    beginning++
    read = null
    clearTimeout(retry)
    clearTimeout(renewal)
    hideCard()
    panel.rest(false)
    badges.clear()
    ask.forget()
  }

  /** Has the links in some elements looked up, and makes their badges right. */
  const show = async (elements: Iterable<Element>, isBeginning = false): Promise<void> => {
    if (read === null) return
    const current = beginning
    const isCurrent = (): boolean => current === beginning && !signal.aborted
    const found = linksIn(elements, read)
    const own = read(window.location.href)
    const isLearned = await ask.learn(allOf(own, found))
    if (!isCurrent()) return
    if (!isLearned) {
      clearTimeout(retry)
      retry = setTimeout(() => void showAll(), quotaMillis)
    }
    const ownListing = ask.firstOf(own)
    if (ownListing === null) panel.rest(ask.isPaused)
    else panel.show(ownListing.reference, ownListing.fact, isBeginning)
    const draw = ({ link, references }: Found): void => {
      const listing = ask.firstOf(references)
      if (listing === null || listing.reference === ownListing?.reference) badges.erase(link)
      else badges.draw(link, listing.reference, listing.fact)
    }
    spread(found, badgesPerFrame, draw, isCurrent)
  }
  const showAll = (): Promise<void> => show([page.documentElement])

  const beginIn = (millis: number): void => {
    clearTimeout(renewal)
    renewal = setTimeout(restart, millis)
  }

  /** Begins anew: at the start, at another address, and when the index or the settings have changed. */
  const begin = async (): Promise<void> => {
    if (signal.aborted || ("prerendering" in page && page.prerendering === true)) return
    // Whether anything may be shown here is known at once, even where all else has to wait.
    if (ask.pauseMillis > 0 && (await channel.ask({ type: "listing.lookup", references: [] })) !== null) {
      beginIn(ask.pauseMillis)
      return
    }
    const current = ++beginning
    clearTimeout(retry)
    clearTimeout(renewal)
    const start = await channel.ask({ type: "listing.start" })
    if (current !== beginning || signal.aborted) return
    if (start === null) {
      const wasOn = read !== null
      clear()
      if (wasOn) beginIn(quotaMillis)
      return
    }
    setTheme(start.theme)
    ask.renew()
    read = readerOf(start.patterns, page.baseURI)
    await show([page.documentElement], true)
  }
  const restart = (): void => void begin()

  Shadow.sweep(page)
  const compare = Navigation.watch(
    window,
    () => {
      beginning++
      hideCard()
      void showAll()
      beginIn(ask.pauseMillis)
    },
    signal,
  )
  Additions.watch(
    page,
    ({ added, changed }) => {
      if (added.has(page.documentElement)) {
        rewritten()
        return
      }
      compare()
      const lost = [...changed].filter((link) => badges.isLost(link))
      if (added.size + lost.length > 0) void show([...added, ...lost])
    },
    signal,
  )
  channel.listen((notice) => {
    if (notice.type === "listing.off") clear()
    else restart()
  }, signal)
  page.addEventListener("prerenderingchange", restart, { signal })
  // A page that is left may be kept as it is and shown again, when nobody has told it what happened meanwhile.
  window.addEventListener("pagehide", clear, { signal })
  window.addEventListener("pageshow", ({ persisted }) => persisted && restart(), { signal })
  signal.addEventListener("abort", clear)
  restart()
}

function* allOf(own: ReadonlyArray<Reference>, found: ReadonlyArray<Found>): Generator<Reference> {
  yield* own
  for (const { references } of found) yield* references
}
