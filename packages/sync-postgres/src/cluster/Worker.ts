/**
 * A worker: syncs the accounts that the engine gives to it, a few at once, until it is interrupted. It then begins no more accounts, gives those
 * that it reads some time to finish, and hands over the rest: each resumes at its last page when another worker takes it.
 */
import type { PropertyClient } from "@deedkit/core"
import { isComplete, noteUnopened, syncAccount } from "@deedkit/sync"
import type { MirrorStore, ReasonTag, RunRow, SyncError, SyncOptions } from "@deedkit/sync"
import * as ClusterCron from "effect/cluster/ClusterCron"
import * as Singleton from "effect/cluster/Singleton"
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Engine } from "./Engine.ts"
import { nightlyGroup } from "./Engine.ts"
import type { Queued } from "./Enqueue.ts"
import { enqueue } from "./Enqueue.ts"
import type { QueueOptions } from "./Queue.ts"
import { engineOf, nightOf } from "./Queue.ts"
import * as Night from "./Night.ts"
import * as Retention from "./Retention.ts"
import * as Slots from "./Slots.ts"

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

/** Temporary reasons: the database comes back, the other process ends. */
const passing: ReadonlySet<ReasonTag> = new Set<ReasonTag>([
  "DatabaseFailed",
  "DiskFull",
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
    slots: Slots.Slots,
    lost: Deferred.Deferred<never, SyncError>,
    { listen = () => Effect.void, open, sync }: WorkOptions<E>,
  ): Night.Work =>
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
      const accounts = yield* Effect.tapError(nightly.accounts, ({ message }) =>
        listen({ _tag: "NightFailed", night, problem: message }),
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
    const slots = Slots.make(concurrency)
    const lost = yield* Deferred.make<never, SyncError>()
    const live = Layer.mergeAll(
      Night.layer(workOf(store, slots, lost, options)),
      nightlyOf(engine, options),
      Singleton.make("retention", Retention.cleaning(engine)),
    )
    yield* Layer.build(Layer.provide(live, engine.worker(nightly !== undefined)))
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(slots.close, `${drainSeconds} seconds`)))
    return yield* Deferred.await(lost)
  }).pipe(Effect.scoped, engine.failing)
}
