/** `deedkit sync --every SPAN`: when accounts are synced, and when those are that a service failed. */
import { retryMinutes } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Syncs all accounts (null) every so many milliseconds, from begin to begin, until it is interrupted. Accounts whose names `sync` returns failed for
 * a reason that passes: they are synced again after each delay that ends before the next round. `wait` tells how many that are, and in how many minutes.
 */
export const repeat = <E, R>(
  everyMillis: number,
  sync: (names: ReadonlyArray<string> | null) => Effect.Effect<ReadonlyArray<string>, E, R>,
  wait: (accounts: number, minutes: number) => Effect.Effect<void>,
): Effect.Effect<never, E, R> =>
  Effect.gen(function* () {
    const next = (yield* Clock.currentTimeMillis) + everyMillis
    let failed = yield* sync(null)
    for (const minutes of retryMinutes) {
      if (failed.length === 0 || (yield* Clock.currentTimeMillis) + minutes * 60_000 >= next) break
      yield* wait(failed.length, minutes)
      yield* Effect.sleep(minutes * 60_000)
      failed = yield* sync(failed)
    }
    yield* Effect.sleep(Math.max(0, next - (yield* Clock.currentTimeMillis)))
  }).pipe(Effect.forever)
