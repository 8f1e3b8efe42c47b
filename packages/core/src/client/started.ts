/** Effects for callers without Effect. One way to start them keeps the promise entry small: `Effect.runPromise` and `runSync` bring their own. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"

/** Starts the effect; its success or failure settles a promise by these functions. */
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
