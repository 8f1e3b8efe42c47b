/**
 * The rate limiter of one key: every request takes a turn. It is a token bucket, and a 429 pauses every call until the time that the server
 * named (Spec: Errors 1, Limits 1: rate limits exist, their figures are not shown).
 *
 * After a cold start a few requests go at once, and one more for each clean answer until the burst is used up, so that a server that refuses
 * early has few in progress. The rate rises with clean answers, halves on a 429 and rises more slowly from then on. Interactive calls go before
 * background reads.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { schedule } from "../../transport/timer.ts"
import type { RateLimits } from "./RateLimits.ts"

/** Which calls go first when several wait. */
export type Priority = "interactive" | "background"

/**
 * The rate limiter of one key, as a client uses it. Times are in epoch milliseconds. An implementation that asks a remote side gives no turn in
 * `tryTake` and asks in `take`. Nothing here may fail or throw: an implementation that cannot reach the remote side decides itself whether the
 * call goes.
 */
export interface RateLimiter {
  /** Takes a turn at once if one is free. */
  readonly tryTake: (now: number, priority: Priority) => boolean
  /** Waits for a turn; the deadline of the call ends the wait. Interruption leaves the queue. */
  readonly take: (priority: Priority) => Effect.Effect<void>
  /** Epoch milliseconds until which a 429 pauses every call; 0 when there is no pause. */
  readonly pausedUntil: (now: number) => number
  /** A request was answered without a 429. */
  readonly clean: (now: number) => void
  /** A 429 came: no call takes a turn before `until`, in epoch milliseconds. */
  readonly limited: (now: number, until: number) => void
  /** The current rate in requests per second; `Infinity` without a ceiling. */
  readonly rate: () => number
}

/** The learned state of a rate limiter: plain JSON. Times are in epoch milliseconds. */
export interface RateLimiterState {
  /** Requests per second; a limiter with a lower ceiling is slower. */
  readonly rate: number
  /** Requests that can go without waiting. */
  readonly tokens: number
  /** The maximum number of tokens; a limiter with a smaller burst has fewer. */
  readonly size: number
  /** When tokens were last added; null before the first request. */
  readonly filledAt: number | null
  /** Until when a 429 pauses every call; 0 before the first. */
  readonly pausedUntil: number
  /** Clean answers since the rate last changed. */
  readonly cleanAnswers: number
}

/** A rate limiter with its state in this process. */
export interface OwnRateLimiter extends RateLimiter {
  /** The state learned so far, to be saved as JSON. */
  readonly state: () => RateLimiterState
  /** Replaces the learned state. A waiting call notices this at the end of its wait. */
  readonly restore: (state: RateLimiterState) => void
  readonly setLimits: (limits: RateLimits) => void
}

/**
 * Runs a change of a rate limiter's state, and returns what it returns. Around it, the state can be loaded from elsewhere and saved there. `now`
 * is the time of the change, in epoch milliseconds. @internal
 */
export type Hold = <A>(now: number, change: () => A) => A

const mostAtOnce = 10
/** The lowest rate to which 429s slow a rate limiter, in requests per second. @internal */
export const leastRate = 0.1
const cleanAnswersPerStep = 10

/** Makes a rate limiter that has not learned anything about its server yet. */
export const make = (limits: RateLimits): OwnRateLimiter => makeWith(limits)

/** The same, but `hold` runs each change; by default it does nothing else. @internal */
export const makeWith = (
  { burst, ceiling, start }: RateLimits,
  hold: Hold = (_now, change) => change(),
): OwnRateLimiter => {
  const interactive = new Set<() => void>()
  const background = new Set<() => void>()
  let rate = start
  let size = mostAtOnce
  let tokens = mostAtOnce
  let filledAt: number | null = null
  let pausedUntil = 0
  let cleanAnswers = 0
  let cancelTimer: (() => void) | null = null
  let wake: () => void

  const hasCeiling = (): boolean => ceiling !== Infinity
  const rateNow = (): number => Math.min(rate, ceiling)
  const waiting = (): number => interactive.size + background.size

  /** A clock that went back adds no tokens and removes none. */
  const refill = (now: number): void => {
    const from = filledAt ?? now
    filledAt = Math.max(from, now)
    tokens = Math.min(size, burst, tokens + ((filledAt - from) / 1_000) * rateNow())
  }
  const pass = (now: number): boolean =>
    hold(now, () => {
      if (now < pausedUntil) return false
      if (!hasCeiling()) return true
      refill(now)
      if (tokens < 1) return false
      tokens -= 1
      return true
    })
  /** Milliseconds until the next turn, after a call did not get one now. */
  const untilTurn = (now: number): number =>
    Math.ceil(now < pausedUntil ? pausedUntil - now : ((1 - tokens) / rateNow()) * 1_000)
  /** Admits one call; at least one must be waiting. */
  const admitOne = (): void => {
    const queue = interactive.size > 0 ? interactive : background
    const [enter] = queue
    queue.delete(enter!)
    enter!()
  }
  const stopTimer = (): void => {
    cancelTimer?.()
    cancelTimer = null
  }
  /** If the clock was set back, the time waited counts: otherwise no call would go until the clock has caught up. */
  const pump = (clock: Clock.Clock, waited = 0): void => {
    const read = clock.currentTimeMillisUnsafe()
    const now = filledAt !== null && filledAt > Math.max(pausedUntil, read) ? filledAt + waited : read
    while (waiting() > 0 && pass(now)) admitOne()
    stopTimer()
    if (waiting() === 0) return
    const wait = untilTurn(now)
    cancelTimer = schedule(clock, wait, () => pump(clock, wait))
  }

  return {
    tryTake: (now, priority) => {
      const ahead = priority === "interactive" ? interactive.size : waiting()
      return ahead === 0 && pass(now)
    },
    take: (priority) =>
      Effect.clockWith((clock) =>
        Effect.callback<void>((resume) => {
          const queue = priority === "interactive" ? interactive : background
          const enter = (): void => resume(Effect.void)
          queue.add(enter)
          wake = () => pump(clock)
          if (cancelTimer === null) wake()
          return Effect.sync(() => {
            queue.delete(enter)
            if (waiting() === 0) stopTimer()
          })
        }),
      ),
    pausedUntil: (now) => (pausedUntil > now ? pausedUntil : 0),
    clean: (now) => {
      if (!hasCeiling()) return
      hold(now, () => {
        refill(now)
        if (++cleanAnswers >= cleanAnswersPerStep) {
          cleanAnswers = 0
          if (rate < ceiling) rate += pausedUntil > 0 ? rate / 10 : 1
        }
        if (tokens < 1 && pausedUntil === 0 && size < burst) {
          size += 1
          tokens += 1
        }
      })
      if (waiting() > 0) wake()
    },
    limited: (now, until) =>
      hold(now, () => {
        const isFirst = now >= pausedUntil
        pausedUntil = Math.max(pausedUntil, until)
        size = mostAtOnce
        cleanAnswers = 0
        if (isFirst) rate = Math.max(leastRate, rateNow() / 2)
        // At most one call goes when the pause ends, and only if the rate would have admitted one at that time.
        refill(Math.max(now, pausedUntil))
        tokens = Math.min(1, tokens)
      }),
    rate: () => (hasCeiling() ? rateNow() : Infinity),
    state: () => ({ rate, tokens, size, filledAt, pausedUntil, cleanAnswers }),
    restore: (state) => void ({ rate, tokens, size, filledAt, pausedUntil, cleanAnswers } = state),
    setLimits: (changed) => void ({ burst, ceiling } = changed),
  }
}
