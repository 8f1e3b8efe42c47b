/**
 * What a call obeys: its time limits, its retries and its priority. The options of the client apply to all calls; those of a call are
 * merged over them. Every default is stated here, once.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { Schedule } from "effect/Schedule"
import { ClientError, configInvalid } from "../error/ClientError.ts"
import { unknownOption } from "./optionNames.ts"
import type { Priority } from "./RateLimiter.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import { isSchedule } from "./ScheduledRetry.ts"

/**
 * Time limits, as Effect durations (`"30 seconds"`, or milliseconds as a number); `Infinity` is no limit. `CallOptions.timeLimits` states
 * the defaults.
 */
export interface TimeLimits {
  /** From the start of an attempt to an open connection. `fetch` cannot apply it; the transport of `@deedkit/core/node` does. */
  readonly connect: Duration.Input
  /** One attempt, to the last byte of its body. */
  readonly attempt: Duration.Input
  /** The longest silence while a body arrives. */
  readonly idle: Duration.Input
  /**
   * A whole call with its retries and waits; null for none. In a list it applies to each page. Callers that get the same record at the same
   * time share a request, and each has its own deadline.
   */
  readonly deadline: Duration.Input | null
}

/**
 * When failed attempts are retried.
 *
 * - `"interactive"`: 4 attempts, no wait over a minute, 2 minutes a call.
 * - `"patient"`: 6 attempts, waits up to 15 minutes, no deadline.
 * - Parts of a `RetryPolicy`, which change that of the client, or `"interactive"`.
 * - A `Schedule` of Effect, whose input is the `Failure` of each attempt. Each call steps through it anew, once for each failure that can
 *   go away: `Unauthenticated`, `NotFound` and the like are never retried. `Retry-After` is a minimum for its delays, and the deadline
 *   applies. How long it takes is counted from the first failure, not from the beginning of the call.
 *
 * ```ts
 * import type { RetryPolicy } from "@deedkit/core"
 * import * as Schedule from "effect/Schedule"
 *
 * // Doubled delays from 250 ms on, of at most 20 s, 20 % shorter or longer, 5 retries in at most 2 minutes.
 * const patient = Schedule.min([Schedule.exponential("250 millis"), Schedule.spaced("20 seconds")]).pipe(
 *   Schedule.jittered,
 *   Schedule.upTo({ times: 5, duration: "2 minutes" }),
 * )
 * // The same, for rate limits alone.
 * const limited = Schedule.identity<RetryPolicy.Failure>().pipe(
 *   Schedule.while(({ input }) => input.reason._tag === "RateLimited"),
 * )
 * const retry = Schedule.max([patient, limited])
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
   * Which calls go first where several wait for the rate limiter of the key. Default: `"background"` for the pages of a list,
   * `"interactive"` for all others.
   */
  readonly priority?: Priority | undefined
}

/** Checked settings of a call. Times are in milliseconds. */
export interface CallConfig {
  readonly retry: RetryPolicy.RetryPolicy
  /** Decides instead of `retry`; null where there is none. */
  readonly schedule: Schedule<unknown, RetryPolicy.Failure> | null
  readonly connectMillis: number
  readonly attemptMillis: number
  readonly idleMillis: number
  /** `Infinity` for none. */
  readonly deadlineMillis: number
  /** Whether an option has set the deadline, so that no preset does. */
  readonly hasOwnDeadline: boolean
  /** Null for that of the operation. */
  readonly priority: Priority | null
}

/** The settings without any option. */
export const defaults: CallConfig = {
  retry: RetryPolicy.interactive,
  schedule: null,
  connectMillis: 10_000,
  attemptMillis: 30_000,
  idleMillis: 15_000,
  deadlineMillis: 120_000,
  hasOwnDeadline: false,
  priority: null,
}

/** These options over settings that hold already; `ConfigInvalid` where one cannot work. */
export const over = <Config extends CallConfig>(config: Config, options: CallOptions): Config | ClientError => {
  const { priority = config.priority, timeLimits = {} } = options
  const retried = retryOver(config, options.retry)
  const problem = retried instanceof ClientError ? retried : unknownOption("timeLimits", timeLimits)
  if (problem !== null) return problem
  const { attempt, connect, deadline, idle } = timeLimits
  const settings = {
    ...config,
    ...retried,
    priority,
    connectMillis: millis(connect, config.connectMillis),
    attemptMillis: millis(attempt, config.attemptMillis),
    idleMillis: millis(idle, config.idleMillis),
    deadlineMillis:
      deadline === null ? Infinity : millis(deadline, deadlineBeside(config, options.retry)),
    hasOwnDeadline: config.hasOwnDeadline || deadline !== undefined,
  }
  return problemOf(settings) ?? settings
}

/** The deadline where these options name none. */
const deadlineBeside = ({ deadlineMillis, hasOwnDeadline }: CallConfig, retry: Retry | undefined): number =>
  hasOwnDeadline || typeof retry !== "string"
    ? deadlineMillis
    : retry === "patient"
      ? Infinity
      : defaults.deadlineMillis

const retryOver = (
  { retry, schedule }: CallConfig,
  given: Retry | undefined,
): Pick<CallConfig, "retry" | "schedule"> | ClientError => {
  if (given === undefined) return { retry, schedule }
  if (given === "interactive" || given === "patient") return { retry: RetryPolicy[given], schedule: null }
  if (typeof given === "string")
    return configInvalid("retry", 'must be "interactive", "patient", parts of a policy, or a schedule')
  if (isSchedule(given)) return { retry: unlimited, schedule: given }
  const problem = unknownOption("retry", given)
  if (problem !== null) return problem
  const parts = Object.entries(given).filter(([, value]) => value !== undefined)
  const whole = schedule === null ? retry : defaults.retry
  return { retry: { ...whole, ...Object.fromEntries(parts) }, schedule: null }
}

/** What bounds the waits of a call is its schedule. */
const unlimited: RetryPolicy.RetryPolicy = {
  ...RetryPolicy.interactive,
  attempts: Infinity,
  longestWaitMillis: Infinity,
}

/** NaN for an invalid duration; every check below refuses it. */
const millis = (input: Duration.Input | undefined, fallback: number): number => {
  if (input === undefined) return fallback
  const duration = Duration.fromInput(input)
  return Option.isNone(duration) ? Number.NaN : Duration.toMillis(duration.value)
}

const problemOf = (config: CallConfig): ClientError | null => {
  const { attemptMillis: attempt, connectMillis: connect, idleMillis: idle, priority, retry, schedule } = config
  for (const [name, value] of Object.entries({ connect, attempt, idle })) {
    if (!(value > 0)) return configInvalid(`timeLimits.${name}`, "must be more than 0")
  }
  if (!(config.deadlineMillis > 0))
    return configInvalid("timeLimits.deadline", "must be more than 0, or null")
  for (const [name, value] of Object.entries(retry)) {
    if (!(value >= 0)) return configInvalid(`retry.${name}`, "must be a number from 0")
  }
  if (schedule === null && (!Number.isInteger(retry.attempts) || retry.attempts < 1)) {
    return configInvalid("retry.attempts", "must be a whole number from 1")
  }
  return priority === null || priority === "interactive" || priority === "background"
    ? null
    : configInvalid("priority", 'must be "interactive" or "background"')
}
