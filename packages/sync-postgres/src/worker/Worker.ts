/**
 * A worker: reads the accounts of the queue, a few at once, until it is interrupted. It then begins no more accounts, gives those that it reads some
 * time to finish, and hands back the rest: each resumes at its last page when another worker takes it.
 */
import type { ClientError, PropertyClient } from "@deedkit/core"
import { isComplete, noteUnopened, retryMinutes, syncAccount } from "@deedkit/sync"
import type { Collection, MirrorStore, ReasonTag, RunRow, SyncError, SyncOptions } from "@deedkit/sync"
import { requireNames } from "@deedkit/sync/store"
import * as Clock from "effect/Clock"
import * as Cron from "effect/Cron"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { JobResult, JobWithMetadata } from "pg-boss"
import { postgresStore } from "../PostgresStore.ts"
import type { Ask, Engine, Queued, QueueOptions, QueueState } from "./Queue.ts"
import { leaseSeconds, queues, startEngine } from "./Queue.ts"

/** What a worker did. A night is named by the moment at which it began, ISO 8601 UTC. */
export type WorkerEvent =
  | { readonly _tag: "Synced"; readonly account: string; readonly rows: ReadonlyArray<RunRow> }
  /** It is a dead letter: no worker tries it again before it is queued again. */
  | { readonly _tag: "Failed"; readonly account: string; readonly problem: string }
  /** The service or the mirror failed for a reason that passes: tried again after so many minutes. */
  | {
      readonly _tag: "Delayed"
      readonly account: string
      readonly problem: string
      readonly minutes: number
    }
  /** A night was queued by this worker, for all workers. */
  | { readonly _tag: "NightQueued"; readonly night: string; readonly queued: Queued }
  /** The accounts of a night could not be listed. The next night is tried again. */
  | { readonly _tag: "NightFailed"; readonly night: string; readonly problem: string }
  /** Every account of a night has been tried. */
  | { readonly _tag: "NightEnded"; readonly night: string; readonly sum: NightSum }

/** What became of a night, in numbers of accounts. */
export interface NightSum {
  readonly accounts: number
  readonly complete: number
  /** To be tried again later. */
  readonly again: number
  /** Neither complete nor to be tried again. */
  readonly failed: number
  /** From its beginning to the last first try. */
  readonly seconds: number
}

export interface WorkOptions<E extends { readonly message: string }> {
  /** Opens the client of an account, with its key. Fails if this worker does not know the account or has no key for it. */
  readonly open: (account: string) => Effect.Effect<PropertyClient.Service, E, Scope.Scope>
  /** How to read each account. */
  readonly sync?: Pick<SyncOptions, "data" | "pageSize"> | undefined
  /** Number of accounts that are read at once. Default 8. */
  readonly concurrency?: number | undefined
  /** Queues these accounts at these times, a cron expression of five fields in UTC: once for all workers that have this option. Default: never. */
  readonly nightly?:
    | { readonly cron: string; readonly accounts: Effect.Effect<ReadonlyArray<string>, E> }
    | undefined
  /** How long an interrupted worker lets its reads continue. In seconds; default 20. */
  readonly drainSeconds?: number | undefined
  readonly listen?: ((event: WorkerEvent) => Effect.Effect<void>) | undefined
  /** Gets the queue's state every ten seconds, as long as its database answers. */
  readonly observe?: ((state: QueueState) => Effect.Effect<void>) | undefined
}

export type WorkerOptions<E extends { readonly message: string }> = QueueOptions & WorkOptions<E>

/** Reasons of a mirror that pass: the database comes back, the other process ends. */
const passing: ReadonlySet<ReasonTag> = new Set<ReasonTag>([
  "AccountLocked",
  "DatabaseFailed",
  "DiskFull",
  "MirrorLocked",
  "MirrorReadOnly",
  "MirrorUnreachable",
  "TakenOver",
])

const isPassing = (error: ClientError.ClientError | SyncError): boolean =>
  error._tag === "SyncError" ? passing.has(error.reason._tag) : error.retryable

/** Why an account was not read. */
interface Problem {
  readonly message: string
  readonly isPassing: boolean
}

type Job<A> = Pick<JobWithMetadata<A>, "data" | "id" | "retryCount" | "signal">

/** Reads these lists of an account. */
const readOf =
  <E extends { readonly message: string }>(store: MirrorStore, { open, sync }: WorkOptions<E>) =>
  (account: string, collections: ReadonlyArray<Collection>): Effect.Effect<ReadonlyArray<RunRow>, Problem> =>
    Effect.gen(function* () {
      // The queue can have accounts that no worker knows: these are not added to the mirror.
      const client = yield* open(account).pipe(
        Effect.tapError(({ message }) => noteUnopened(store, account, message, { isAdded: false })),
        Effect.mapError(({ message }): Problem => ({ message, isPassing: false })),
      )
      return yield* syncAccount({ ...sync, store, client, account, collections }).pipe(
        Effect.mapError((error): Problem => ({
          message: client.redact(error.message),
          isPassing: isPassing(error),
        })),
        Effect.catchDefect((defect) =>
          Effect.fail({ message: client.redact(`Unexpected error: ${String(defect)}`), isPassing: false }),
        ),
      )
    }).pipe(Effect.scoped)

/**
 * Ends a job, and queues its account for a later try, both or neither. A job that another worker has by now is not ended, and its account is then not
 * queued a second time.
 */
const delay = ({ attempt, boss }: Engine, { data, id, retryCount }: Job<Ask>, minutes: number) =>
  attempt(async () => {
    const transaction = await boss.getDb().beginTransaction?.()
    if (transaction === undefined) throw new Error("The engine has no transactions")
    const { db } = transaction
    try {
      await boss.complete(queues.accounts, { id, retryCount }, null, { db })
      const later = { ...data, tries: data.tries + 1 }
      await boss.send(queues.accounts, later, { db, singletonKey: data.account, startAfter: minutes * 60 })
      await transaction.commit()
    } catch (cause) {
      await transaction.rollback()
      throw cause
    }
  })

/** Does the job of an account: reads the lists that are not complete in its night. */
const handlerOf = <E extends { readonly message: string }>(
  engine: Engine,
  store: MirrorStore,
  options: WorkOptions<E>,
) => {
  const { listen = () => Effect.void } = options
  const read = readOf(store, options)
  return (job: Job<Ask>): Effect.Effect<ReadonlyArray<JobResult>, SyncError> => {
    const { account, since, tries } = job.data
    const ended = (status: JobResult["status"], problem?: string): ReadonlyArray<JobResult> => [
      { id: job.id, status, ...(problem === undefined ? {} : { output: { problem } }) },
    ]
    return Effect.gen(function* () {
      const lists = (yield* engine.unread([account], since)).get(account) ?? []
      if (lists.length === 0) return ended("completed")
      return yield* Effect.matchEffect(read(account, lists), {
        onSuccess: (rows) =>
          Effect.as(
            listen({ _tag: "Synced", account, rows }),
            rows.every(isComplete)
              ? ended("completed")
              : ended("deadletter", "The account was read, and is not known to be complete"),
          ),
        onFailure: ({ isPassing, message }) => {
          const minutes = isPassing ? retryMinutes[tries] : undefined
          return minutes === undefined
            ? Effect.as(listen({ _tag: "Failed", account, problem: message }), ended("deadletter", message))
            : delay(engine, job, minutes).pipe(
                Effect.andThen(listen({ _tag: "Delayed", account, problem: message, minutes })),
                Effect.as(ended("completed")),
              )
        },
      })
    })
  }
}

/** Queues a night, and waits until each of its accounts has been tried. A worker that continues it finds its accounts queued. */
const nightOf =
  <E extends { readonly message: string }>(
    engine: Engine,
    { cron, accounts: listed }: NonNullable<WorkOptions<E>["nightly"]>,
    options: WorkOptions<E>,
  ) =>
  (isFirst: boolean): Effect.Effect<void, SyncError> =>
    Effect.gen(function* () {
      const { listen = () => Effect.void } = options
      const times = Cron.parseUnsafe(cron, "UTC")
      // Of the times that passed while no worker ran, this is the last one.
      const begin = Cron.prev(times, new Date((yield* Clock.currentTimeMillis) + 1))
      const night = begin.toISOString()
      const accounts = yield* Effect.tap(listed, requireNames).pipe(
        Effect.catch(({ message: problem }) =>
          Effect.as(listen({ _tag: "NightFailed", night, problem }), null),
        ),
      )
      if (accounts === null) return
      const queued = yield* engine.enqueue(accounts, night)
      if (isFirst) yield* listen({ _tag: "NightQueued", night, queued })
      while ((yield* engine.open(accounts, night)).first > 0) yield* Effect.sleep("2 seconds")
      const left = yield* engine.unread(accounts, night)
      const rest = accounts.filter((account) => left.get(account)?.length !== 0)
      // One that waits for another try may be complete by now: it was synced without the queue.
      const { again } = yield* engine.open(rest, night)
      const complete = accounts.length - rest.length
      const seconds = Math.round(((yield* Clock.currentTimeMillis) - begin.getTime()) / 1_000)
      const sum = { accounts: accounts.length, complete, again, failed: rest.length - again, seconds }
      yield* listen({ _tag: "NightEnded", night, sum })
    })

/** Works until it is interrupted. Fails as `postgresStore` does if the mirror cannot be opened, and with `EngineMissing` without pg-boss. */
export const work = <E extends { readonly message: string }>(
  options: WorkerOptions<E>,
): Effect.Effect<never, SyncError> =>
  Effect.gen(function* () {
    const { concurrency = 8, drainSeconds = 20, nightly } = options
    const { observe = () => Effect.void } = options
    const store = yield* postgresStore({ ...options, idleTransactionSeconds: leaseSeconds })
    const engine = yield* startEngine(options, "worker", drainSeconds)
    const { attempt, boss } = engine
    const run = Effect.runPromiseWith(yield* Effect.context())
    const handle = handlerOf(engine, store, options)
    const shared = { includeMetadata: true, heartbeatRefreshSeconds: leaseSeconds / 3 } as const
    const ofAccounts = {
      ...shared,
      perJobResults: true,
      pollingIntervalSeconds: 2,
    } as const
    yield* attempt(async () => {
      for (let at = 0; at < concurrency; at++) {
        // One for each slot, which looks for its next account as soon as it is free, and not at its next poll.
        const slot = await boss.work<Ask, unknown, typeof ofAccounts>(
          queues.accounts,
          ofAccounts,
          async (jobs) => {
            const results = await Promise.all(jobs.map((job) => run(handle(job), { signal: job.signal })))
            boss.notifyWorker(slot)
            return results.flat()
          },
        )
      }
    })
    if (nightly !== undefined) {
      const night = nightOf(engine, nightly, options)
      const ending = yield* Deferred.make<never, Error>()
      yield* attempt(async () => {
        await boss.schedule(queues.nights, nightly.cron, null, { tz: "UTC", missed: "once" })
        await boss.work<object, void, typeof shared>(queues.nights, shared, async ([job]) => {
          if (job === undefined) return
          // A worker that ends gives the night to another one at once.
          const work = Effect.raceFirst(night(job.retryCount === 0), Deferred.await(ending))
          await run(work, { signal: job.signal })
        })
      })
      yield* Effect.addFinalizer(() => Deferred.fail(ending, new Error("The worker ends")))
    }
    return yield* engine.state.pipe(
      Effect.flatMap(observe),
      Effect.ignore,
      Effect.andThen(Effect.sleep("10 seconds")),
      Effect.forever,
    )
  }).pipe(Effect.scoped)
