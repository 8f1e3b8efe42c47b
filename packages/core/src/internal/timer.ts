/**
 * Timers for code that runs outside of a fiber: on Effect's clock, so that a test clock drives every wait of the client, and on the machine's
 * clock for transports. On the real clock both are plain `setTimeout`s, because several are set for each attempt.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

let realClock: Clock.Clock | null = null
const isReal = (clock: Clock.Clock): boolean => {
  realClock ??= Context.get(Context.empty(), Clock.Clock)
  return clock === realClock
}

/** The longest timer of the platform, 24.8 days. A longer one would run at once. */
const longestTimeout = 2 ** 31 - 1

/**
 * Calls `ring` once, `millis` after now or after the last `restart`, by the machine's clock. A time longer than the platform's longest timer is
 * split; `Infinity` never rings.
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
export const runAfter = (clock: Clock.Clock, millis: number, task: () => void): (() => void) => {
  if (millis === Infinity) return () => {}
  if (isReal(clock)) return alarm(millis, task).stop
  const fiber = Effect.runFork(Effect.andThen(clock.sleep(Duration.millis(millis)), Effect.sync(task)))
  return () => fiber.interruptUnsafe()
}
