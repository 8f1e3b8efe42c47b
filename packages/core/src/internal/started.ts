/**
 * Starts effects for callers without Effect, and ends them by their signals. One starter keeps the promise entry small: `Effect.runPromise` and
 * `runSync` add their own.
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

/**
 * Calls the listener once, with the reason of the first signal that aborts: at once when one has already. The returned function
 * removes it. Not by `AbortSignal.any`: a signal that lives as long as the client would keep the results until garbage collection.
 */
export const onAbort = (
  signals: ReadonlyArray<AbortSignal>,
  listener: (reason: unknown) => void,
): (() => void) => {
  const forget = (): void => {
    for (const signal of signals) signal.removeEventListener("abort", abort)
  }
  const abort = (): void => {
    forget()
    listener(signals.find((signal) => signal.aborted)!.reason)
  }
  if (signals.some((signal) => signal.aborted)) abort()
  else for (const signal of signals) signal.addEventListener("abort", abort)
  return forget
}
