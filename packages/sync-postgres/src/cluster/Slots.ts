/** How many accounts a worker syncs at once. Closed slots take no more work, and are free when the work that runs in them has ended. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

export interface Slots {
  /** Does the work when a slot is free. If the slots are closed before that, the work never begins. */
  readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Closes the slots, and waits until all are free. */
  readonly close: Effect.Effect<void>
}

export const make = (slots: number): Slots => {
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
