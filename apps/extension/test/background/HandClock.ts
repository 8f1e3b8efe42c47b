/** A clock that stands still until a test moves it. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface HandClock extends Clock.Clock {
  readonly advance: (millis: number) => void
}

export const make = (startMillis: number): HandClock => {
  let now = startMillis
  let timers: Array<{ readonly at: number; readonly ring: () => void }> = []
  const nanos = (): bigint => BigInt(now) * 1_000_000n
  return {
    advance: (millis) => {
      now += millis
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { ring } of due.toSorted((one, other) => one.at - other.at)) ring()
    },
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const timer = { at: now + Duration.toMillis(duration), ring: () => resume(Effect.void) }
        timers.push(timer)
        return Effect.sync(() => {
          timers = timers.filter((other) => other !== timer)
        })
      }),
  }
}
