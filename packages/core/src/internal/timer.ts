/**
 * A timer on Effect's clock for code that runs outside of a fibre, so that a test clock drives every wait of the client. On the real
 * clock it is a plain `setTimeout`, because one is set for every attempt.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

let realClock: Clock.Clock | null = null
const isReal = (clock: Clock.Clock): boolean => {
  realClock ??= Effect.runSync(Effect.clockWith(Effect.succeed))
  return clock === realClock
}

const longestTimeout = 2 ** 31 - 1

/** Runs `task` after `millis`, unless the returned function is called first. `Infinity` never runs. */
export const schedule = (clock: Clock.Clock, millis: number, task: () => void): (() => void) => {
  if (millis === Infinity) return () => {}
  if (millis <= longestTimeout && isReal(clock)) {
    const timer = setTimeout(task, millis)
    return () => clearTimeout(timer)
  }
  const fiber = Effect.runFork(Effect.andThen(clock.sleep(Duration.millis(millis)), Effect.sync(task)))
  return () => fiber.interruptUnsafe()
}
