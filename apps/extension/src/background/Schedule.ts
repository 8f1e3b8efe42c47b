/**
 * When the service is read automatically, and what is read: everything at the chosen interval; or, if the first page shows what is new, that page
 * four times as often, and everything once a day. Two alarms wake the background for it; what each one does is decided when it fires.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../failures/ConnectionFailure.ts"
import type { IndexMeta } from "../index/IndexMeta.ts"
import { Account, Index } from "./Account.ts"
import { Platform } from "./Platform.ts"
import type { Alarm } from "./Platform.ts"
import { Refresh } from "./Refresh.ts"
import { ServiceClient } from "./ServiceClient.ts"
import { Sync } from "./Sync.ts"

const minuteMillis = 60_000

/** Minutes after which everything is read, if the first page shows what is new. */
const dayMinutes = 24 * 60

/** Least minutes between two reads of the first page, unless fewer were chosen for everything: four requests an hour. */
const leastHeadMinutes = 15

/** Minutes between two reads of the first page. */
const headMinutes = (minutes: number): number => Math.min(minutes, Math.max(leastHeadMinutes, minutes / 4))

/** Failures after which the service is not asked again before its own time, or before the user has done something. */
const restraints: ReadonlySet<Failure["_tag"]> = new Set(["RateLimited", "WrongKey", "MissingScope"])

/** Whether the first page shows what is new, but not everything. */
const isPartial = ({ head }: IndexMeta): boolean => head !== undefined && head.order !== "all"

/** Minutes between two automatic reads of everything. */
export const completeMinutes = (meta: IndexMeta, minutes: number): number =>
  isPartial(meta) ? Math.max(minutes, dayMinutes) : minutes

const make = Effect.gen(function* () {
  const index = yield* Index
  const { profile } = yield* Account
  const { lastFailure } = yield* ServiceClient
  const sync = yield* Sync
  const refresh = yield* Refresh
  const { alarms } = yield* Platform

  const chosen = Effect.map(profile, ({ settings }) => settings.refreshMinutes)
  const meta = Effect.promise(() => index.meta())
  const isBegun = Effect.map(Effect.promise(index.sync), (known) => known !== null)

  /** When everything is due again, in epoch milliseconds. An alarm may fire a moment early. */
  const dueAt = (known: IndexMeta, minutes: number): number => {
    const readAt = known.summary?.startedAt ?? known.completedAt
    return readAt === null ? 0 : Date.parse(readAt) + (completeMinutes(known, minutes) - 1) * minuteMillis
  }

  /** Reads the first page, if that shows what is new; not while a sync is begun, nor after a failure unless it was asked for. */
  const head = Effect.fnUntraced(function* (isAsked: boolean) {
    const { order } = (yield* meta).head ?? {}
    const isInTheWay = (yield* isBegun) || (!isAsked && (yield* lastFailure) !== null)
    if (isInTheWay || (order === undefined && !isAsked)) return
    if (order === undefined || order === "all") return yield* sync.start
    // How it ends is recorded with the failures.
    yield* Effect.exit(refresh.head)
  })

  const settleOne = async (
    name: "sync" | "head",
    now: number,
    everyMinutes: number | null,
  ): Promise<void> => {
    if (everyMinutes === null) return alarms.clear(name)
    if ((await alarms.get(name))?.everyMinutes === everyMinutes) return
    await alarms.set(name, { at: now + everyMinutes * minuteMillis, everyMinutes })
  }

  return {
    head,
    /** Sets the alarms for the chosen interval, unless they are already set for it. */
    settle: Effect.gen(function* () {
      const { baseUrl, settings } = yield* profile
      const now = yield* Clock.currentTimeMillis
      const minutes = baseUrl === null ? null : settings.refreshMinutes
      yield* Effect.promise(async () => {
        await settleOne("sync", now, minutes)
        await settleOne("head", now, minutes === null ? null : headMinutes(minutes))
      })
    }),
    /** Reads everything, unless the first page is enough for today. A rate-limited sync keeps its pause; a refused one waits for the user. */
    complete: Effect.gen(function* () {
      const [known, minutes, now] = [yield* meta, yield* chosen, yield* Clock.currentTimeMillis]
      const isEnough = isPartial(known) && now < dueAt(known, minutes ?? dayMinutes)
      if (isEnough && !(yield* isBegun)) return
      const failure = yield* lastFailure
      // A refused single request says nothing about the list: only a sync that was itself refused holds back.
      const isHeld =
        failure !== null &&
        restraints.has(failure._tag) &&
        (failure._tag === "RateLimited" || (yield* isBegun))
      yield* isHeld ? sync.resume : sync.start
    }),
    /** Reads what was due while the browser was closed or could not ask. */
    catchUp: Effect.gen(function* () {
      const [known, minutes, now] = [yield* meta, yield* chosen, yield* Clock.currentTimeMillis]
      const readAt = known.smaller?.completedAt ?? known.completedAt
      if ((yield* isBegun) || readAt === null) return yield* sync.start
      if (minutes === null) return
      if (now - Date.parse(readAt) > completeMinutes(known, minutes) * minuteMillis) return yield* sync.start
      if (isPartial(known) && now - known.head!.at > headMinutes(minutes) * minuteMillis) yield* head(false)
    }),
    next: Effect.gen(function* () {
      const [known, minutes] = [yield* meta, yield* chosen]
      const [all, first] = yield* Effect.promise(() => Promise.all([alarms.get("sync"), alarms.get("head")]))
      if (all === null || first === null || minutes === null) return { head: null, complete: null }
      const complete = isPartial(known) ? ringAfter(all, dueAt(known, minutes)) : all.at
      const isAll = known.head?.order === "all"
      return {
        head: isPartial(known) ? new Date(first.at).toISOString() : null,
        complete: new Date(isAll ? Math.min(complete, first.at) : complete).toISOString(),
      }
    }),
  }
})

/** When an alarm fires for the first time at or after a moment. */
const ringAfter = ({ at, everyMinutes = 1 }: Alarm, from: number): number => {
  const period = everyMinutes * minuteMillis
  return at + Math.max(0, Math.ceil((from - at) / period)) * period
}

export class Schedule extends Context.Service<Schedule, Effect.Success<typeof make>>()(
  "@deedkit/extension/Schedule",
) {
  static readonly layer = Layer.effect(Schedule, make)
}
