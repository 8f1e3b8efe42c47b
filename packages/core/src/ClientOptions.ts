/**
 * The options of a client and of its calls, as types. Their defaults are in `ClientConfig`, their checks in `optionCheck`. All times are Effect
 * durations: a text like `"30 seconds"`, or milliseconds as a number.
 */
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { Schedule } from "effect/Schedule"
import type { Priority, RateLimits } from "./RateLimiter.ts"
import type * as RetryPolicy from "./RetryPolicy.ts"

/**
 * Time limits, as Effect durations (`"30 seconds"`, or milliseconds as a number); `Infinity` means no limit. `CallOptions.timeLimits` states the
 * defaults.
 */
export interface TimeLimits {
  /** From the start of an attempt to an open connection. `fetch` cannot apply it; the transport of `@deedkit/core/node` does. */
  readonly connect: Duration.Input
  /** One attempt, to the last byte of its body. */
  readonly attempt: Duration.Input
  /** The longest silence while a body arrives. */
  readonly idle: Duration.Input
  /**
   * A whole call with its retries and waits; null for no deadline. In a list it applies to each page. Callers that get the same record at the
   * same time share a request, and each has its own deadline.
   */
  readonly deadline: Duration.Input | null
}

/**
 * When failed attempts are retried.
 *
 * - `"interactive"`: 4 attempts, no wait over a minute, 2 minutes per call.
 * - `"patient"`: 6 attempts, waits up to 15 minutes, no deadline. For long reads.
 * - Parts of a `RetryPolicy`, which override those of the client's policy, or of `"interactive"` if the client has a schedule.
 * - A `Schedule` of Effect, whose input is the `Failure` of each attempt. Each call steps through it from its beginning, once for each
 *   failure that can go away; `Unauthenticated`, `NotFound` and the like are never retried. `Retry-After` is a minimum for its delays,
 *   and the deadline applies. Its `upTo({ duration })` counts from the first failure, not from the beginning of the call.
 *
 * ```ts
 * import type { RetryPolicy } from "@deedkit/core"
 * import * as Schedule from "effect/Schedule"
 *
 * // 250 ms, doubled each time up to 20 s, 20 % shorter or longer; 5 retries in at most 2 minutes.
 * const capped = Schedule.min([Schedule.exponential("250 millis"), Schedule.spaced("20 seconds")]).pipe(
 *   Schedule.jittered,
 *   Schedule.upTo({ times: 5, duration: "2 minutes" }),
 * )
 * // The same for rate limits, and nothing else.
 * const limited = capped.pipe(
 *   Schedule.setInputType<RetryPolicy.Failure>(),
 *   Schedule.while(({ input }) => input.reason._tag === "RateLimited"),
 * )
 * ```
 */
export type Retry =
  | RetryPolicy.Preset
  | Partial<RetryPolicy.RetryPolicy>
  | Schedule<unknown, RetryPolicy.Failure>

/** The options of every call, merged over those of the client. In a list they apply to each of its requests. */
export interface CallOptions {
  /** Default: connect 10 s, attempt 30 s, idle 15 s, deadline 2 min (none with the retries of `"patient"`). */
  readonly timeLimits?: Partial<TimeLimits> | undefined
  /** When failed attempts are retried: `"interactive"` (default), `"patient"`, parts of a `RetryPolicy`, or a `Schedule`. See `Retry`. */
  readonly retry?: Retry | undefined
  /**
   * Which calls go first when several wait for the rate limiter of the key. Default: `"background"` for the pages of a list, `"interactive"` for
   * all others.
   */
  readonly priority?: Priority | undefined
}

/** The options of a client. Only `baseUrl` and `apiKey` are required. */
export interface ClientOptions extends Omit<CallOptions, "priority"> {
  /** The address of the API, up to but not including `/v1/`: https, or http on a loopback address. A path prefix is allowed. */
  readonly baseUrl: string | URL
  /** The API key. Sent as `Authorization: Bearer` to the base URL's origin and nowhere else (Spec: Authentication 1). */
  readonly apiKey: string | Redacted.Redacted
  /**
   * Query parameter that takes the cursor. Default `before_id`, an assumption (Spec: Endpoints 5) that each read verifies. `auto` starts
   * with it too, and probes for the right name with a few small requests once it has visibly failed.
   */
  readonly cursorParam?: "auto" | (string & {}) | undefined
  /**
   * The most requests per second for this key: default 20, 0 for no limit; or all figures of its rate limiter, see `RateLimits`. A 429 still
   * pauses every call of the key.
   */
  readonly rate?: number | RateLimits | undefined
  /** Largest body that is read, in bytes. Default 32 MiB. */
  readonly maxBodyBytes?: number | undefined
}
