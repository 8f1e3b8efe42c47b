/**
 * A worker: syncs the accounts that the engine gives to it, a few at once, until it is interrupted. It then begins no more accounts, gives those
 * that it reads some time to finish, and hands over the rest: each resumes at its last page when another worker takes it.
 */
import type { PropertyClient } from "@deedkit/core"
import { isComplete, noteUnopened, syncAccount } from "@deedkit/sync"
import type { MirrorStore, ReasonTag, RunRow, SyncError, SyncOptions } from "@deedkit/sync"
import { requireNames } from "@deedkit/sync/store"
import * as Clock from "effect/Clock"
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as ClusterCron from "effect/cluster/ClusterCron"
import * as MachineId from "effect/cluster/MachineId"
import * as Singleton from "effect/cluster/Singleton"
import * as Snowflake from "effect/cluster/Snowflake"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Activity from "effect/workflow/Activity"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import type { Engine } from "./Engine.ts"
import { nightlyGroup } from "./Engine.ts"
import type { Queued, QueueOptions } from "./Queue.ts"
import { engineOf, enqueue, Night, nightOf } from "./Queue.ts"

/** What a worker did. */
export type WorkerEvent =
  | { readonly _tag: "Synced"; readonly account: string; readonly rows: ReadonlyArray<RunRow> }
  | { readonly _tag: "Failed"; readonly account: string; readonly problem: string }
  /** The mirror cannot be used, or another process is reading the account: tried again after a delay. */
  | { readonly _tag: "Delayed"; readonly account: string; readonly problem: string }
  /** A night was queued by this worker, for all workers. */
  | { readonly _tag: "NightQueued"; readonly night: string; readonly queued: Queued }
  /** The accounts of a night could not be listed. The next night is tried again. */
  | { readonly _tag: "NightFailed"; readonly night: string; readonly problem: string }

export interface WorkOptions<E extends { readonly message: string }> {
  /** Opens the client of an account, with its key. Fails if this worker does not know the account or has no key for it. */
  readonly open: (account: string) => Effect.Effect<PropertyClient.Service, E, Scope.Scope>
  /** What to read of each account. */
  readonly sync?: Pick<SyncOptions, "collections" | "data" | "pageSize"> | undefined
  /** Number of accounts that are synced at once. Default 8. */
  readonly concurrency?: number | undefined
  /** Queues these accounts at these times: once in the cluster, however many workers have this option. Default: never. */
  readonly nightly?:
    | { readonly cron: Cron.Cron; readonly accounts: Effect.Effect<ReadonlyArray<string>, E> }
    | undefined
  /** How long an interrupted worker lets its reads continue. In seconds; default 20. */
  readonly drainSeconds?: number | undefined
  readonly listen?: ((event: WorkerEvent) => Effect.Effect<void>) | undefined
}

export type WorkerOptions<E extends { readonly message: string }> = QueueOptions & WorkOptions<E>

/** How many accounts a worker syncs at once. Closed slots take no more work, and are free when the work that runs in them has ended. */
interface Slots {
  /** Does the work when a slot is free. If the slots are closed before that, the work never begins. */
  readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Closes the slots, and waits until all are free. */
  readonly close: Effect.Effect<void>
}

const makeSlots = (slots: number): Slots => {
  const semaphore = Semaphore.makeUnsafe(slots)
  let isClosed = false
  return {
    run: <A, E, R>(work: Effect.Effect<A, E, R>) => {
      const inside: Effect.Effect<Effect.Effect<A>, E, R> = Effect.suspend(() =>
        isClosed ? Effect.succeed(Effect.never) : Effect.map(work, Effect.succeed),
      )
      return Effect.flatten(semaphore.withPermits(1)(inside))
    },
    close: Effect.suspend(() => {
      isClosed = true
      return Effect.asVoid(semaphore.take(slots))
    }),
  }
}

/** Does the work of a worker: syncs an account, or fails with the reason, which is stored. */
type Work = (account: string) => Effect.Effect<ReadonlyArray<RunRow>, string>

/** Runs the executions that the engine gives to this worker. */
const nightLayer = (work: Work): Layer.Layer<never, never, WorkflowEngine> =>
  Night.toLayer(({ account }) =>
    Activity.make({ name: "sync", error: Schema.String, execute: Effect.asVoid(work(account)) }),
  )

/** Days that the engine's messages are kept after they were stored. */
const keptDays = 7

/**
 * Removes executions that were queued before a moment, in milliseconds, and have ended; returns the number of their messages. The engine keeps
 * its messages and replies indefinitely; the mirror's own history is not touched.
 */
export const clean = (engine: Engine, before: number): Effect.Effect<number, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const messages = engine.table("messages")
    const replies = engine.table("replies")
    const oldest = String(Snowflake.make({ timestamp: before, machineId: MachineId.make(0), sequence: 0 }))
    const removed = yield* sql.onDialectOrElse({
      sqlite: () => {
        const old = `(entity_type, entity_id) in (
          select entity_type, entity_id from ${messages} where tag = 'run' and processed and id < ${oldest})`
        return sql.withTransaction(
          Effect.andThen(
            sql.unsafe(
              `delete from ${replies} where request_id in (select id from ${messages} where ${old})`,
            ),
            sql.unsafe(`delete from ${messages} where ${old} returning 1 as gone`),
          ),
        )
      },
      orElse: () =>
        sql.unsafe(
          `with old as (
             select entity_type, entity_id from ${messages} where tag = 'run' and processed and id < $1::bigint
           ), gone as (
             delete from ${messages} as message using old
             where message.entity_type = old.entity_type and message.entity_id = old.entity_id returning message.id
           ), replies as (
             delete from ${replies} where request_id in (select id from gone)
           )
           select id from gone`,
          [oldest],
        ),
    })
    return removed.length
  })

/** Cleans once an hour, indefinitely. After a failure, it tries again an hour later. */
const cleaning = (engine: Engine): Effect.Effect<never, never, SqlClient> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => clean(engine, now - keptDays * 86_400_000)),
    Effect.catchCause((cause) => Effect.logWarning("The queue could not be cleaned", cause)),
    Effect.andThen(Effect.sleep("1 hour")),
    Effect.forever,
  )

/** Temporary reasons: the database comes back, the other process ends. */
const passing: ReadonlySet<ReasonTag> = new Set<ReasonTag>([
  "DatabaseFailed",
  "DiskFull",
  "AccountLocked",
  "MirrorLocked",
  "MirrorReadOnly",
  "MirrorUnreachable",
  "TakenOver",
])

/** Reasons that pass only when the file is opened again, and until then affect every account. */
const ending: ReadonlySet<ReasonTag> = new Set<ReasonTag>(["MirrorMoved", "SqliteFailed"])

const isSyncError = (error: { readonly message: string }): error is SyncError =>
  "_tag" in error && error._tag === "SyncError"

const isPassing = (error: { readonly message: string }): boolean =>
  isSyncError(error) && passing.has(error.reason._tag)

/**
 * For an hour, every 15 seconds: longer than the engine takes to find that a worker has lost its accounts. The worker then does not read an account
 * again that another one has taken over.
 */
const patience = Schedule.spaced("15 seconds").pipe(Schedule.jittered, Schedule.upTo({ duration: "1 hour" }))

const workOf =
  <E extends { readonly message: string }>(
    store: MirrorStore,
    slots: Slots,
    lost: Deferred.Deferred<never, SyncError>,
    { listen = () => Effect.void, open, sync }: WorkOptions<E>,
  ): Work =>
  (account) => {
    const once = Effect.gen(function* () {
      // The queue can have accounts that no worker knows: these are not added to the mirror.
      const client = yield* Effect.tapError(open(account), ({ message }) =>
        noteUnopened(store, account, message, { isAdded: false }),
      )
      return yield* syncAccount({ ...sync, store, client, account }).pipe(
        Effect.catchDefect((defect) => Effect.fail({ message: `Unexpected error: ${String(defect)}` })),
        Effect.tapError((error) =>
          isPassing(error)
            ? listen({ _tag: "Delayed", account, problem: client.redact(error.message) })
            : Effect.void,
        ),
        Effect.tapError((error) =>
          isSyncError(error) && ending.has(error.reason._tag) ? Deferred.fail(lost, error) : Effect.void,
        ),
        Effect.mapError((error) => ({ isPassing: isPassing(error), message: client.redact(error.message) })),
      )
    }).pipe(
      Effect.scoped,
      Effect.mapError((error) =>
        "isPassing" in error ? error : { isPassing: false, message: error.message },
      ),
    )
    return slots.run(
      Effect.retry(once, { schedule: patience, while: (error) => error.isPassing }).pipe(
        Effect.mapError(({ message }) => message),
        Effect.tapError((problem) => listen({ _tag: "Failed", account, problem })),
        Effect.tap((rows) => listen({ _tag: "Synced", account, rows })),
        // The mirror says the same. The failure only shows a process that queues the account again that another try is worthwhile.
        Effect.filterOrFail(
          (rows) => rows.every(isComplete),
          () => "The account was read, and is not known to be complete",
        ),
      ),
    )
  }

const nightlyOf = <E extends { readonly message: string }>(
  engine: Engine,
  { listen = () => Effect.void, nightly }: WorkOptions<E>,
) => {
  if (nightly === undefined) return Layer.empty
  return ClusterCron.make({
    name: "nightly",
    cron: nightly.cron,
    shardGroup: nightlyGroup,
    // A missed night is queued, however late.
    skipIfOlderThan: "3650 days",
    execute: Effect.gen(function* () {
      // Of the times that passed while no worker ran, the engine has stored only the first.
      const last = DateTime.fromDateUnsafe(Cron.prev(nightly.cron, yield* DateTime.now))
      const night = nightOf(DateTime.max(last, yield* ClusterCron.CurrentScheduledTime))
      const accounts = yield* nightly.accounts.pipe(
        Effect.tap(requireNames),
        Effect.tapError(({ message }) => listen({ _tag: "NightFailed", night, problem: message })),
      )
      const queued = yield* enqueue(engine, accounts, night)
      yield* listen({ _tag: "NightQueued", night, queued })
    }),
  })
}

/**
 * Works until it is interrupted. Fails as `postgresStore` and `sqliteStore` do if the mirror cannot be opened. For a file, also fails with
 * `QueueLocked` if it has a worker already, and with `MirrorMoved` or `SqliteFailed` when it has to be opened again.
 */
export const work = <E extends { readonly message: string }>(
  options: WorkerOptions<E>,
): Effect.Effect<never, SyncError> => {
  const engine = engineOf(options)
  return Effect.gen(function* () {
    const { concurrency = 8, drainSeconds = 20, nightly } = options
    const store = yield* engine.store("worker")
    const slots = makeSlots(concurrency)
    const lost = yield* Deferred.make<never, SyncError>()
    const live = Layer.mergeAll(
      nightLayer(workOf(store, slots, lost, options)),
      nightlyOf(engine, options),
      Singleton.make("retention", cleaning(engine)),
    )
    yield* Layer.build(Layer.provide(live, engine.worker(nightly !== undefined)))
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(slots.close, `${drainSeconds} seconds`)))
    return yield* Deferred.await(lost)
  }).pipe(Effect.scoped, engine.failing)
}
