/**
 * What each tab may ask: details of listings that it has asked about before, and a limited number of requests a minute. A page can name any
 * listing in a link, and a hostile renderer can send anything; the limits keep them from reading the whole index. What was told to a tab is
 * forgotten with its next page. References are counted for all tabs of an origin together, because a site can open many, and until the
 * browser closes; a stopped background does not forget it.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { quotas, referencesPerMinute } from "../messages/ListingMessage.ts"
import { Platform } from "./Platform.ts"

export interface Service {
  /** Records that a new page is in the tab, to which nothing has been told. */
  readonly arrive: (tabId: number, origin: string) => Effect.Effect<void>
  /** Counts references that the tab asks for, and those of them that no tab of its origin has asked for before; false if either is too many for now. */
  readonly mayLookup: (
    tabId: number,
    origin: string,
    references: ReadonlyArray<string>,
  ) => Effect.Effect<boolean>
  /** Counts a detail; false when that is too many for now. */
  readonly mayDetail: (tabId: number) => Effect.Effect<boolean>
  /** Counts a request of a kind; false when that is too many for this minute. */
  readonly may: (tabId: number, kind: Exclude<Counted, "reference">) => Effect.Effect<boolean>
  /** Remembers listings that were told to the tab, with their contracts; returns the number of contracts told so far. */
  readonly told: (tabId: number, origin: string, counts: ReadonlyMap<string, number>) => Effect.Effect<number>
  /** Whether the tab was told of this listing. */
  readonly knows: (tabId: number, origin: string, reference: string) => Effect.Effect<boolean>
  readonly leave: (tabId: number) => Effect.Effect<void>
}

interface Visit {
  readonly origin: string
  readonly told: ReadonlyArray<readonly [reference: string, contracts: number]>
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

const make = Effect.gen(function* () {
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

  return TabQuota.of({
    arrive: (tabId, origin) => Effect.flatMap(load(tabId), () => keep(tabId, { origin, told: [] })),
    mayLookup: (tabId, origin, wanted) =>
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
    mayDetail: (tabId) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* load(tabId)
        const details = take(visitOf(tabId).details, quotas.details, 1, now)
        if (details !== null) yield* keep(tabId, { details })
        return details !== null
      }),
    may: (tabId, kind) => within(tabId, kind, 1),
    told: (tabId, origin, counts) =>
      Effect.flatMap(load(tabId), () => {
        const told = [...new Map([...toldTo(tabId, origin), ...counts])].slice(0, mostTold)
        const sum = told.reduce((contracts, [, count]) => contracts + count, 0)
        return counts.size === 0 ? Effect.succeed(sum) : Effect.as(keep(tabId, { origin, told }), sum)
      }),
    knows: (tabId, origin, reference) =>
      Effect.map(load(tabId), () => toldTo(tabId, origin).some(([known]) => known === reference)),
    leave: (tabId) => {
      for (const known of [minutes, visits]) known.delete(tabId)
      return Effect.promise(() => session.remove(keyOf(tabId)))
    },
  })
})

export class TabQuota extends Context.Service<TabQuota, Service>()("@deedkit/extension/TabQuota") {
  static readonly layer = Layer.effect(TabQuota, make)
}
