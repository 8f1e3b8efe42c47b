/**
 * The rate limiter of one key: every request takes a turn. It is a token bucket, and a 429 pauses every call until the time that the server
 * named (Spec: Errors 1, Limits 1: rate limits exist, their figures are not shown).
 *
 * The rate starts low, rises with clean answers, halves on a 429 and rises more slowly from then on. Interactive calls go before
 * background reads.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { schedule } from "../transport/timer.ts"

/** Which calls go first when several wait. */
export type Priority = "interactive" | "background"

/** The rate limiter of one key. Times are in epoch milliseconds. */
export interface RateLimiter {
  /** Takes a turn at once if one is free. */
  readonly tryTake: (now: number, priority: Priority) => boolean
  /** Waits for a turn. Interruption leaves the queue. */
  readonly take: (priority: Priority) => Effect.Effect<void>
  /** Epoch milliseconds until which a 429 pauses every call; 0 when there is no pause. */
  readonly pausedUntil: (now: number) => number
  /** A request was answered without a 429. */
  readonly clean: (now: number) => void
  /** A 429 came: no call takes a turn before `until`, in epoch milliseconds. */
  readonly limited: (now: number, until: number) => void
  /** Requests a second at the moment; `Infinity` without a ceiling. */
  readonly rate: () => number
  /** Sets the most requests a second; 0 removes the limit. A 429 still pauses every call. */
  readonly setCeiling: (ceiling: number) => void
}

const bucketSize = 10
const startRate = 2
const leastRate = 0.1
const cleanAnswersPerStep = 10

/** Makes a rate limiter. `ceiling` is the most requests a second that it rises to; 0 for no limit. */
export const make = (ceiling: number): RateLimiter => {
  const queues: { readonly [P in Priority]: Set<() => void> } = {
    interactive: new Set(),
    background: new Set(),
  }
  let most = ceiling > 0 ? ceiling : Infinity
  let rate = Math.min(startRate, most)
  let tokens = Math.min(bucketSize, Math.max(1, most))
  let refilledAt: number | null = null
  let paused = 0
  let everLimited = false
  let cleanAnswers = 0
  let cancelTimer: (() => void) | null = null

  const hasCeiling = (): boolean => most !== Infinity
  const waiting = (): number => queues.interactive.size + queues.background.size

  /** A clock that went back adds no tokens and removes none. */
  const refill = (now: number): void => {
    const from = refilledAt ?? now
    refilledAt = Math.max(from, now)
    tokens = Math.min(bucketSize, tokens + ((refilledAt - from) / 1_000) * rate)
  }
  const pass = (now: number): boolean => {
    if (now < paused) return false
    if (!hasCeiling()) return true
    refill(now)
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
  /** Milliseconds until the next turn, after a call did not get one now. */
  const untilTurn = (now: number): number =>
    Math.ceil(now < paused ? paused - now : ((1 - tokens) / rate) * 1_000)
  const admitOne = (): void => {
    const queue = queues.interactive.size > 0 ? queues.interactive : queues.background
    for (const enter of queue) {
      queue.delete(enter)
      return enter()
    }
  }
  const stopTimer = (): void => {
    cancelTimer?.()
    cancelTimer = null
  }
  const pump = (clock: Clock.Clock): void => {
    const now = clock.currentTimeMillisUnsafe()
    while (waiting() > 0 && pass(now)) admitOne()
    stopTimer()
    if (waiting() > 0) cancelTimer = schedule(clock, untilTurn(now), () => pump(clock))
  }

  return {
    tryTake: (now, priority) => {
      const ahead = priority === "interactive" ? queues.interactive.size : waiting()
      return ahead === 0 && pass(now)
    },
    take: (priority) =>
      Effect.clockWith((clock) =>
        Effect.callback<void>((resume) => {
          const queue = queues[priority]
          const enter = (): void => resume(Effect.void)
          queue.add(enter)
          if (cancelTimer === null) pump(clock)
          return Effect.sync(() => {
            queue.delete(enter)
            if (waiting() === 0) stopTimer()
          })
        }),
      ),
    pausedUntil: (now) => (paused > now ? paused : 0),
    clean: (now) => {
      if (!hasCeiling() || ++cleanAnswers < cleanAnswersPerStep) return
      refill(now)
      cleanAnswers = 0
      rate = Math.min(most, everLimited ? rate * 1.1 : rate + 1)
    },
    limited: (now, until) => {
      const isFirst = now >= paused
      paused = Math.max(paused, until)
      everLimited = true
      cleanAnswers = 0
      if (isFirst) rate = Math.min(most, Math.max(leastRate, rate / 2))
      // At most one call goes when the pause ends, and only one that the rate would have admitted by then.
      refill(Math.max(now, paused))
      tokens = Math.min(1, tokens)
    },
    rate: () => (hasCeiling() ? rate : Infinity),
    setCeiling: (ceiling) => {
      most = ceiling > 0 ? ceiling : Infinity
      rate = Math.min(rate, most)
    },
  }
}
