/** Puts accounts into the queue, from a process that is no worker, and ends. */
import type { SyncError } from "@deedkit/sync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { failingAt } from "../Connection.ts"
import { postgresStore } from "../PostgresStore.ts"
import type { QueueOptions } from "./Engine.ts"
import * as Engine from "./Engine.ts"
import type { Queued } from "./Enqueue.ts"
import { enqueue } from "./Enqueue.ts"

/** The night that a time begins: its date in UTC. */
export const nightOf = (time: DateTime.Utc): string => DateTime.formatIso(time).slice(0, 10)

export interface QueuedNight extends Queued {
  readonly night: string
}

/**
 * Queues accounts for a night, today's by default, and returns when all are stored; it does not wait for them. In a night an account is synced once:
 * queued again, it is so only where its sync has failed. Fails as `postgresStore` does.
 */
export const queue = (
  options: QueueOptions & { readonly accounts: ReadonlyArray<string>; readonly night?: string | undefined },
): Effect.Effect<QueuedNight, SyncError> =>
  Effect.gen(function* () {
    const night = options.night ?? nightOf(yield* DateTime.now)
    // The mirror is made here, and one that cannot be used is refused before anything is queued.
    yield* postgresStore(options)
    yield* Engine.prepare(options)
    const queued = yield* enqueue(options, options.accounts, night).pipe(
      Effect.provide(Engine.layerClient(options)),
    )
    return { night, ...queued }
  }).pipe(Effect.scoped, failingAt(options.url))
