/**
 * Base URL, key, time limits and policies: every default is stated here, once.
 *
 * The specification has no default base URL, and neither has this client. The key is bound to the base URL's origin: it is sent
 * nowhere else, and redirects are never followed. Only the attempt loop reads the `Redacted` key.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { ClientError } from "../error/ClientError.ts"
import { configInvalid } from "../error/ClientError.ts"
import { assumedParameter } from "../pagination/Cursor.ts"
import * as RetryPolicy from "./RetryPolicy.ts"

/**
 * Time limits, as Effect durations (`"30 seconds"`, or milliseconds as a number); `Infinity` is no limit. `ClientOptions.timeLimits` states
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

/** The options of a client. Only `baseUrl` and `apiKey` are required. */
export interface ClientOptions {
  /** Where the API is, up to but without `/v1/`. https, or http on a loopback address. A path prefix is allowed. */
  readonly baseUrl: string | URL
  /** The API key. Sent as `Authorization: Bearer` to the base URL's origin and nowhere else (Spec: Authentication 1). */
  readonly apiKey: string | Redacted.Redacted
  /**
   * Query parameter that takes the cursor. Default `before_id`, an assumption (Spec: Endpoints 5) that each read verifies. `auto` starts
   * with it too, and probes for the right name with a few small requests once it has visibly failed.
   */
  readonly cursorParam?: "auto" | (string & {}) | undefined
  /** States that the cursor's parameter is known to work, so that no second page is verified. Default false. */
  readonly cursorVerified?: boolean | undefined
  /** `interactive` (default): 4 attempts, no wait over a minute, 2 minutes a call. `export`: 6 attempts, waits up to 15 minutes, no deadline. */
  readonly policy?: "interactive" | "export" | Partial<RetryPolicy.RetryPolicy> | undefined
  /** Default: connect 10 s, attempt 30 s, idle 15 s, deadline 2 min (none with the policy `export`). */
  readonly timeLimits?: Partial<TimeLimits> | undefined
  /** Most requests a second for this key. Default 20; 0 for no limit. A 429 still pauses every call of the key. */
  readonly rate?: number | undefined
  /** Largest body that is read, in bytes. Default 32 MiB. */
  readonly maxBodyBytes?: number | undefined
}

/** Checked settings, in the units that the client works with: milliseconds, bytes, requests a second. */
export interface ClientConfig {
  readonly origin: string
  /** Origin and path prefix, without a trailing slash; a request's path is appended. */
  readonly base: string
  readonly apiKey: Redacted.Redacted
  readonly cursorParam: string
  /** Whether the client probes for another name when this one has visibly failed. */
  readonly probesCursor: boolean
  readonly cursorVerified: boolean
  readonly retry: RetryPolicy.RetryPolicy
  readonly connectMillis: number
  readonly attemptMillis: number
  readonly idleMillis: number
  /** `Infinity` for none. */
  readonly deadlineMillis: number
  readonly rate: number
  readonly maxBodyBytes: number
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const readBaseUrl = (input: string | URL): URL | string => {
  const text = String(input).trim()
  if (text === "") return "is empty; it is the address of the API, like https://api.example.com"
  if (!URL.canParse(text)) return "is not a URL; it should look like https://api.example.com"
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return `starts with ${url.protocol}//; only https:// can be used`
  }
  if (url.username !== "" || url.password !== "") {
    return "holds a user name or password; the API key is all that is needed, and it is given separately"
  }
  if (url.search !== "" || url.hash !== "") return "has a query or a fragment; it should end before /v1/"
  if (url.protocol === "http:" && !loopback.test(url.hostname)) {
    return `is plain http to ${url.hostname}, which would show the API key on the network; use https://`
  }
  return url
}

const withoutVersion = (path: string): string => path.replace(/\/+$/, "").replace(/\/v1$/, "")

const readKey = (input: string | Redacted.Redacted): Redacted.Redacted | string => {
  const text = typeof input === "string" ? input : Redacted.value(input)
  if (text === "") return "is empty; make a key in the service's dashboard (Settings, Integrations)"
  if (text !== text.trim()) return "begins or ends with white space; copy it again without the line break"
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return "holds a line break, a space or a character that cannot stand in a header; copy it again"
  }
  return typeof input === "string" ? Redacted.make(input, { label: "API key" }) : input
}

const millis = (input: Duration.Input | null | undefined, fallback: number): number =>
  input === undefined ? fallback : input === null ? Infinity : readDuration(input)

/** NaN for an invalid duration; every check below refuses it. */
const readDuration = (input: Duration.Input): number => {
  const duration = Duration.fromInput(input)
  return Option.isNone(duration) ? Number.NaN : Duration.toMillis(duration.value)
}

const checkNumbers = (config: ClientConfig): ClientError | null => {
  const times = { connect: config.connectMillis, attempt: config.attemptMillis, idle: config.idleMillis }
  for (const [name, value] of Object.entries(times)) {
    if (!(value > 0)) return configInvalid(`timeLimits.${name}`, "must be more than 0")
  }
  if (!(config.deadlineMillis > 0))
    return configInvalid("timeLimits.deadline", "must be more than 0, or null")
  if (!(config.rate >= 0))
    return configInvalid("rate", "must be a number of requests a second, or 0 for no limit")
  if (!(config.maxBodyBytes > 0)) return configInvalid("maxBodyBytes", "must be a positive number of bytes")
  for (const [name, value] of Object.entries(config.retry)) {
    if (!(value >= 0)) return configInvalid(`policy.${name}`, "must be a number from 0")
  }
  if (!Number.isInteger(config.retry.attempts) || config.retry.attempts < 1) {
    return configInvalid("policy.attempts", "must be a whole number from 1")
  }
  return null
}

/** What is wrong with a name for the cursor's parameter; null for nothing. */
export const cursorParamProblem = (name: string): ClientError | null =>
  !/^[\w.[\]-]+$/.test(name) || ["id", "limit", "include_data"].includes(name)
    ? configInvalid("cursor parameter", "must be a parameter's name, and not id, limit or include_data")
    : null

/** Checks the options. Fails with `ConfigInvalid`, before any request, and never shows the key. */
export const make = (options: ClientOptions): Effect.Effect<ClientConfig, ClientError> =>
  Effect.suspend(() => {
    const url = readBaseUrl(options.baseUrl ?? "")
    if (typeof url === "string") return Effect.fail(configInvalid("base URL", url))
    const apiKey = readKey(options.apiKey ?? "")
    if (typeof apiKey === "string") return Effect.fail(configInvalid("API key", apiKey))
    const probesCursor = options.cursorParam === "auto"
    const cursorParam = probesCursor ? assumedParameter : (options.cursorParam ?? assumedParameter)
    const problemOfParam = cursorParamProblem(cursorParam)
    if (problemOfParam !== null) return Effect.fail(problemOfParam)
    const preset = options.policy === "export" ? RetryPolicy.patient : RetryPolicy.interactive
    const limits = options.timeLimits ?? {}
    const config: ClientConfig = {
      origin: url.origin,
      base: url.origin + withoutVersion(url.pathname),
      apiKey,
      cursorParam,
      probesCursor,
      cursorVerified: options.cursorVerified ?? false,
      retry: typeof options.policy === "object" ? { ...preset, ...options.policy } : preset,
      connectMillis: millis(limits.connect, 10_000),
      attemptMillis: millis(limits.attempt, 30_000),
      idleMillis: millis(limits.idle, 15_000),
      deadlineMillis: millis(limits.deadline, options.policy === "export" ? Infinity : 120_000),
      rate: options.rate ?? 20,
      maxBodyBytes: options.maxBodyBytes ?? 32 * 1_048_576,
    }
    const problem = checkNumbers(config)
    return problem === null ? Effect.succeed(config) : Effect.fail(problem)
  })
