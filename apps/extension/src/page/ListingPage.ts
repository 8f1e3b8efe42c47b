/**
 * One page of a granted site, from its first look to its last: asks what to do here, looks at links, has them looked up, draws, and follows
 * what the page adds and where it goes. It leaves nothing behind when the site is taken back or a newer version of the extension starts.
 */
import * as Additions from "./links/Additions.ts"
import * as Ask from "./lookup/Ask.ts"
import * as Badge from "./marks/Badge.ts"
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

interface Prerendered {
  readonly prerendering?: boolean
}

/**
 * Shows contracts on the page until the signal ends it. `rewritten` is called when the page has become another one in the same place, which
 * takes every listener with it.
 */
export const attach = (channel: Channel, signal: AbortSignal, rewritten: () => void): void => {
  const ask = Ask.make(channel)
  const badges = Badge.make()
  const panel = Panel.make(channel)
  const hideCard = Card.make(
    {
      referenceOf: badges.referenceOf,
      detail: (reference) => channel.ask({ type: "listing.detail", reference }),
    },
    signal,
  )
  let read: Reader | null = null
  /** Rises with each new beginning; what an earlier one has under way is of no use then. */
  let beginning = 0
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
    hideCard()
    panel.rest(false)
    badges.clear()
    ask.forget()
  }

  /** Has the links in some elements looked up, and makes their badges right. */
  const show = async (elements: Iterable<Element>, isBeginning: boolean): Promise<void> => {
    if (read === null) return
    const current = beginning
    const isCurrent = (): boolean => current === beginning
    const found = linksIn(elements, read, follow)
    const own = read(location.href)
    const isLearned = await ask.learn([...own, ...found.flatMap(({ references }) => references)])
    if (!isCurrent()) return
    if (!isLearned) {
      clearTimeout(retry)
      retry = setTimeout(() => void showAll(), quotaMillis)
    }
    const ownListing = ask.firstOf(own)
    if (ownListing === null) panel.rest(ask.isPaused())
    else panel.show(ownListing.reference, ownListing.fact, isBeginning)
    const draw = ({ link, references }: Found): void => {
      const listing = ask.firstOf(references)
      // A badge stands within its link, where areas and drawings show nothing.
      const hasRoom = link instanceof HTMLElement && link.localName !== "area"
      if (listing === null || listing.reference === ownListing?.reference || !hasRoom) badges.erase(link)
      else badges.draw(link, listing.reference, listing.fact)
    }
    await spread(found, badgesPerFrame, draw, isCurrent)
  }
  const showAll = (isBeginning = false): Promise<void> => show([document.documentElement], isBeginning)

  const beginIn = (millis: number): void => {
    clearTimeout(renewal)
    renewal = setTimeout(restart, millis)
  }

  /** Begins anew: at the start, at another address, and when the index or the settings have changed. */
  const begin = async (): Promise<void> => {
    // A form of the page may have this name.
    if (signal.aborted || (document as Prerendered).prerendering === true) return
    // Whether anything may be shown here is known at once, even where all else has to wait.
    if (ask.pauseMillis() > 0 && (await channel.ask({ type: "listing.lookup", references: [] })) !== null) {
      beginIn(ask.pauseMillis())
      return
    }
    const current = ++beginning
    stopTimers()
    const start = await channel.ask({ type: "listing.start" })
    if (current !== beginning) return
    if (start === null) {
      const wasOn = read !== null
      clear()
      if (wasOn) beginIn(quotaMillis)
      return
    }
    setTheme(start.theme)
    ask.renew()
    read = readerOf(start.patterns, document.baseURI, location)
    await showAll(true)
  }
  const restart = (): void => void begin()

  Shadow.sweep()
  const compare = Navigation.watch(() => {
    beginning++
    hideCard()
    void showAll()
    beginIn(ask.pauseMillis())
  }, signal)
  const follow = Additions.watch(({ added, changed }) => {
    if (added.has(document.documentElement)) {
      rewritten()
      return
    }
    compare()
    const lost = [...changed].filter(badges.isLost)
    if (added.size + lost.length > 0) void show([...added, ...lost], false)
  }, signal)
  channel.listen((notice) => {
    if (notice.type === "listing.off") clear()
    else restart()
  }, signal)
  document.addEventListener("prerenderingchange", restart, { signal })
  // A page that is left may be kept as it is and shown again, when nobody has told it what happened meanwhile.
  window.addEventListener("pagehide", clear, { signal })
  window.addEventListener("pageshow", ({ persisted }) => persisted && restart(), { signal })
  signal.addEventListener("abort", clear)
  restart()
}
