/**
 * Whether and when a policy retries a failed attempt: takes a failure and an attempt, returns a delay. Pure; the one place with the rules of a
 * policy, those for 429 included.
 *
 * The specification recommends three things: a time limit, network failures retried with jitter, and backing off on 429 before
 * retrying (Spec: Limits 3, Errors 1). It gives no figures (Spec: Limits 1), so all figures here are ours. `Retry-After` is not
 * mentioned there; when a server sends it, it is a minimum that is never shortened.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Reason } from "./ClientError.ts"
import { isTransient } from "./ClientError.ts"

/** When a failed attempt is retried. All times are in milliseconds. */
export interface RetryPolicy {
  /** Attempts of one call, the first one included. */
  readonly attempts: number
  /** Growing delay after network failures and 5xx: `baseMillis` x 2^n, at most `capMillis`, full jitter, at least `leastMillis`. */
  readonly baseMillis: number
  readonly capMillis: number
  readonly leastMillis: number
  /** Growing delay after a 429 without Retry-After: half fixed, half jitter. */
  readonly rateLimitBaseMillis: number
  readonly rateLimitCapMillis: number
  /** The longest single wait. A call that would have to wait longer fails at once; after a 429, `retryAt` has the time. */
  readonly longestWaitMillis: number
}

/** For people and programs that wait for an answer. The default. */
export const interactive: RetryPolicy = {
  attempts: 4,
  baseMillis: 500,
  capMillis: 8_000,
  leastMillis: 100,
  rateLimitBaseMillis: 2_000,
  rateLimitCapMillis: 60_000,
  longestWaitMillis: 60_000,
}

/** For long reads, which should wait rather than fail. The preset `"patient"`; nothing uses it unless it is asked for. */
export const patient: RetryPolicy = {
  ...interactive,
  attempts: 6,
  capMillis: 30_000,
  longestWaitMillis: 15 * 60_000,
}

export type Preset = "interactive" | "patient"

/** A failed attempt: what a policy decides on, and the input of a schedule. */
export interface Failure {
  readonly reason: Reason
  /** The attempt that failed, from 1. */
  readonly attempt: number
  /** The raw `Retry-After` header, null when there was none. */
  readonly retryAfter: string | null
  /** The raw `Date` header of the same answer: what the service's clock showed. Null when there was none. */
  readonly serviceDate: string | null
  /** Now, in epoch milliseconds. */
  readonly now: number
  /** A random number in [0, 1). */
  readonly random: number
}

/** Whether to retry, after which delay and why. */
export type Decision =
  | {
      readonly _tag: "Retry"
      readonly delayMillis: number
      readonly why: "retry" | "rate-limited"
      readonly source: "retry-after" | "backoff"
    }
  | {
      readonly _tag: "GiveUp"
      readonly why: "not-retryable" | "attempts" | "too-long"
      /** The wait that would have been needed, if it is known. */
      readonly delayMillis: number | null
      readonly source: "retry-after" | "backoff"
    }

/** Ten years. A longer `Retry-After` is cut to it, so that the date stays valid. @internal */
export const longestNamedMillis = 10 * 365 * 86_400_000

/** An HTTP date as epoch milliseconds; null if the text is none. */
const httpDate = (text: string): number | null => {
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null
  // The old form without a comma names no zone (RFC 9110, section 5.6.7).
  const date = Date.parse(text.includes(",") ? text : `${text} GMT`)
  return Number.isNaN(date) ? null : date
}

/**
 * Milliseconds that a `Retry-After` header asks for: seconds, also with a fraction, or an HTTP date. A date is relative to the `Date` header of the
 * same answer, because the two come from one clock; to `now` if there is none. 0 for a date in the past; null when there is no header or it cannot
 * be read.
 * @internal
 */
export const retryAfterMillis = ({
  now,
  retryAfter,
  serviceDate,
}: Pick<Failure, "retryAfter" | "serviceDate" | "now">): number | null => {
  if (retryAfter === null) return null
  const text = retryAfter.trim()
  if (/^(?:\d+\.?\d*|\.\d+)$/.test(text)) return Math.min(Math.ceil(Number(text) * 1_000), longestNamedMillis)
  const date = httpDate(text)
  if (date === null) return null
  const from = serviceDate === null ? null : httpDate(serviceDate.trim())
  return Math.min(Math.max(0, date - (from ?? now)), longestNamedMillis)
}

const growing = (base: number, cap: number, attempt: number): number =>
  Math.min(cap, base * 2 ** (attempt - 1))

export const decide = (policy: RetryPolicy, failure: Failure): Decision => {
  const { attempt, random, reason } = failure
  const limited = reason._tag === "RateLimited"
  if (!limited && !isTransient(reason))
    return { _tag: "GiveUp", why: "not-retryable", delayMillis: null, source: "backoff" }
  const full = limited
    ? growing(policy.rateLimitBaseMillis, policy.rateLimitCapMillis, attempt)
    : growing(policy.baseMillis, policy.capMillis, attempt)
  const backoff = Math.max(policy.leastMillis, limited ? full / 2 + (full / 2) * random : full * random)
  const asked = retryAfterMillis(failure)
  const named = asked !== null && asked > 0
  const source = named ? "retry-after" : "backoff"
  const delayMillis = Math.ceil(named ? asked + policy.baseMillis * random : backoff)
  if (attempt >= policy.attempts) return { _tag: "GiveUp", why: "attempts", delayMillis, source }
  if ((named ? asked : delayMillis) > policy.longestWaitMillis) {
    return { _tag: "GiveUp", why: "too-long", delayMillis, source }
  }
  return { _tag: "Retry", delayMillis, why: limited ? "rate-limited" : "retry", source }
}

/**
 * The policy as a schedule: it waits for the delay of each decision, and ends where the policy gives up. To be combined with other schedules as
 * the option `retry`. Its output is the delay in milliseconds.
 *
 * ```ts
 * import { RetryPolicy } from "@deedkit/core"
 * import * as Schedule from "effect/Schedule"
 *
 * // The retries of long reads, for at most an hour.
 * const retry = RetryPolicy.toSchedule(RetryPolicy.patient).pipe(Schedule.upTo({ duration: "1 hour" }))
 * ```
 */
export const toSchedule = (policy: RetryPolicy): Schedule.Schedule<number, Failure> =>
  Schedule.fromStep(
    Effect.succeed((_now: number, failure: Failure) => {
      const { _tag, delayMillis } = decide(policy, failure)
      return _tag === "Retry"
        ? Effect.succeed<[number, Duration.Duration]>([delayMillis, Duration.millis(delayMillis)])
        : Cause.done(delayMillis ?? 0)
    }),
  )
