/** Puts accounts into the queue, from a process that is not a worker, and ends. */
import type { SyncError } from "@deedkit/sync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Engine } from "./Engine.ts"
import type { Queued } from "./Enqueue.ts"
import { enqueue } from "./Enqueue.ts"
import * as PostgresEngine from "./PostgresEngine.ts"
import * as SqliteEngine from "./SqliteEngine.ts"

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
    const night = options.night ?? nightOf(yield* DateTime.now)
    // The mirror is created here, and one that cannot be used is refused before anything is queued.
    yield* engine.store("client")
    const queued = yield* enqueue(engine, options.accounts, night).pipe(Effect.provide(engine.client))
    return { night, ...queued }
  }).pipe(Effect.scoped, engine.failing)
}
