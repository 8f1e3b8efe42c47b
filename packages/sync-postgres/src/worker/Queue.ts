/**
 * The queue of a mirror: jobs of pg-boss in a schema beside it, one for each account that waits or is being read. A job names the account and holds
 * no key and no record. What was read in a night is asked of the mirror's runs, never of the engine.
 */
import type { Collection, SyncError } from "@deedkit/sync"
import { requireNames, syncError, textOf } from "@deedkit/sync/store"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PgBoss } from "pg-boss"
import { nodePostgresConfig } from "../Address.ts"
import { thrown } from "../Connection.ts"
import type { PostgresOptions } from "../PostgresStore.ts"
import { postgresStore, quoted } from "../PostgresStore.ts"

/** The mirror to be filled. Its queue is in the same database. */
export interface QueueOptions extends Pick<PostgresOptions, "password" | "schema" | "url" | "variables"> {
  /** The lists to read of an account. Default: both. */
  readonly lists?: ((account: string) => Effect.Effect<ReadonlyArray<Collection>>) | undefined
}

const allLists: ReadonlyArray<Collection> = ["contracts", "api-keys"]

/** What the job of an account says. */
export interface Ask {
  readonly account: string
  /** When its night began, ISO 8601 UTC. A list that was complete since then is not read. */
  readonly since: string
  /** How often it has failed since then for a reason that passes. */
  readonly tries: number
}

/** The queues: accounts, accounts that failed for good (dead letters), and nights that are to be queued. */
export const queues = { accounts: "account", failed: "failed", nights: "night" } as const

/** A worker that has said nothing for so long has lost its accounts, and holds no lock on them. */
export const leaseSeconds = 30

/** Longer than any read. The engine takes at most a day. */
const mostSeconds = 23 * 3_600

/** The queue as it is now, in numbers of accounts. */
export interface QueueState {
  /** Being read, by all workers. */
  readonly reading: number
  /** To be read as soon as a worker has a slot. */
  readonly waiting: number
  /** To be tried again later. */
  readonly again: number
  /** Failed for good in the last two weeks, and not queued again since. */
  readonly failed: number
  /** Since when the account that waits longest has waited, in seconds; 0 if none waits. */
  readonly oldestSeconds: number
}

export interface Engine {
  readonly boss: PgBoss
  /** Does what the engine or its database can fail at. */
  readonly attempt: <A>(work: () => Promise<A>) => Effect.Effect<A, SyncError>
  /** The lists to read of each account: those that are not complete since a moment. */
  readonly unread: (
    accounts: ReadonlyArray<string>,
    since: string,
  ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<Collection>>, SyncError>
  readonly state: Effect.Effect<QueueState, SyncError>
  /** How many of these accounts have not had their first try, and how many are to be tried again, in a night or since an earlier one. */
  readonly open: (
    accounts: ReadonlyArray<string>,
    since: string,
  ) => Effect.Effect<{ readonly first: number; readonly again: number }, SyncError>
  readonly enqueue: (accounts: ReadonlyArray<string>, since: string) => Effect.Effect<Queued, SyncError>
  /** Accounts that wait for another try are tried now. */
  readonly hurry: (accounts: ReadonlyArray<string>) => Effect.Effect<void, SyncError>
}

/** The result of queueing accounts, as numbers of accounts. */
export interface Queued {
  /** Newly queued, including accounts that failed earlier in the same night. */
  readonly queued: number
  /** Already in the queue: they wait, or are being read. */
  readonly waiting: number
  /** Already complete in this night. */
  readonly synced: number
}

/** Jobs of one statement. */
const batch = 1_000

/** The engine is a peer: whoever runs workers installs it. */
const load: Effect.Effect<typeof import("pg-boss"), SyncError> = Effect.catchDefect(
  Effect.promise(() => import("pg-boss")),
  (defect) =>
    defect instanceof Error && "code" in defect && defect.code === "ERR_MODULE_NOT_FOUND"
      ? Effect.fail(syncError({ _tag: "EngineMissing" }))
      : Effect.die(defect),
)

/** Starts the engine, and stops it with its scope: an account that is still being read after `drainSeconds` is given back. */
export const startEngine = Effect.fnUntraced(function* (
  options: QueueOptions,
  role: "client" | "worker",
  drainSeconds = 0,
): Effect.fn.Return<Engine, SyncError, Scope.Scope> {
  const { PgBoss } = yield* load
  const { lists = () => Effect.succeed(allLists), schema = "deedkit" } = options
  const isWorker = role === "worker"
  const settings = {
    ...(yield* nodePostgresConfig(options)),
    application_name: "deedkit queue",
    max: isWorker ? 4 : 2,
    schema: `${schema}_queue`,
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  }
  const attempt: Engine["attempt"] = (work) =>
    Effect.tryPromise({ try: work, catch: (cause) => thrown(options, cause) })
  const start = (createSchema: boolean) =>
    attempt(async () => {
      const boss = new PgBoss({ ...settings, createSchema })
      // It goes on after every error, as after a restart of the server.
      boss.on("error", () => {})
      try {
        // Two that make the tables at the same time may collide, and the second attempt finds them.
        return await boss.start({ attempts: 3 })
      } catch (cause) {
        await boss.stop({ graceful: false }).catch(() => {})
        throw cause
      }
    })
  const boss = yield* Effect.acquireRelease(
    // A user without rights to the database can own a schema that somebody has made for it.
    Effect.catchIf(
      start(true),
      ({ reason }) => reason._tag === "MirrorReadOnly",
      () => start(false),
    ),
    (started) =>
      Effect.promise(() =>
        started.stop({ graceful: isWorker, timeout: drainSeconds * 1_000 }).catch(() => {}),
      ),
  )
  yield* attempt(async () => {
    await boss.createQueue(queues.failed)
    await boss.createQueue(queues.accounts, {
      policy: "exclusive",
      deadLetter: queues.failed,
      heartbeatSeconds: leaseSeconds,
      expireInSeconds: mostSeconds,
      // An account whose workers were killed so often is not tried again.
      retryLimit: 5,
    })
    await boss.createQueue(queues.nights, {
      policy: "short",
      heartbeatSeconds: leaseSeconds,
      expireInSeconds: mostSeconds,
      retryLimit: 1_000,
    })
  })
  const jobs = `${quoted(`${schema}_queue`)}.job`
  const rows = (sql: string, ...values: ReadonlyArray<unknown>) =>
    attempt(async (): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> => {
      const result = await boss.getDb().executeSql(sql, [...values])
      return result.rows
    })
  const counts = (sql: string, ...values: ReadonlyArray<unknown>) =>
    Effect.map(
      rows(sql, ...values),
      ([row = {}]) =>
        (name: string) =>
          Number(row[name] ?? 0),
    )
  const unread: Engine["unread"] = Effect.fnUntraced(function* (accounts, since) {
    const complete = yield* rows(
      `select account, collection from ${quoted(schema)}.sync_run
           where account = any($1::text[]) and ended_at >= $2::timestamptz and state = 'finished'
             and completeness in ('proven', 'confirmed') and rejected + without_data + held = 0`,
      accounts,
      since,
    )
    const done = new Set(complete.map((row) => `${textOf(row["collection"])} ${textOf(row["account"])}`))
    return new Map(
      yield* Effect.forEach(accounts, (account) =>
        Effect.map(
          lists(account),
          (all) => [account, all.filter((list) => !done.has(`${list} ${account}`))] as const,
        ),
      ),
    )
  })
  return {
    boss,
    attempt,
    unread,
    state: Effect.map(
      counts(
        `select count(*) filter (where state = 'active') as reading,
             count(*) filter (where state < 'active' and start_after <= now()) as waiting,
             count(*) filter (where state < 'active' and start_after > now()) as again,
             coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0) as oldest,
             (select count(*) from ${jobs} where name = '${queues.failed}' and state = 'created') as failed
           from ${jobs} where name = '${queues.accounts}' and state < 'completed'`,
      ),
      (of) => ({
        reading: of("reading"),
        waiting: of("waiting"),
        again: of("again"),
        failed: of("failed"),
        oldestSeconds: of("oldest"),
      }),
    ),
    open: (accounts, since) =>
      Effect.map(
        counts(
          `select count(*) filter (where data->>'tries' = '0') as first, count(*) filter (where data->>'tries' <> '0') as again
             from ${jobs} where name = '${queues.accounts}' and state < 'completed'
               and singleton_key = any($1::text[]) and (data->>'since')::timestamptz <= $2::timestamptz`,
          accounts,
          since,
        ),
        (of) => ({ first: of("first"), again: of("again") }),
      ),
    enqueue: (accounts, since) =>
      Effect.gen(function* () {
        const names = [...new Set(accounts)]
        const result = { queued: 0, waiting: 0, synced: 0 }
        for (let at = 0; at < names.length; at += batch) {
          const part = names.slice(at, at + batch)
          const left = yield* unread(part, since)
          const rest = part.filter((account) => left.get(account)?.length !== 0)
          const ids = yield* attempt(() =>
            boss.insert(
              queues.accounts,
              rest.map((account) => ({
                singletonKey: account,
                data: { account, since, tries: 0 } satisfies Ask,
              })),
              { returnId: true },
            ),
          )
          yield* rows(
            `delete from ${jobs} where name = '${queues.failed}' and singleton_key = any($1::text[])`,
            rest,
          )
          const queued = ids?.length ?? 0
          result.queued += queued
          result.waiting += rest.length - queued
          result.synced += part.length - rest.length
        }
        return result
      }),
    hurry: (accounts) =>
      Effect.asVoid(
        rows(
          `update ${jobs} set start_after = now()
             where name = '${queues.accounts}' and state < 'active' and start_after > now() and singleton_key = any($1::text[])`,
          accounts,
        ),
      ),
  }
})

/** When the day began in UTC, ISO 8601. */
const today = Effect.map(
  Clock.currentTimeMillis,
  (now) => `${new Date(now).toISOString().slice(0, 10)}T00:00:00.000Z`,
)

export interface QueuedNight extends Queued {
  /** When the night began, ISO 8601 UTC. */
  readonly since: string
}

/**
 * Queues accounts, and returns when all are stored; it does not wait for them. An account that is complete since `since`, ISO 8601 UTC, is not
 * queued; default: since the day began in UTC. One that waits for another try is tried now. Fails as `postgresStore` does, and with
 * `EngineMissing` without pg-boss.
 */
export const queue = ({
  accounts,
  since,
  ...options
}: QueueOptions & {
  readonly accounts: ReadonlyArray<string>
  readonly since?: string | undefined
}): Effect.Effect<QueuedNight, SyncError> =>
  Effect.gen(function* () {
    yield* requireNames(accounts)
    const from = since ?? (yield* today)
    // The mirror is created here, and one that cannot be used is refused before anything is queued.
    yield* postgresStore({ ...options, maxConnections: 1 })
    const engine = yield* startEngine(options, "client")
    const queued = yield* engine.enqueue(accounts, from)
    yield* engine.hurry(accounts)
    return { since: from, ...queued }
  }).pipe(Effect.scoped)
