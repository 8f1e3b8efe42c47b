/**
 * A timer on Effect's clock for code that runs outside of a fibre, so that a test clock drives every wait of the client.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Runs `task` after `millis`, unless the returned function is called first. `Infinity` never runs. */
export const schedule = (clock: Clock.Clock, millis: number, task: () => void): (() => void) => {
  if (millis === Infinity) return () => {}
  const fiber = Effect.runFork(Effect.andThen(clock.sleep(Duration.millis(millis)), Effect.sync(task)))
  return () => fiber.interruptUnsafe()
}
