/**
 * Timers for code that runs outside of a fibre: on Effect's clock, so that a test clock drives every wait of the client, and on the
 * machine's for transports. On the real clock both are plain `setTimeout`s, because some are set for every attempt.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

let realClock: Clock.Clock | null = null
const isReal = (clock: Clock.Clock): boolean => {
  realClock ??= Effect.runSync(Effect.clockWith(Effect.succeed))
  return clock === realClock
}

/** What the platform's timers can hold: 24.8 days. A longer one would run at once. */
const longestTimeout = 2 ** 31 - 1

/**
 * Rings once, after `millis` on the machine's own clock; `restart` counts anew from now. What is longer than the platform's longest timer is
 * waited for in parts, and `Infinity` never rings.
 */
export const alarm = (
  millis: number,
  ring: () => void,
): { readonly restart: () => void; readonly stop: () => void } => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (left: number): void => {
    if (left > longestTimeout) timer = setTimeout(() => wait(left - longestTimeout), longestTimeout)
    else timer = setTimeout(ring, left)
  }
  const start = (): void => {
    if (millis !== Infinity) wait(millis)
  }
  const stop = (): void => clearTimeout(timer)
  start()
  return {
    stop,
    restart: () => {
      stop()
      start()
    },
  }
}

/** Runs `task` after `millis` on this clock, unless the returned function is called first. `Infinity` never runs. */
export const schedule = (clock: Clock.Clock, millis: number, task: () => void): (() => void) => {
  if (millis === Infinity) return () => {}
  if (isReal(clock)) return alarm(millis, task).stop
  const fiber = Effect.runFork(Effect.andThen(clock.sleep(Duration.millis(millis)), Effect.sync(task)))
  return () => fiber.interruptUnsafe()
}
