/**
 * Starts effects for callers without Effect. One starter keeps the promise entry small: `Effect.runPromise` and `runSync` add their own.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"

/** Starts the effect, and settles a promise with its success or failure through these functions. */
export const started = <A, E>(
  effect: Effect.Effect<A, E>,
  resolve: (value: A) => void,
  reject: (error: unknown) => void,
): Fiber.Fiber<A, E> => {
  const fiber = Effect.runFork(effect)
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) resolve(exit.value)
    else reject(Cause.squash(exit.cause))
  })
  return fiber
}
