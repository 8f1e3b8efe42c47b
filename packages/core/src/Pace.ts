/**
 * The gate of one key: every request of a client passes it. A token bucket keeps the pace, and a 429 closes the gate for every call
 * until the time that the server named (Spec: Errors 1, Limits 1: rate limits exist, their figures are not shown).
 *
 * The pace starts low, rises with clean answers, halves on a 429 and rises more slowly from then on. Interactive calls go before
 * background walks.
 */
import * as Effect from "effect/Effect"
import { schedule } from "./internal/timer.ts"

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
  readonly clean: () => void
  /** A 429 came: nobody passes before `until`, in epoch milliseconds. */
  readonly limited: (now: number, until: number) => void
  /** Requests a second at the moment; `Infinity` when the pace is taken away. */
  readonly rate: () => number
}

const bucketSize = 10
const startRate = 2
const leastRate = 0.1
const cleanAnswersPerStep = 10

/** Makes a gate. `ceiling` is the most requests a second that it rises to; 0 keeps no pace, but still closes on a 429. */
export const make = (ceiling: number): Pace => {
  const paced = ceiling > 0
  const queues: { readonly [P in Priority]: Array<() => void> } = { interactive: [], background: [] }
  let rate = paced ? Math.min(startRate, ceiling) : Infinity
  let tokens = paced ? Math.min(bucketSize, Math.max(1, ceiling)) : Infinity
  let refilledAt: number | null = null
  let closed = 0
  let everLimited = false
  let cleanAnswers = 0
  let cancelTimer: (() => void) | null = null

  const refill = (now: number): void => {
    if (!paced) return
    if (refilledAt !== null && now > refilledAt) {
      tokens = Math.min(bucketSize, tokens + ((now - refilledAt) / 1_000) * rate)
    }
    refilledAt = now
  }
  const waiting = (): number => queues.interactive.length + queues.background.length
  const isFree = (now: number): boolean => {
    if (now < closed) return false
    refill(now)
    return tokens >= 1
  }
  const pump = (clock: Parameters<typeof schedule>[0]): void => {
    cancelTimer?.()
    cancelTimer = null
    const now = clock.currentTimeMillisUnsafe()
    while (waiting() > 0 && isFree(now)) {
      tokens -= 1
      const next = queues.interactive.shift() ?? queues.background.shift()
      next?.()
    }
    if (waiting() === 0) return
    const untilToken = paced && tokens < 1 ? Math.ceil(((1 - tokens) / rate) * 1_000) : 0
    cancelTimer = schedule(clock, Math.max(closed - now, untilToken, 1), () => pump(clock))
  }

  return {
    tryTake: (now, priority) => {
      const ahead = priority === "interactive" ? queues.interactive.length : waiting()
      if (ahead > 0 || !isFree(now)) return false
      tokens -= 1
      return true
    },
    take: (priority) =>
      Effect.clockWith((clock) =>
        Effect.callback<void>((resume) => {
          const enter = () => resume(Effect.void)
          queues[priority].push(enter)
          pump(clock)
          return Effect.sync(() => {
            const at = queues[priority].indexOf(enter)
            if (at >= 0) queues[priority].splice(at, 1)
          })
        }),
      ),
    closedUntil: (now) => (closed > now ? closed : 0),
    clean: () => {
      if (!paced || ++cleanAnswers < cleanAnswersPerStep) return
      cleanAnswers = 0
      rate = Math.min(ceiling, everLimited ? rate * 1.1 : rate + 1)
    },
    limited: (now, until) => {
      const first = now >= closed
      closed = Math.max(closed, until)
      if (!paced) return
      refill(now)
      tokens = Math.min(tokens, 0)
      refilledAt = closed
      cleanAnswers = 0
      everLimited = true
      if (first) rate = Math.max(Math.min(leastRate, ceiling), rate / 2)
      tokens = 1
    },
    rate: () => rate,
  }
}
