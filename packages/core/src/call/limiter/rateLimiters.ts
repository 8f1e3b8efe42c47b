/**
 * The rate limiters of clients, as a service. By default there is one for each key of each origin in this process: two clients of one key share
 * its rate and its pauses. Different clocks have different rate limiters, so that tests with their own clock share nothing.
 */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as RateLimiter from "./RateLimiter.ts"
import type { RateLimits } from "./RateLimits.ts"

/**
 * Gives a client the rate limiter of its key when the client is made. The fingerprint identifies origin and key, and contains neither. `limits`
 * are those that the client asks for; `clock` is that of the program that makes the client.
 */
export type RateLimiterOf = (
  keyFingerprint: string,
  limits: RateLimits,
  clock: Clock.Clock,
) => RateLimiter.RateLimiter

const rateLimiters = new WeakMap<Clock.Clock, Map<string, WeakRef<RateLimiter.OwnRateLimiter>>>()

/** The rate limiter of this key; the limits that were requested last apply. */
export const inProcess: RateLimiterOf = (keyFingerprint, limits, clock) => {
  const ofClock = rateLimiters.get(clock) ?? new Map<string, WeakRef<RateLimiter.OwnRateLimiter>>()
  rateLimiters.set(clock, ofClock)
  const rateLimiter = ofClock.get(keyFingerprint)?.deref() ?? RateLimiter.makeWith(limits)
  rateLimiter.setLimits(limits)
  ofClock.set(keyFingerprint, new WeakRef(rateLimiter))
  return rateLimiter
}

/** The rate limiters of clients: an Effect reference whose default shares those of this process. */
export const RateLimiters = Context.Reference<RateLimiterOf>("@deedkit/core/RateLimiters", {
  defaultValue: () => inProcess,
})
