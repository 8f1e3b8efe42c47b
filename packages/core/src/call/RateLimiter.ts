/**
 * The gate of one key: every request passes it. A token bucket keeps the pace, and a 429 closes the gate for every call until the time
 * that the server named (Spec: Errors 1, Limits 1: rate limits exist, their figures are not shown).
 *
 * The pace starts low, rises with clean answers, halves on a 429 and rises more slowly from then on. Interactive calls go before
 * background reads.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { schedule } from "../transport/timer.ts"

/** Who goes first when several calls wait. */
export type Priority = "interactive" | "background"

export interface Pace {
  /** Takes a turn at once if one is free. */
  readonly tryTake: (now: number, priority: Priority) => boolean
  /** Waits for a turn. Interruption gives the place in the queue back. */
  readonly take: (priority: Priority) => Effect.Effect<void>
  /** Epoch milliseconds until which the gate is closed by a 429; 0 when it is open. */
  readonly closedUntil: (now: number) => number
  /** A request was answered without a 429. */
  readonly clean: (now: number) => void
  /** A 429 came: nobody passes before `until`, in epoch milliseconds. */
  readonly limited: (now: number, until: number) => void
  /** Requests a second at the moment; `Infinity` when the pace is taken away. */
  readonly rate: () => number
  /** Sets the most requests a second; 0 keeps no pace, but still closes on a 429. */
  readonly setCeiling: (ceiling: number) => void
}

const bucketSize = 10
const startRate = 2
const leastRate = 0.1
const cleanAnswersPerStep = 10

/** Makes a gate. `ceiling` is the most requests a second that it rises to; 0 keeps no pace. */
export const make = (ceiling: number): Pace => {
  const queues: { readonly [P in Priority]: Set<() => void> } = {
    interactive: new Set(),
    background: new Set(),
  }
  let most = ceiling > 0 ? ceiling : Infinity
  let rate = Math.min(startRate, most)
  let tokens = Math.min(bucketSize, Math.max(1, most))
  let refilledAt: number | null = null
  let closed = 0
  let everLimited = false
  let cleanAnswers = 0
  let cancelTimer: (() => void) | null = null

  const isPaced = (): boolean => most !== Infinity
  const waiting = (): number => queues.interactive.size + queues.background.size

  /** A clock that went back gives nothing, and takes nothing. */
  const refill = (now: number): void => {
    const from = refilledAt ?? now
    refilledAt = Math.max(from, now)
    tokens = Math.min(bucketSize, tokens + ((refilledAt - from) / 1_000) * rate)
  }
  const pass = (now: number): boolean => {
    if (now < closed) return false
    if (!isPaced()) return true
    refill(now)
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
  /** How long it takes until a call passes that did not pass now. */
  const untilTurn = (now: number): number =>
    Math.ceil(now < closed ? closed - now : ((1 - tokens) / rate) * 1_000)
  const letOneGo = (): void => {
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
    while (waiting() > 0 && pass(now)) letOneGo()
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
    closedUntil: (now) => (closed > now ? closed : 0),
    clean: (now) => {
      if (!isPaced() || ++cleanAnswers < cleanAnswersPerStep) return
      refill(now)
      cleanAnswers = 0
      rate = Math.min(most, everLimited ? rate * 1.1 : rate + 1)
    },
    limited: (now, until) => {
      const isFirst = now >= closed
      closed = Math.max(closed, until)
      everLimited = true
      cleanAnswers = 0
      if (isFirst) rate = Math.min(most, Math.max(leastRate, rate / 2))
      // At most one call goes when it opens, and only one that the rate would have let go by then.
      refill(Math.max(now, closed))
      tokens = Math.min(1, tokens)
    },
    rate: () => (isPaced() ? rate : Infinity),
    setCeiling: (ceiling) => {
      most = ceiling > 0 ? ceiling : Infinity
      rate = Math.min(rate, most)
    },
  }
}
