/**
 * What each tab may ask: listings that it has asked about before, and so much a minute. A page's renderer may be hostile and say anything;
 * this keeps it from reading the index out. What a tab has been told outlives a stopped background and ends with the tab's next page.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { limits } from "../messages/ListingMessage.ts"
import { Platform } from "./Platform.ts"

export interface Service {
  /** A new page is in the tab: nothing has been told to it. What was asked within the minute still counts. */
  readonly arrive: (tabId: number, origin: string) => Effect.Effect<void>
  /** Counts references that are asked for; false when that is too many for this minute. */
  readonly mayLookUp: (tabId: number, references: number) => Effect.Effect<boolean>
  /** Counts a request, refresh or opened tab; false when that is too many for this minute. */
  readonly may: (tabId: number, kind: "request" | "refresh" | "open") => Effect.Effect<boolean>
  /** Remembers listings that were told to the tab, with their contracts; gives the number of contracts told so far. */
  readonly told: (tabId: number, origin: string, counts: ReadonlyMap<string, number>) => Effect.Effect<number>
  /** Whether the tab was told of this listing. */
  readonly knows: (tabId: number, origin: string, reference: string) => Effect.Effect<boolean>
  readonly leave: (tabId: number) => Effect.Effect<void>
}

interface Visit {
  readonly origin: string
  readonly told: ReadonlyArray<readonly [reference: string, contracts: number]>
}

type Counted = "reference" | "refresh" | "open" | "request"

interface Minute {
  readonly startedAt: number
  readonly counts: Record<Counted, number>
}

const mostPerMinute: { readonly [Kind in Counted]: number } = {
  reference: limits.referencesPerMinute,
  refresh: limits.refreshesPerMinute,
  open: limits.opensPerMinute,
  request: limits.requestsPerMinute,
}

/** Listings of one page that are remembered. A page that shows more has badges for all, and cards for these. */
const mostTold = 5_000
const minuteMillis = 60_000
const keyOf = (tabId: number): string => `visit ${tabId}`

const make = Effect.gen(function* () {
  const { session } = yield* Platform
  const minutes = new Map<number, Minute>()
  const visits = new Map<number, Visit>()

  const minuteOf = (tabId: number): Effect.Effect<Minute> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const known = minutes.get(tabId)
      if (known !== undefined && now - known.startedAt < minuteMillis) return known
      const minute = { startedAt: now, counts: { reference: 0, refresh: 0, open: 0, request: 0 } }
      minutes.set(tabId, minute)
      return minute
    })
  /** The visit as it is known, read anew when the background was stopped since. */
  const load = (tabId: number): Effect.Effect<void> =>
    Effect.promise(async () => {
      if (visits.has(tabId)) return
      const kept = (await session.get(keyOf(tabId))) as Visit | undefined
      if (kept !== undefined && !visits.has(tabId)) visits.set(tabId, kept)
    })
  const visitOf = (tabId: number, origin: string): Visit => {
    const known = visits.get(tabId)
    return known?.origin === origin ? known : { origin, told: [] }
  }
  const keep = (tabId: number, visit: Visit): Effect.Effect<void> => {
    visits.set(tabId, visit)
    return Effect.promise(() => session.set(keyOf(tabId), visit))
  }
  const within = (tabId: number, kind: Counted, count: number) =>
    Effect.map(minuteOf(tabId), ({ counts }) => {
      if (counts[kind] + count > mostPerMinute[kind]) return false
      counts[kind] += count
      return true
    })

  return Visitors.of({
    arrive: (tabId, origin) => keep(tabId, { origin, told: [] }),
    mayLookUp: (tabId, references) => within(tabId, "reference", references),
    may: (tabId, kind) => within(tabId, kind, 1),
    told: (tabId, origin, counts) =>
      Effect.flatMap(load(tabId), () => {
        const told = [...new Map([...visitOf(tabId, origin).told, ...counts])].slice(0, mostTold)
        const sum = told.reduce((contracts, [, count]) => contracts + count, 0)
        return counts.size === 0 ? Effect.succeed(sum) : Effect.as(keep(tabId, { origin, told }), sum)
      }),
    knows: (tabId, origin, reference) =>
      Effect.map(load(tabId), () => visitOf(tabId, origin).told.some(([known]) => known === reference)),
    leave: (tabId) => {
      visits.delete(tabId)
      minutes.delete(tabId)
      return Effect.promise(() => session.remove(keyOf(tabId)))
    },
  })
})

export class Visitors extends Context.Service<Visitors, Service>()("@deedkit/extension/Visitors") {
  static readonly layer = Layer.effect(Visitors, make)
}
