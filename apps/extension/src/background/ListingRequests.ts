/**
 * Answers content scripts, within quotas of each tab and of each site. Their pages may be hostile, and can name any listing in a link: an answer names
 * only listings that the page named first, a badge gets only a summary of its listing's contracts, and everything is counted, so that nobody reads the
 * whole index. A request that is not allowed is answered with null, without a reason. What was told to a tab also gives the number on its toolbar.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isNumber, parsePatterns, resolved } from "../address/Reference.ts"
import { listingOf } from "../index/ContractReads.ts"
import type { Site } from "../messages/AppState.ts"
import { quotas, referencesPerMinute } from "../messages/ListingMessage.ts"
import type { BadgeFact } from "../messages/ListingMessage.ts"
import type { ListingRequest } from "../messages/Requests.ts"
import type { SiteSender } from "../messages/Sender.ts"
import { Account, Index } from "./Account.ts"
import { Platform } from "./Platform.ts"
import { Refresh } from "./Refresh.ts"
import { Sites } from "./Sites.ts"

/** What a tab was told of a reference. `of` is the same for all that name one listing. */
type Told = readonly [reference: string, contracts: number, of: string]

interface Visit {
  readonly origin: string
  readonly told: ReadonlyArray<Told>
  readonly details: Supply
}

/** How much could be asked for at a moment. It grows with time. */
interface Supply {
  readonly left: number
  readonly at: number
}

type Counted = "reference" | "refresh" | "open" | "request"

interface Minute {
  readonly startedAt: number
  readonly counts: { [Kind in Counted]?: number }
}

const mostPerMinute: { readonly [Kind in Counted]: number } = {
  reference: referencesPerMinute,
  refresh: quotas.refreshes,
  open: quotas.opens,
  request: quotas.requests,
}

/** Most listings of one page that are remembered. A page that shows more has badges for all, but cards only for these. */
const mostTold = 5_000
/** Most references of one origin that are remembered as asked for. If there are more, they count as new again. */
const mostAsked = 20_000
const minuteMillis = 60_000
const keyOf = (tabId: number): string => `visit ${tabId}`
const suppliesKey = "references"

const unknown: Visit = {
  origin: "",
  told: [],
  details: { left: quotas.details.atOnce, at: 0 },
}

const full: Supply = { left: quotas.newReferences.atOnce, at: 0 }

/** A supply after some of it was taken; null if there is less. */
const take = (
  { at, left }: Supply,
  { atOnce, perMinute }: { readonly atOnce: number; readonly perMinute: number },
  count: number,
  now: number,
): Supply | null => {
  const rest = Math.min(atOnce, left + ((now - at) / minuteMillis) * perMinute) - count
  return rest < 0 ? null : { left: rest, at: now }
}

const makeQuota = Effect.gen(function* () {
  const { session } = yield* Platform
  const minutes = new Map<number, Minute>()
  const visits = new Map<number, Visit>()
  /** The references that each origin has asked for. */
  const asked = new Map<string, Set<string>>()
  /** How many new references each origin may ask for. */
  let supplies: Map<string, Supply> | null = null

  /** Loads a stored visit if the background was stopped since. */
  const load = (tabId: number): Effect.Effect<void> =>
    Effect.promise(async () => {
      if (visits.has(tabId)) return
      const kept = (await session.get(keyOf(tabId))) as Visit | undefined
      if (!visits.has(tabId)) visits.set(tabId, kept ?? unknown)
    })
  const loadSupplies: Effect.Effect<Map<string, Supply>> = Effect.promise(async () => {
    const kept = (await session.get(suppliesKey)) as
      | ReadonlyArray<readonly [origin: string, supply: Supply]>
      | undefined
    return (supplies ??= new Map(kept))
  })
  const visitOf = (tabId: number): Visit => visits.get(tabId) ?? unknown
  const toldTo = (tabId: number, origin: string): Visit["told"] => {
    const visit = visitOf(tabId)
    return visit.origin === origin ? visit.told : []
  }
  const keep = (tabId: number, changed: Partial<Visit>): Effect.Effect<void> => {
    const visit = { ...visitOf(tabId), ...changed }
    visits.set(tabId, visit)
    return Effect.promise(() => session.set(keyOf(tabId), visit))
  }
  const within = (tabId: number, kind: Counted, count: number): Effect.Effect<boolean> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const known = minutes.get(tabId)
      const isSame = known !== undefined && now - known.startedAt < minuteMillis
      const { counts } = isSame ? known : { counts: {} as Minute["counts"] }
      if (!isSame) minutes.set(tabId, { startedAt: now, counts })
      const counted = (counts[kind] ?? 0) + count
      if (counted > mostPerMinute[kind]) return false
      counts[kind] = counted
      return true
    })

  return {
    /** Records that a new page is in the tab, to which nothing has been told. */
    arrive: (tabId: number, origin: string) =>
      Effect.flatMap(load(tabId), () => keep(tabId, { origin, told: [] })),
    /** Counts references that the tab asks for, and those of them that no tab of its origin has asked for before; false if either is too many for now. */
    mayLookup: (tabId: number, origin: string, wanted: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        if (!(yield* within(tabId, "reference", wanted.length))) return false
        const now = yield* Clock.currentTimeMillis
        const all = yield* loadSupplies
        const known = asked.get(origin) ?? new Set()
        const fresh = wanted.filter((reference) => !known.has(reference))
        const supply = take(all.get(origin) ?? full, quotas.newReferences, fresh.length, now)
        if (supply === null) return false
        asked.set(origin, new Set(known.size < mostAsked ? [...known, ...fresh] : fresh))
        if (fresh.length === 0) return true
        all.set(origin, supply)
        yield* Effect.promise(() => session.set(suppliesKey, [...all]))
        return true
      }),
    /** Counts a detail; false when that is too many for now. */
    mayDetail: (tabId: number) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* load(tabId)
        const details = take(visitOf(tabId).details, quotas.details, 1, now)
        if (details !== null) yield* keep(tabId, { details })
        return details !== null
      }),
    /** Counts a request of a kind; false when that is too many for this minute. */
    may: (tabId: number, kind: Exclude<Counted, "reference">) => within(tabId, kind, 1),
    /** Remembers listings that were told to the tab, with their contracts; returns the number of contracts told so far, each listing's once. */
    told: (tabId: number, origin: string, more: ReadonlyArray<Told>) =>
      Effect.flatMap(load(tabId), () => {
        const all = new Map([...toldTo(tabId, origin), ...more].map((told) => [told[0], told]))
        const told = [...all.values()].slice(0, mostTold)
        const counts = new Map<string, number>()
        for (const [, count, of] of told) counts.set(of, Math.max(count, counts.get(of) ?? 0))
        const sum = [...counts.values()].reduce((contracts, count) => contracts + count, 0)
        return more.length === 0 ? Effect.succeed(sum) : Effect.as(keep(tabId, { origin, told }), sum)
      }),
    /** Whether the tab was told of this listing. */
    knows: (tabId: number, origin: string, reference: string) =>
      Effect.map(load(tabId), () => toldTo(tabId, origin).some(([known]) => known === reference)),
    leave: (tabId: number) => {
      for (const known of [minutes, visits]) known.delete(tabId)
      return Effect.promise(() => session.remove(keyOf(tabId)))
    },
  }
})

/**
 * What each tab may ask: details of listings that it has asked about before, and a limited number of requests a minute. What was told to a tab is
 * forgotten with its next page. References are counted for all tabs of an origin together, because a site can open many, and until the browser
 * closes; a stopped background does not forget it.
 */
export class TabQuota extends Context.Service<TabQuota, Effect.Success<typeof makeQuota>>()(
  "@deedkit/extension/TabQuota",
) {
  static readonly layer = Layer.effect(TabQuota, makeQuota)
}

/** Most contracts of a listing that one refresh asks for. */
const mostRefreshed = 20

/** At most four characters fit on the toolbar's button. */
const countText = (contracts: number): string => (contracts > 999 ? "999+" : `${contracts}`)

/** Shows the number without waiting for the browser: no answer to a page waits for its toolbar. */
const showCount = Effect.fnUntraced(function* (tabId: number, contracts: number) {
  const { tabs } = yield* Platform
  const { settings } = yield* (yield* Account).profile
  void tabs.setCount(tabId, settings.toolbarCount && contracts > 0 ? countText(contracts) : "")
})

const lookup = Effect.fnUntraced(function* (
  references: ReadonlyArray<string>,
  site: Site,
  { origin, tabId }: SiteSender,
) {
  const tabQuota = yield* TabQuota
  const index = yield* Index
  // Only patterns find numbers, contracts and units. A site without a pattern sends none of them, unless its renderer is compromised.
  const isNamed = (reference: string): boolean => {
    const place = isNumber(reference) ? ":id" : (/^:(?:contract|unit)(?=\/)/.exec(reference)?.[0] ?? "")
    return place === "" || site.patterns.some((pattern) => pattern.toLowerCase().includes(place))
  }
  const asked = [...new Set(references)].filter(isNamed)
  if (!(yield* tabQuota.mayLookup(tabId, origin, asked))) return "later" as const
  const { links } = yield* (yield* Account).profile
  const named = asked.map((reference) => [reference, resolved(reference, origin, links)] as const)
  const facts = yield* Effect.promise(() => index.lookup([...new Set(named.flatMap(([, to]) => to ?? []))]))
  const ids = yield* Effect.promise(() => index.listingIds(facts.keys()))
  const known = new Map<string, BadgeFact>()
  const told: Array<Told> = []
  for (const [reference, to] of named) {
    const fact = to === null ? undefined : facts.get(to)
    if (to === null || fact === undefined) continue
    known.set(reference, fact)
    told.push([reference, fact.count, String(ids.get(to) ?? to)])
  }
  yield* showCount(tabId, yield* tabQuota.told(tabId, origin, told))
  return { known: Object.fromEntries(known) }
})

const start = Effect.fnUntraced(function* (
  references: ReadonlyArray<string>,
  site: Site,
  sender: SiteSender,
) {
  const { origin, tabId } = sender
  yield* (yield* TabQuota).arrive(tabId, origin)
  yield* showCount(tabId, 0)
  const { links, settings } = yield* (yield* Account).profile
  const { pill, theme } = settings
  const hasLinks = Object.keys(links).some((address) => address.startsWith(`${origin}/`))
  // Patterns and links may change what an address names, so the page asks once it has them.
  const isPlain = references.length > 0 && site.patterns.length === 0 && !hasLinks
  const answer = isPlain ? yield* lookup(references, site, sender) : null
  const known = answer === "later" ? answer : answer?.known
  return {
    patterns: parsePatterns(site.patterns),
    hasLinks,
    theme,
    pill,
    place: site.place,
    ...(known === undefined ? {} : { known }),
  }
})

const detail = (reference: string) =>
  Index.use((index) =>
    Effect.map(
      Effect.promise(() => index.ofListing(reference)),
      listingOf,
    ),
  )

const refreshed = Effect.fnUntraced(function* (reference: string) {
  const index = yield* Index
  const { text } = yield* Platform
  const { rows } = yield* Effect.promise(() => index.ofListing(reference))
  const ids = rows.slice(0, mostRefreshed).map(({ id }) => id)
  const isFresh = yield* Effect.match((yield* Refresh).many(ids), {
    onFailure: () => false,
    onSuccess: () => true,
  })
  const now = yield* detail(reference)
  return now === null || isFresh ? now : { ...now, problem: text("problemRefresh") }
})

export const answer = Effect.fnUntraced(function* (request: ListingRequest, sender: SiteSender) {
  const { origin, tabId } = sender
  const { scripts, tabs } = yield* Platform
  const sites = yield* Sites
  const quota = yield* TabQuota
  const site = yield* sites.shown(sender)
  if (site === null) {
    yield* showCount(tabId, 0)
    return null
  }
  if (!(yield* quota.may(tabId, "request"))) return null
  if (request.type === "listing.start") return yield* start(request.references ?? [], site, sender)
  if (request.type === "listing.lookup") return yield* lookup(request.references, site, sender)
  if (request.type === "listing.loadDetails")
    return yield* Effect.promise(() => scripts.run(tabId, "details"))
  if (request.type === "listing.place") return yield* sites.place(site.origin, request.place)
  if (!(yield* quota.knows(tabId, origin, request.reference))) return null
  const { links } = yield* (yield* Account).profile
  const reference = resolved(request.reference, origin, links)
  if (reference === null) return null
  if (request.type === "listing.open") {
    if (!(yield* quota.may(tabId, "open"))) return null
    yield* Effect.promise(() => tabs.open(`/popup.html?listing=${encodeURIComponent(reference)}`))
    return null
  }
  if (!(yield* quota.mayDetail(tabId))) return null
  if (request.type === "listing.detail") return yield* detail(reference)
  return (yield* quota.may(tabId, "refresh")) ? yield* refreshed(reference) : null
})
