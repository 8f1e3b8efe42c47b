/**
 * The options of a client and of its calls, and the search for those that cannot work, before anything is sent: unknown names, because an ignored
 * option would silently change a result, and values out of range. Defaults, address, key and cursor parameter are in `ClientConfig`. All times are
 * Effect durations: a text like `"30 seconds"`, or milliseconds as a number.
 */
import type * as Redacted from "effect/Redacted"
import type { Priority, RateLimits } from "./RateLimiter.ts"
import type * as RetryPolicy from "./RetryPolicy.ts"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { ClientError } from "./ClientError.ts"
import { configInvalid } from "./ClientError.ts"
import { isId } from "./internal/serviceRequest.ts"
import { limitsOf } from "./RateLimiter.ts"

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
  | Schedule.Schedule<unknown, RetryPolicy.Failure>

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

const call = ["timeLimits", "retry", "priority"] as const
const list = [
  "limit",
  "onRejected",
  "from",
  "known",
  "record",
  "cursorParam",
  "readAhead",
  "maxPages",
  "prove",
  ...call,
] as const

/** The names of the options of the client and of each operation, and of the members of options that are objects. */
export const names = {
  client: ["baseUrl", "apiKey", "cursorParam", "retry", "timeLimits", "rate", "maxBodyBytes"],
  timeLimits: ["connect", "attempt", "idle", "deadline"],
  retry: [
    "attempts",
    "baseMillis",
    "capMillis",
    "leastMillis",
    "rateLimitBaseMillis",
    "rateLimitCapMillis",
    "longestWaitMillis",
  ],
  call,
  list,
  collect: [...list, "max"],
  get: ["includeData", ...call],
  getMany: ["includeData", "concurrency", ...call],
  request: ["query", "schema", ...call],
} as const

/** An operation, as far as its options are concerned. */
export type Operation = Exclude<keyof typeof names, "client" | "timeLimits" | "retry">

type Rule = readonly [holds: (value: unknown) => boolean, problem: string]

const whole: Rule = [isId, "must be a whole number from 1"]
const flag: Rule = [(value) => value === true || value === false, "must be true or false"]

const iterable: Rule = [
  (value) => typeof (value as Iterable<unknown> | null)?.[Symbol.iterator] === "function",
  "must be a list of ids",
]

const oneOf = (first: unknown, second: unknown): Rule => [
  (value) => value === first || value === second,
  `must be ${JSON.stringify(first)} or ${JSON.stringify(second)}`,
]

/** Options whose values need only one rule. An option can also be `undefined`. */
const rules: { readonly [name: string]: Rule } = {
  limit: whole,
  maxPages: whole,
  known: iterable,
  concurrency: whole,
  readAhead: oneOf(0, 1),
  onRejected: oneOf("fail", "collect"),
  priority: oneOf("interactive", "background"),
  record: flag,
  prove: flag,
  includeData: flag,
}

/**
 * `ConfigInvalid` for the first option whose name is neither known nor in `more`, or whose value breaks its rule; null if there is none.
 */
export const problemOfOptions = (
  of: keyof typeof names,
  given: object | undefined,
  more: ReadonlyArray<string> = [],
): ClientError | null => {
  if (given === undefined) return null
  const prefix = of === "timeLimits" || of === "retry" ? `${of}.` : ""
  if (typeof given !== "object" || given === null)
    return configInvalid(prefix === "" ? "options" : of, "must be an object")
  const known: ReadonlyArray<string> = [...names[of], ...more]
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      return configInvalid(
        isWord.test(name) ? `option "${prefix}${name}"` : "option",
        `is unknown; the options are ${known.join(", ")}`,
      )
    }
    const rule = rules[name]
    if (rule !== undefined && value !== undefined && !rule[0](value)) return configInvalid(name, rule[1])
  }
  return null
}

/** The error in the options of a client; null for none. `more` names options that the entry reads itself. */
export const problemOfClient = (options: ClientOptions, more?: ReadonlyArray<string>): ClientError | null => {
  const problem = problemOfOptions("client", options, more) ?? problemOfCall(options)
  if (problem !== null) return problem
  const { maxBodyBytes = 1, rate = 0 } = options
  const { burst, ceiling, start } = limitsOf(rate ?? -1)
  if (![start, burst, ceiling].every(isFrom0) || start * ceiling === 0 || burst < 1)
    return configInvalid("rate", "must be a number of requests a second, or 0 for no limit")
  return isFrom0(maxBodyBytes) && maxBodyBytes !== 0
    ? null
    : configInvalid("maxBodyBytes", "must be a positive number of bytes")
}

/** The error in time limits and retries; null for none. */
export const problemOfCall = ({ retry, timeLimits }: CallOptions): ClientError | null => {
  const problem = problemOfOptions("timeLimits", timeLimits) ?? problemOfRetry(retry)
  if (problem !== null) return problem
  for (const [name, limit] of Object.entries(timeLimits ?? {})) {
    if (limit === undefined || isPositive(limit) || (limit === null && name === "deadline")) continue
    const orNone = name === "deadline" ? ", or null" : ""
    return configInvalid(`timeLimits.${name}`, `must be a duration of more than 0${orNone}`)
  }
  return null
}

const problemOfRetry = (retry: CallOptions["retry"]): ClientError | null => {
  if (retry === "interactive" || retry === "patient" || Schedule.isSchedule(retry)) return null
  if (typeof retry === "string")
    return configInvalid("retry", 'must be "interactive", "patient", parts of a policy, or a schedule')
  const problem = problemOfOptions("retry", retry)
  if (problem !== null) return problem
  for (const [name, value] of Object.entries(retry ?? {})) {
    if (value !== undefined && !isFrom0(value))
      return configInvalid(`retry.${name}`, "must be a number from 0")
  }
  const { attempts = 1 } = retry ?? {}
  return isId(attempts) ? null : configInvalid("retry.attempts", whole[1])
}

/** Options also come from programs without types: a text would be appended where a number should be added. */
const isFrom0 = (value: unknown): boolean => typeof value === "number" && value >= 0

const isPositive = (limit: Duration.Input | null): boolean => {
  if (limit === null) return false
  const duration = Duration.fromInput(limit)
  return Option.isSome(duration) && Duration.toMillis(duration.value) > 0
}

/** Other names are not repeated in messages: a key that was passed in place of a name has digits, or is longer. */
const isWord = /^[A-Za-z_]{1,24}$/
