/**
 * The sync that fills the index page by page. Each page is saved with its checkpoint, so a background that the browser stops can resume. One
 * sync runs at a time; single requests have priority over it. After each failure it waits longer, and an alarm wakes it again.
 */
import type { ClientError, ClientEvent, Contract, Page, PropertyClient } from "@deedkit/core"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Head from "../index/Head.ts"
import * as Watched from "../index/Watched.ts"
import type { SyncRecord } from "../index/IndexMeta.ts"
import { Account, Index } from "./Account.ts"
import { Platform, Changes } from "./Platform.ts"
import { ServiceClient } from "./ServiceClient.ts"
import { Sites } from "./Sites.ts"
import * as SyncPlan from "./SyncPlan.ts"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/** How often the browser is notified that the sync is at work; after 30 seconds without, it would stop the background. */
const awakeEveryMillis = 20_000

/** Minutes between two alarms that check whether the browser stopped the background nevertheless. */
const watchMinutes = 1

/** How often open pages are notified of new badges while the very first sync runs. */
const noticeMillis = 5_000

const make = Effect.gen(function* () {
  const index = yield* Index
  const account = yield* Account
  const service = yield* ServiceClient
  const changes = yield* Changes
  const sites = yield* Sites
  const { alarms, notify, session, stayAwake } = yield* Platform
  const scope = yield* Effect.scope
  /** What the client waits for, by request. Other requests than the sync's are answered meanwhile. */
  const waits = new Map<string, ClientEvent.Waiting>()
  let toldAt = 0

  /** Key of the sync's record while the index cannot be written, in memory that outlives the background. */
  const heldKey = `sync ${account.id}`
  const read = Effect.promise(
    async () => ((await session.get(heldKey)) as SyncRecord | undefined) ?? index.sync(),
  )
  const keep = (sync: SyncRecord | null): Effect.Effect<void> =>
    Effect.promise(async () => {
      await index.setSync(sync)
      await session.remove(heldKey)
      if (sync === null || sync.notBefore === null) await alarms.clear("resume")
      else if (sync.notBefore > 0) await alarms.set("resume", { at: sync.notBefore })
      changes.tell()
    })

  const listener: ClientEvent.Listener = (event) => {
    if (event._tag !== "Waiting" && event._tag !== "Attempted") return
    if (event._tag === "Waiting") waits.set(event.target, event)
    else waits.delete(event.target)
    changes.tell()
  }

  const tellSitesNowAndThen = (now: number): Effect.Effect<void> => {
    if (now - toldAt < noticeMillis) return Effect.void
    toldAt = now
    return sites.tell({ type: "listing.changed" })
  }

  const takePage = function* (before: SyncRecord, page: Page<Contract.Contract>) {
    const { cursor } = page.summary
    const invalidIds = page.rejected.flatMap(({ id }) => (id === null ? [] : [id]))
    const now = yield* Clock.currentTimeMillis
    const seenAt = new Date(now).toISOString()
    const first = Head.withPage(before.first, page.records, service.serviceAt(), now)
    const taken = { ...SyncPlan.afterPage(before, page), first }
    const sync = yield* Effect.promise(() =>
      index.putPage({ contracts: [...page.records, ...page.superseded], invalidIds, seenAt, sync: taken }),
    )
    yield* service.succeeded
    if (cursor.state === "verified" && (yield* account.profile).cursorParam !== cursor.parameter) {
      yield* account.update((profile) => ({ ...profile, cursorParam: cursor.parameter }))
    }
    if (sync.expected === null) yield* tellSitesNowAndThen(now)
    changes.tell()
    return sync
  }

  const tellAll = Effect.andThen(sites.tell({ type: "listing.changed" }), Effect.sync(changes.tell))

  const syncOn = (
    client: PropertyClient.Service,
    begun: SyncRecord,
  ): Effect.Effect<void, ClientError.ClientError> => {
    let sync = begun
    const from = begun.checkpoint === null ? {} : { from: begun.checkpoint }
    const pages = client.contracts.pages({
      limit: SyncPlan.pageSize,
      onRejected: "collect",
      prove: true,
      ...from,
    })
    const each = Stream.runForEach(pages, (page) =>
      Effect.map(
        Effect.gen(() => takePage(sync, page)),
        (taken) => {
          sync = taken
        },
      ),
    )
    const end = Effect.gen(function* () {
      const completedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
      yield* Effect.promise(() => index.finish(sync, completedAt))
      yield* Effect.promise(() => alarms.clear("resume"))
      yield* tellAll
      yield* Effect.promise(async () => notify(Watched.countSince(await index.watched(), sync.startedAt)))
    })
    const over = Effect.sync(() => run.setEnding(true))
    return Effect.andThen(Effect.ensuring(each, over), end)
  }

  const begin: Effect.Effect<SyncRecord> = Effect.gen(function* () {
    const known = yield* read
    if (known !== null) return known
    const { completedAt, contracts, sequence } = yield* Effect.promise(() => index.meta())
    const now = yield* Clock.currentTimeMillis
    const expected = completedAt === null ? null : contracts
    return SyncPlan.begin(new Date(now).toISOString(), sequence, expected)
  })

  /** Forgets the cursor parameter, which no longer works: the next sync looks for it anew. */
  const distrustCursor = Effect.andThen(
    account.update((profile) => ({ ...profile, cursorParam: null })),
    service.renew,
  )

  const failed = Effect.fnUntraced(function* (error: ClientError.ClientError) {
    const isOfAnotherSync = error.reason._tag === "CheckpointRefused"
    const failure = isOfAnotherSync ? null : yield* service.failed(error)
    if (failure?._tag === "CursorUntrusted") yield* distrustCursor
    const sync = yield* read
    const now = yield* Clock.currentTimeMillis
    yield* keep(sync === null || failure === null ? null : SyncPlan.afterFailure(sync, failure, now))
    if (isOfAnotherSync) yield* attempt
  })

  /** No request can be sent: the sync waits until the user has fixed that. */
  const notReady: Effect.Effect<void> = Effect.flatMap(read, (sync) =>
    sync === null ? Effect.void : keep({ ...sync, notBefore: null, pause: null }),
  )

  /** Completes the removal that a decision has begun, if a stopped background or a full disk has left it unfinished. */
  const settle = Effect.flatMap(Effect.promise(index.settle), (isDone) => (isDone ? tellAll : Effect.void))

  const attempt: Effect.Effect<void> = Effect.suspend(() =>
    Effect.gen(function* () {
      run.setEnding(false)
      yield* settle
      const client = yield* service.client
      const sync: SyncRecord = { ...(yield* begin), notBefore: 0, pause: null }
      yield* keep(sync)
      const now = yield* Clock.currentTimeMillis
      const watch = { at: now + watchMinutes * 60_000, everyMinutes: watchMinutes }
      yield* Effect.promise(() => alarms.set("resume", watch))
      const unlisten = client.listen(listener)
      yield* Effect.ensuring(
        syncOn(client, sync),
        Effect.sync(() => unlisten()),
      )
    }).pipe(Effect.catch((error) => (error._tag === "NotReady" ? notReady : failed(error)))),
  )

  /** The browser's storage failed: the failure may pass, so the sync resumes after a pause. */
  const broken = (cause: Cause.Cause<never>): Effect.Effect<void> =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Effect.gen(function* () {
          yield* service.storageFailed
          const sync = SyncPlan.paused(yield* begin, yield* Clock.currentTimeMillis)
          yield* Effect.promise(async () => {
            await session.set(heldKey, sync)
            await alarms.set("resume", { at: sync.notBefore })
          })
        }).pipe(Effect.exit, Effect.asVoid)

  const staysAwake = Effect.forever(Effect.delay(Effect.promise(stayAwake), awakeEveryMillis))
  const job = Effect.raceFirst(attempt, staysAwake).pipe(Effect.catchCause(broken))
  const run = makeSingleRun(scope, job, () => {
    waits.clear()
    changes.tell()
  })

  /** Halts the sync, and leaves it to be started again. */
  const pause = Effect.flatMap(run.interrupt, (wasRunning) => (wasRunning ? notReady : Effect.void))

  return {
    /** Begins a sync, or resumes the one that was begun, whatever it was waiting for. */
    start: run.start,
    /** Resumes a sync that was begun, if it is time; sets the alarm for it if it is not. */
    resume: Effect.gen(function* () {
      yield* Effect.catchCause(settle, broken)
      const sync = yield* read
      if (sync === null || sync.notBefore === null || run.isRunning()) return
      if (sync.notBefore <= (yield* Clock.currentTimeMillis)) return yield* run.start
      const at = sync.notBefore
      yield* Effect.promise(() => alarms.set("resume", { at }))
    }),
    pause,
    /** Ends the sync and forgets how far it was; what it has read stays. */
    stop: Effect.andThen(pause, keep(null)),
    /** Uses the smaller list with this id, or drops it and reads again. Does nothing if the list no longer waits for a decision. */
    decide: (id: string, isUsed: boolean) =>
      Effect.flatMap(
        Effect.promise(() => index.decide(id, isUsed)),
        (isDecided) => (!isDecided ? Effect.void : isUsed ? tellAll : run.start),
      ).pipe(
        Effect.catchCause((cause) =>
          run.isRunning() && !Cause.hasInterruptsOnly(cause) ? service.storageFailed : broken(cause),
        ),
      ),
    state: Effect.gen(function* () {
      const sync = yield* read
      const now = yield* Clock.currentTimeMillis
      if (sync === null) return { _tag: "Idle" } as const
      return SyncPlan.stateOf(sync, run.isRunning(), [...waits.values()], now)
    }),
  }
})

export class Sync extends Context.Service<Sync, Effect.Success<typeof make>>()("@deedkit/extension/Sync") {
  static readonly layer = Layer.effect(Sync, make)
}

export interface SingleRun {
  /** Runs the job, unless it runs already. */
  readonly start: Effect.Effect<void>
  /** Ends the run. Returns whether there was one. */
  readonly interrupt: Effect.Effect<boolean>
  readonly isRunning: () => boolean
  /** Called by the job: whether all that is left of the run is to save how it ended. */
  readonly setEnding: (isEnding: boolean) => void
}

/** `onEnd` is called after each run, before the next one starts. */
export const makeSingleRun = (scope: Scope.Scope, job: Effect.Effect<void>, onEnd: () => void): SingleRun => {
  let phase: "idle" | "running" | "ending" = "idle"
  let isWanted = false
  let runs = 0
  let running: Fiber.Fiber<void> | null = null
  const ended = Effect.suspend(() => {
    phase = "idle"
    running = null
    onEnd()
    return isWanted ? start : Effect.void
  })
  const start: Effect.Effect<void> = Effect.suspend(() => {
    isWanted = phase === "ending"
    if (phase !== "idle") return Effect.void
    phase = "running"
    const run = (runs += 1)
    return Effect.map(Effect.forkIn(Effect.ensuring(job, ended), scope), (fiber) => {
      if (phase !== "idle" && run === runs) running = fiber
    })
  })
  return {
    start,
    interrupt: Effect.suspend(() => {
      isWanted = false
      return running === null ? Effect.succeed(false) : Effect.as(Fiber.interrupt(running), true)
    }),
    isRunning: () => phase !== "idle",
    setEnding: (isEnding) => {
      phase = isEnding ? "ending" : "running"
    },
  }
}
