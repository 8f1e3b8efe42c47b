/**
 * The queue: one account in one night is a workflow of one activity. Its progress is in the mirror, page by page, so the engine keeps two small
 * messages about it and no records. Its payload is stored in the database, so it names the account and holds no key.
 */
import type { SyncError } from "@deedkit/sync"
import { requireNames, textOf } from "@deedkit/sync/store"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as EntityAddress from "effect/cluster/EntityAddress"
import * as EntityId from "effect/cluster/EntityId"
import * as EntityType from "effect/cluster/EntityType"
import { MessageStorage } from "effect/cluster/MessageStorage"
import { Sharding } from "effect/cluster/Sharding"
import { SqlClient } from "effect/sql/SqlClient"
import * as Workflow from "effect/workflow/Workflow"
import type { Engine, Services } from "./Engine.ts"
import * as PostgresEngine from "./PostgresEngine.ts"
import * as SqliteEngine from "./SqliteEngine.ts"

/** The sync of an account in a night. The same account and night are one execution, however often they are queued. */
export const Night = Workflow.make("SyncAccount", {
  payload: { account: Schema.String, night: Schema.String },
  error: Schema.String,
  idempotencyKey: ({ account, night }) => JSON.stringify([night, account]),
})

/** The type of the engine's entities that run it. */
const entityType = `Workflow/${Night._tag}`

/** The result of queueing accounts, as numbers of accounts. */
export interface Queued {
  /** Newly queued, including accounts that failed earlier in the same night. */
  readonly queued: number
  /** Already in the queue: they wait, or are being synced. */
  readonly waiting: number
  /** Already synced in this night. */
  readonly synced: number
}

/** Whether the execution failed; one that is not known has not failed. */
const hasFailed = (executionId: string) =>
  Effect.map(
    Night.poll(executionId),
    (result) =>
      Option.isSome(result) && result.value._tag === "Complete" && result.value.exit._tag === "Failure",
  )

/** Removes an execution, so that it can begin again. */
const clear = (executionId: string) =>
  Effect.gen(function* () {
    const sharding = yield* Sharding
    const storage = yield* MessageStorage
    const entityId = EntityId.make(executionId)
    yield* storage.clearAddress(
      EntityAddress.make({
        entityType: EntityType.make(entityType),
        entityId,
        shardId: sharding.getShardId(entityId, "default"),
      }),
    )
  })

/**
 * Queues the accounts that are not queued yet, all of them in one transaction, one process at a time. An account that waits or is being synced is not
 * queued again, for any night. So one account is synced in one place only, and the rate limiter of its key there is that of the cluster. A failure of
 * the database is a defect.
 */
export const enqueue = (
  engine: Engine,
  accounts: ReadonlyArray<string>,
  night: string,
): Effect.Effect<Queued, never, Services> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const table = engine.table("messages")
        // In a file, one process holds the queue, and runs one transaction at a time.
        yield* sql.onDialectOrElse({
          sqlite: () => Effect.void,
          orElse: () =>
            Effect.asVoid(sql.unsafe("select pg_advisory_xact_lock(hashtext($1::text))", [table])),
        })
        const payload = sql.literal(
          sql.onDialectOrElse({ sqlite: () => "payload", orElse: () => "payload::json" }),
        )
        const found = yield* sql<Readonly<Record<string, unknown>>>`
          select ${payload}->>'account' as account, max(case when processed then 0 else 1 end) as waits from ${sql.literal(table)}
             where entity_type = ${entityType} and tag = 'run' and (not processed or ${payload}->>'night' = ${night}) group by 1`
        const waits = new Map(found.map((row) => [textOf(row["account"]), Number(row["waits"]) === 1]))
        const result = { queued: 0, waiting: 0, synced: 0 }
        for (const account of new Set(accounts)) {
          const executionId = yield* Night.executionId({ account, night })
          if (waits.get(account) === true) result.waiting += 1
          else if (waits.has(account) && !(yield* hasFailed(executionId))) result.synced += 1
          else {
            if (waits.has(account)) yield* clear(executionId)
            yield* Night.execute({ account, night }, { discard: true })
            result.queued += 1
          }
        }
        return result
      }),
    )
  }).pipe(Effect.orDie)

/** The mirror to be filled: an address of PostgreSQL, or a file. */
export type QueueOptions = PostgresEngine.ServerQueue | SqliteEngine.FileQueue

/** The engine for a mirror. */
export const engineOf = (options: QueueOptions): Engine =>
  "path" in options ? SqliteEngine.make(options) : PostgresEngine.make(options)

/** The night that a time begins: its date in UTC. */
export const nightOf = (time: DateTime.Utc): string => DateTime.formatIso(time).slice(0, 10)

export interface QueuedNight extends Queued {
  readonly night: string
}

/**
 * Queues accounts for a night, today's by default, and returns when all are stored; it does not wait for them. In a night an account is synced
 * once: queued again, it is synced again only if its sync has failed. Fails as `postgresStore` and `sqliteStore` do, and for a file with
 * `QueueLocked` while another process holds its queue.
 */
export const queue = (
  options: QueueOptions & { readonly accounts: ReadonlyArray<string>; readonly night?: string | undefined },
): Effect.Effect<QueuedNight, SyncError> => {
  const engine = engineOf(options)
  return Effect.gen(function* () {
    yield* requireNames(options.accounts)
    const night = options.night ?? nightOf(yield* DateTime.now)
    // The mirror is created here, and one that cannot be used is refused before anything is queued.
    yield* engine.store("client")
    const queued = yield* enqueue(engine, options.accounts, night).pipe(Effect.provide(engine.client))
    return { night, ...queued }
  }).pipe(Effect.scoped, engine.failing)
}
