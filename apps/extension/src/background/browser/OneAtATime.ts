/**
 * Runs effects one after the other, in the order in which they begin to wait. One that is interrupted while it waits does not run and does
 * not delay the others; one that is interrupted while it runs has ended, including its finalizers, before the next one begins.
 */
import * as Effect from "effect/Effect"

export type OneAtATime = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const make = (): OneAtATime => {
  let last = Promise.resolve()
  return (effect) =>
    // A place in the queue is always given up, even when the interruption comes before the first step.
    Effect.uninterruptibleMask((restore) => {
      const before = last
      let leave = (): void => {}
      const left = new Promise<void>((resolve) => {
        leave = resolve
      })
      last = left.then(() => before)
      const turn = Effect.promise(() => before)
      return Effect.ensuring(restore(Effect.andThen(turn, effect)), Effect.sync(leave))
    })
}
