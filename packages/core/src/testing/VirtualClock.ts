/** A clock on which waits take no time, for tests of tools and of the client itself. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** A turn of the event loop; timers of 0 ms take a millisecond or more. */
const nextTurn = (task: () => void): void => {
  if (typeof setImmediate === "function") setImmediate(task)
  else setTimeout(task, 0)
}

/** A clock that stands still while the program runs, and jumps to the next timer when everything waits. */
export interface VirtualClock extends Clock.Clock {
  /** The same clock for code without Effect, such as a server in process: epoch milliseconds and promises. */
  readonly plain: { readonly now: () => number; readonly sleep: (millis: number) => Promise<void> }
}

/**
 * Makes a virtual clock; `startMillis` is its first time in epoch milliseconds. Provide it with `Effect.provideService(Clock.Clock, clock)`. The
 * clock jumps after a few turns of the event loop without a new timer, so it fits programs whose servers are in process: it does not wait for a
 * socket, a file or a thread pool.
 */
export const virtualClock = (startMillis: number): VirtualClock => {
  let now = startMillis
  let idleTurns = 0
  let watching = false
  const timers: Array<{ readonly at: number; readonly ring: () => void }> = []

  /** Several turns of the event loop without a new timer count as waiting: a stream's chunk takes a few. */
  const turnsUntilJump = 5
  const turn = (): void => {
    if (timers.length === 0) {
      watching = false
      return
    }
    idleTurns += 1
    if (idleTurns > turnsUntilJump) {
      idleTurns = 0
      timers.sort((a, b) => a.at - b.at)
      now = Math.max(now, timers[0]!.at)
      while (timers.length > 0 && timers[0]!.at <= now) timers.shift()!.ring()
    }
    nextTurn(turn)
  }
  const wait = (millis: number, ring: () => void): (() => void) => {
    const timer = { at: now + Math.max(0, millis), ring }
    timers.push(timer)
    idleTurns = 0
    if (!watching) {
      watching = true
      nextTurn(turn)
    }
    return () => {
      const at = timers.indexOf(timer)
      if (at >= 0) timers.splice(at, 1)
    }
  }
  const nanos = (): bigint => BigInt(Math.round(now * 1_000_000))
  return {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const cancel = wait(Duration.toMillis(duration), () => resume(Effect.void))
        return Effect.sync(cancel)
      }),
    plain: {
      now: () => now,
      sleep: (millis) => new Promise((resolve) => void wait(millis, resolve)),
    },
  }
}
