/** How many accounts a worker syncs at once. A room that is closed lets nobody in, and is empty when those inside have left. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

export interface Room {
  /** Does the work when there is a place. In a closed room it never begins. */
  readonly enter: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Closes the room, and waits until all have left. */
  readonly close: Effect.Effect<void>
}

export const make = (places: number): Room => {
  const semaphore = Semaphore.makeUnsafe(places)
  let isClosed = false
  return {
    enter: <A, E, R>(work: Effect.Effect<A, E, R>) => {
      const inside: Effect.Effect<Effect.Effect<A>, E, R> = Effect.suspend(() =>
        isClosed ? Effect.succeed(Effect.never) : Effect.map(work, Effect.succeed),
      )
      return Effect.flatten(semaphore.withPermits(1)(inside))
    },
    close: Effect.suspend(() => {
      isClosed = true
      return Effect.asVoid(semaphore.take(places))
    }),
  }
}
