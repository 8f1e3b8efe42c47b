/**
 * One rate limiter for each key of each origin in this process: two clients of one key share its rate and its pauses. Different clocks have
 * different rate limiters, so that tests on a clock of their own share nothing.
 */
import type * as Clock from "effect/Clock"
import * as RateLimiter from "./RateLimiter.ts"

const rateLimiters = new WeakMap<Clock.Clock, Map<string, WeakRef<RateLimiter.RateLimiter>>>()

/** The rate limiter of this key; the ceiling asked for last holds. The fingerprint identifies origin and key. */
export const rateLimiterOf = (
  clock: Clock.Clock,
  keyFingerprint: string,
  ceiling: number,
): RateLimiter.RateLimiter => {
  const ofClock = rateLimiters.get(clock) ?? new Map<string, WeakRef<RateLimiter.RateLimiter>>()
  rateLimiters.set(clock, ofClock)
  const shared = ofClock.get(keyFingerprint)?.deref()
  if (shared !== undefined) {
    shared.setCeiling(ceiling)
    return shared
  }
  const rateLimiter = RateLimiter.make(ceiling)
  ofClock.set(keyFingerprint, new WeakRef(rateLimiter))
  return rateLimiter
}
