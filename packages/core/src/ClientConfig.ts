/**
 * The settings of a client and of its calls. States every default once, and merges the options of a call over those of the client.
 *
 * The specification has no default base URL, and neither has this client. The key is bound to the base URL's origin: it is sent
 * nowhere else, and redirects are never followed. Only the attempt loop reads the `Redacted` key.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { ClientError, configInvalid } from "./ClientError.ts"
import { assumedParameter } from "./internal/cursor.ts"
import type { CallOptions, ClientOptions, Retry } from "./ClientOptions.ts"
import { problemOfClient } from "./ClientOptions.ts"
import type { Priority, RateLimits } from "./RateLimiter.ts"
import { limitsOf } from "./RateLimiter.ts"
import * as RetryPolicy from "./RetryPolicy.ts"

export type { CallOptions, ClientOptions, Retry, TimeLimits } from "./ClientOptions.ts"

/** Checked settings of a call. Times are in milliseconds. */
export interface CallConfig {
  /** The policy; one without limits beside a schedule of the user's own. */
  readonly retry: RetryPolicy.RetryPolicy
  /** Decides after each failure that can go away: that of the policy, or the user's own. */
  readonly schedule: Schedule.Schedule<unknown, RetryPolicy.Failure>
  readonly connectMillis: number
  readonly attemptMillis: number
  readonly idleMillis: number
  /** `Infinity` for no deadline. */
  readonly deadlineMillis: number
  /** Whether an option has set the deadline, so that no preset does. */
  readonly hasOwnDeadline: boolean
  /** Null for the priority of the operation. */
  readonly priority: Priority | null
}

/** Checked settings, in the units that the client works with: milliseconds, bytes, requests per second. */
export interface ClientConfig extends CallConfig {
  readonly origin: string
  /** Origin and path prefix, without a trailing slash; a request's path is appended. */
  readonly base: string
  readonly apiKey: Redacted.Redacted
  readonly cursorParam: string
  /** Whether the client probes for another name when this one has visibly failed. */
  readonly probesCursor: boolean
  readonly rate: RateLimits
  readonly maxBodyBytes: number
}

/** The settings of calls without any option. */
const defaults: CallConfig = {
  retry: RetryPolicy.interactive,
  schedule: RetryPolicy.toSchedule(RetryPolicy.interactive),
  connectMillis: 10_000,
  attemptMillis: 30_000,
  idleMillis: 15_000,
  deadlineMillis: 120_000,
  hasOwnDeadline: false,
  priority: null,
}

/** The deadlines of the presets in milliseconds, for calls without a deadline of their own. */
const presets = {
  interactive: { retry: RetryPolicy.interactive, deadlineMillis: defaults.deadlineMillis },
  patient: { retry: RetryPolicy.patient, deadlineMillis: Infinity },
}

/** A schedule of the user's own limits the attempts and the time between them. */
const unlimited: RetryPolicy.RetryPolicy = {
  ...RetryPolicy.interactive,
  attempts: Infinity,
  longestWaitMillis: Infinity,
}

/** The policy that these parts make: over that of the client, or over the usual one where the client has a schedule of its own. */
const policyOf = (base: RetryPolicy.RetryPolicy, parts: Partial<RetryPolicy.RetryPolicy>) => {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined)
  const policy = { ...(base === unlimited ? RetryPolicy.interactive : base), ...Object.fromEntries(given) }
  return { retry: policy, schedule: RetryPolicy.toSchedule(policy) }
}

/** The retries of a call, and the deadline of a preset. */
const retryOf = (config: CallConfig, retry: Retry | undefined): Partial<CallConfig> => {
  if (retry === undefined) return {}
  if (Schedule.isSchedule(retry)) return { retry: unlimited, schedule: retry }
  if (typeof retry !== "string") return policyOf(config.retry, retry)
  const { deadlineMillis, retry: policy } = presets[retry]
  const preset = { retry: policy, schedule: RetryPolicy.toSchedule(policy) }
  return config.hasOwnDeadline ? preset : { ...preset, deadlineMillis }
}

/** Merges checked options of a call over existing settings. @internal */
export const over = <Config extends CallConfig>(config: Config, options: CallOptions): Config => {
  const { attempt, connect, deadline, idle } = options.timeLimits ?? {}
  const hasOwnDeadline = config.hasOwnDeadline || deadline !== undefined
  const merged = { ...config, ...retryOf({ ...config, hasOwnDeadline }, options.retry), hasOwnDeadline }
  return {
    ...merged,
    priority: options.priority ?? config.priority,
    connectMillis: millis(connect, config.connectMillis),
    attemptMillis: millis(attempt, config.attemptMillis),
    idleMillis: millis(idle, config.idleMillis),
    deadlineMillis: deadline === null ? Infinity : millis(deadline, merged.deadlineMillis),
  }
}

const millis = (input: Duration.Input | undefined, fallback: number): number =>
  input === undefined ? fallback : Duration.toMillis(input)

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a text is in quotes: a shell removes them, `docker --env-file` and most readers of small files do not, and word processors curl them. */
const isQuoted = (text: string): boolean => /^(?:(["'`]).*\1|[“„«‘‚].*[”“»’‘])$/s.test(text)

const readBaseUrl = (input: string | URL): URL | string => {
  const text = String(input).trim()
  if (text === "") return "is empty; it is the address of the API, like https://api.example.com"
  if (isQuoted(text)) return "is in quotes; remove them, they are not part of the address"
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

/** A key with the name of its variable. An equals sign at the end can be part of a key. */
const assignment = /^(?:export\s+|set\s+|\$env:)?[a-z][\w-]*(?:key|token|secret)\s*=\s*[^=\s]|^[A-Z_]+_KEY=$/i

const placeholder = /^(?:<.*>|\{.*\}|\$\{.*\}|\$[A-Z][A-Z_]*)$/s

const readKey = (input: string | Redacted.Redacted): Redacted.Redacted | string => {
  const text = typeof input === "string" ? input : Redacted.value(input)
  if (text === "") return "is empty; make a key in the service's dashboard (Settings, Integrations)"
  if (text !== text.trim()) return "begins or ends with white space; copy it again without the line break"
  if (isQuoted(text)) return "is in quotes; remove them, they are not part of the key"
  if (assignment.test(text)) {
    return "begins with the name of a variable; give only what stands behind the ="
  }
  if (/\\[nr]$/.test(text)) return "ends with a line break that is written as \\n; leave it out"
  if (placeholder.test(text)) return "is a placeholder or JSON, not a key; give the key alone"
  if (/^(?:authorization:\s*)?bearer\s/i.test(text)) {
    return "begins with Bearer, which is no part of the key; give the key alone"
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return "holds a line break, a space or a character that cannot stand in a header; copy it again"
  }
  return typeof input === "string" ? Redacted.make(input, { label: "API key" }) : input
}

/** The error of a name that cannot be the cursor's parameter; null for a valid name. @internal */
export const cursorParamProblem = (name: string): ClientError | null =>
  !/^[\w.[\]-]+$/.test(name) || ["id", "limit", "include_data"].includes(name)
    ? configInvalid("cursor parameter", "must be a parameter's name, and not id, limit or include_data")
    : null

/** Checks the options. Fails with `ConfigInvalid`, before any request, and never shows the key. */
export const make = (options: ClientOptions): Effect.Effect<ClientConfig, ClientError> =>
  Effect.suspend(() => {
    const config = read(options)
    return config instanceof ClientError ? Effect.fail(config) : Effect.succeed(config)
  })

/** The same without an effect. `more` names options of the entry that are not read here. @internal */
export const read = (options: ClientOptions, more?: ReadonlyArray<string>): ClientConfig | ClientError => {
  const bad = problemOfClient(options, more)
  if (bad !== null) return bad
  const url = readBaseUrl(options.baseUrl ?? "")
  if (typeof url === "string") return configInvalid("base URL", url)
  const apiKey = readKey(options.apiKey ?? "")
  if (typeof apiKey === "string") return configInvalid("API key", apiKey)
  const probesCursor = options.cursorParam === "auto"
  const cursorParam = probesCursor ? assumedParameter : (options.cursorParam ?? assumedParameter)
  return (
    cursorParamProblem(cursorParam) ?? {
      ...over(defaults, options),
      origin: url.origin,
      base: url.origin + withoutVersion(url.pathname),
      apiKey,
      cursorParam,
      probesCursor,
      rate: limitsOf(options.rate),
      maxBodyBytes: options.maxBodyBytes ?? 32 * 1_048_576,
    }
  )
}
