/**
 * The rate limiter of one key: every request takes a turn. It is a token bucket, and a 429 pauses every call until the time that the server
 * named (Spec: Errors 1, Limits 1: rate limits exist, their figures are not shown).
 *
 * After a cold start a few requests go at once, and one more for each clean answer until the burst is used up, so that a server that refuses
 * early has few in progress. The rate rises with clean answers. A 429 halves it, but not below one request in twice the longest time that a
 * `Retry-After` named; it is back at the rate that was refused, and where it was before the first refusal, after a minute without one. Interactive
 * calls go before background reads.
 *
 * The specification shows no figures (Spec: Limits 1), so all figures here are ours.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { runAfter } from "./internal/timer.ts"

/** Which calls go first when several wait. */
export type Priority = "interactive" | "background"

/** The figures of a rate limiter, in requests and requests per second. */
export interface RateLimits {
  /** Requests per second at the beginning; one more after each 10 clean answers, also while the burst is being used up. More than 0; default 5. */
  readonly start: number
  /**
   * Requests that go without waiting for a turn. The first 10 go at once, each further one after a clean answer, and no more than 10 once there
   * was a 429. At least 1; default 40.
   */
  readonly burst: number
  /** The highest rate in requests per second; `Infinity` for no limit, also of the burst. More than 0; default 20. */
  readonly ceiling: number
}

/**
 * The figures of the option `rate`: all of them, or the ceiling as a number, with 0 for no limit. For a number, the burst is one second's
 * requests, if these are fewer than by default. Checks nothing.
 */
export const limitsOf = (rate: number | RateLimits | undefined): RateLimits =>
  typeof rate === "object"
    ? rate
    : {
        start: 5,
        burst: rate === undefined ? 40 : Math.min(40, Math.max(1, rate)),
        ceiling: rate === 0 ? Infinity : (rate ?? 20),
      }

/** What 429s made of the rate. */
interface Slowing {
  readonly requestsPerSecond: number
  /** The 429s since the rate was last at what it is without them. */
  readonly refusals: number
}

/** The rate limiter of one key. Times are in epoch milliseconds. */
export interface RateLimiter {
  /** Takes a turn at once if one is free. */
  readonly tryTake: (now: number, priority: Priority) => boolean
  /** Waits for a turn; the deadline of the call ends the wait. Interruption leaves the queue. */
  readonly take: (priority: Priority) => Effect.Effect<void>
  /** Epoch milliseconds until which a 429 pauses every call; 0 when there is no pause. */
  readonly pausedUntil: (now: number) => number
  /** What the end of that pause is from: the server's `Retry-After`, or our own backoff. */
  readonly pausedBy: () => "retry-after" | "backoff"
  /** A request was answered without a 429. */
  readonly admitted: (now: number) => void
  /**
   * A 429 came: no call takes a turn before `until`, in epoch milliseconds. `askedMillis` is its `Retry-After`, null for none; `source` says whether
   * `until` is from it. Returns what it made of the rate; null if that is the same as before.
   */
  readonly refused: (
    now: number,
    until: number,
    askedMillis?: number | null,
    source?: "retry-after" | "backoff",
  ) => Slowing | null
  /** The current rate in requests per second; `Infinity` without a ceiling. */
  readonly rate: () => number
  readonly setLimits: (limits: RateLimits) => void
}

const mostAtOnce = 10
/** The lowest rate to which 429s slow a rate limiter that has seen no `Retry-After`, or a long one; in requests per second. */
const leastRate = 0.1
const cleanAnswersPerStep = 10
const recoveryMillis = 60_000

/** Makes a rate limiter that has not learned anything about its server yet. */
export const make = ({ burst, ceiling, start }: RateLimits): RateLimiter => {
  const interactive = new Set<() => void>()
  const background = new Set<() => void>()
  let rate = start
  let size = mostAtOnce
  let tokens = mostAtOnce
  let filledAt: number | null = null
  /** When the calls that wait were last looked at; null since the last 429. */
  let pumpedAt: number | null = null
  let pausedUntil = 0
  /** How long the pause was when it was named. */
  let pauseMillis = 0
  let pausedBy: "retry-after" | "backoff" = "backoff"
  let cleanAnswers = 0
  let longestAskedMillis = 0
  /** Since the first 429 until a minute after the last: rates in requests per second. */
  let slowed: {
    readonly usual: number
    readonly refused: number
    readonly low: number
    readonly since: number
  } | null = null
  let refusals = 0
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
  /** The lowest rate: with a server that says how long to wait, one request in twice the longest such time. */
  const floor = (): number => Math.max(leastRate, longestAskedMillis === 0 ? 0 : 500 / longestAskedMillis)
  const recover = (now: number): void => {
    if (slowed === null) return
    const { low, refused, since, usual } = slowed
    const part = (now - since) / recoveryMillis
    // Slowly at first: the lower rate may be all that the server admits.
    rate = Math.max(rate, part < 1 ? low + (refused - low) * part ** 3 : usual)
    if (part < 1) return
    slowed = null
    refusals = 0
  }
  /** Moves all times with a clock that was set back: it shows `now`, and at least `least` without that. Less than a second does not matter. */
  const followClock = (now: number, least: number): void => {
    const back = least - now
    if (back < 1_000) return
    if (pausedUntil > 0) pausedUntil -= back
    if (filledAt !== null) filledAt -= back
    if (pumpedAt !== null) pumpedAt -= back
    if (slowed !== null) slowed = { ...slowed, since: slowed.since - back }
  }
  const isPaused = (now: number): boolean => {
    followClock(now, pausedUntil - pauseMillis)
    return now < pausedUntil
  }
  const pass = (now: number): boolean => {
    if (isPaused(now)) return false
    if (!hasCeiling()) return true
    refill(now)
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
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
    const now = clock.currentTimeMillisUnsafe()
    if (filledAt !== null && filledAt > pausedUntil) followClock(now, filledAt)
    if (pumpedAt !== null) followClock(now, pumpedAt + waited)
    pumpedAt = now
    while (waiting() > 0 && pass(now)) admitOne()
    stopTimer()
    if (waiting() === 0) return
    const wait = untilTurn(now)
    cancelTimer = runAfter(clock, wait, () => pump(clock, wait))
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
    pausedUntil: (now) => (isPaused(now) ? pausedUntil : 0),
    pausedBy: () => pausedBy,
    admitted: (now) => {
      if (!hasCeiling()) return
      refill(now)
      recover(now)
      if (++cleanAnswers >= cleanAnswersPerStep) {
        cleanAnswers = 0
        if (rate < ceiling) rate += pausedUntil > 0 ? rate / 10 : 1
      }
      if (tokens < 1 && pausedUntil === 0 && size < burst) {
        size += 1
        tokens += 1
      }
      if (waiting() > 0) wake()
    },
    refused: (now, until, askedMillis = null, source = askedMillis === null ? "backoff" : "retry-after") => {
      const isFirst = !isPaused(now)
      const before = rateNow()
      if (until > pausedUntil)
        [pausedUntil, pausedBy, pauseMillis] = [until, source, Math.max(0, until - now)]
      longestAskedMillis = Math.max(longestAskedMillis, askedMillis ?? 0)
      size = mostAtOnce
      cleanAnswers = 0
      refusals += 1
      if (isFirst) rate = Math.min(before, Math.max(floor(), before / 2))
      slowed = {
        usual: slowed?.usual ?? before,
        refused: isFirst ? before : (slowed?.refused ?? before),
        low: rate,
        since: Math.max(now, pausedUntil),
      }
      // At most one call goes when the pause ends, and only if the rate would have admitted one at that time.
      const end = Math.max(now, pausedUntil)
      refill(end)
      filledAt = end
      pumpedAt = null
      tokens = Math.min(1, tokens)
      return hasCeiling() && rate < before * 0.9 ? { requestsPerSecond: rate, refusals } : null
    },
    rate: () => (hasCeiling() ? rateNow() : Infinity),
    setLimits: (changed) => void ({ burst, ceiling } = changed),
  }
}

const rateLimiters = new WeakMap<Clock.Clock, Map<string, WeakRef<RateLimiter>>>()

/**
 * The rate limiter of this key in this process: two clients of one key share its rate and its pauses. The limits that were requested last apply.
 * Different clocks have different rate limiters, so that tests with their own clock share nothing.
 */
export const ofKey = (keyFingerprint: string, limits: RateLimits, clock: Clock.Clock): RateLimiter => {
  const ofClock = rateLimiters.get(clock) ?? new Map<string, WeakRef<RateLimiter>>()
  rateLimiters.set(clock, ofClock)
  const rateLimiter = ofClock.get(keyFingerprint)?.deref() ?? make(limits)
  rateLimiter.setLimits(limits)
  ofClock.set(keyFingerprint, new WeakRef(rateLimiter))
  return rateLimiter
}
