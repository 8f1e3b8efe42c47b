/**
 * The options of a client and their defaults; `CallConfig` has those that calls can set for themselves.
 *
 * The specification has no default base URL, and neither has this client. The key is bound to the base URL's origin: it is sent
 * nowhere else, and redirects are never followed. Only the attempt loop reads the `Redacted` key.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ClientError, configInvalid } from "../error/ClientError.ts"
import { assumedParameter } from "../pagination/Cursor.ts"
import * as CallConfig from "./CallConfig.ts"
import type { CallOptions } from "./CallConfig.ts"
import { unknownOption } from "./optionNames.ts"

/** The options of a client. Only `baseUrl` and `apiKey` are required. */
export interface ClientOptions extends Omit<CallOptions, "priority"> {
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
  /** Most requests a second for this key. Default 20; 0 for no limit. A 429 still pauses every call of the key. */
  readonly rate?: number | undefined
  /** Largest body that is read, in bytes. Default 32 MiB. */
  readonly maxBodyBytes?: number | undefined
  /**
   * The `User-Agent` header, as it is given: names and versions of programs, like `nightly-sync/2.1 (ops@example.com)`. Default: none is set,
   * and the platform sends its own or none. Chromium ignores it in `fetch`. Firefox sends it, and asks another origin for permission first (CORS).
   */
  readonly userAgent?: string | undefined
}

/** Checked settings, in the units that the client works with: milliseconds, bytes, requests a second. */
export interface ClientConfig extends CallConfig.CallConfig {
  readonly origin: string
  /** Origin and path prefix, without a trailing slash; a request's path is appended. */
  readonly base: string
  readonly apiKey: Redacted.Redacted
  readonly cursorParam: string
  /** Whether the client probes for another name when this one has visibly failed. */
  readonly probesCursor: boolean
  readonly cursorVerified: boolean
  readonly rate: number
  readonly maxBodyBytes: number
  /** Null for none. */
  readonly userAgent: string | null
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

const problemOf = ({ maxBodyBytes, rate, userAgent }: ClientConfig): ClientError | null => {
  if (!(rate >= 0)) return configInvalid("rate", "must be a number of requests a second, or 0 for no limit")
  if (!(maxBodyBytes > 0)) return configInvalid("maxBodyBytes", "must be a positive number of bytes")
  return userAgent === null || /^[!-~]+( [!-~]+)*$/.test(userAgent)
    ? null
    : configInvalid("userAgent", "must be words of printable ASCII with one space between them")
}

/** What is wrong with a name for the cursor's parameter; null for nothing. */
export const cursorParamProblem = (name: string): ClientError | null =>
  !/^[\w.[\]-]+$/.test(name) || ["id", "limit", "include_data"].includes(name)
    ? configInvalid("cursor parameter", "must be a parameter's name, and not id, limit or include_data")
    : null

/**
 * Checks the options. Fails with `ConfigInvalid`, before any request, and never shows the key. `more` names options of the entry that are
 * not read here.
 */
export const make = (
  options: ClientOptions,
  more?: ReadonlyArray<string>,
): Effect.Effect<ClientConfig, ClientError> =>
  Effect.suspend(() => {
    const unknown = unknownOption("client", options, more)
    if (unknown !== null) return Effect.fail(unknown)
    const url = readBaseUrl(options.baseUrl ?? "")
    if (typeof url === "string") return Effect.fail(configInvalid("base URL", url))
    const apiKey = readKey(options.apiKey ?? "")
    if (typeof apiKey === "string") return Effect.fail(configInvalid("API key", apiKey))
    const probesCursor = options.cursorParam === "auto"
    const cursorParam = probesCursor ? assumedParameter : (options.cursorParam ?? assumedParameter)
    const problemOfParam = cursorParamProblem(cursorParam)
    if (problemOfParam !== null) return Effect.fail(problemOfParam)
    const { retry, timeLimits } = options
    const calls = CallConfig.over(CallConfig.defaults, { retry, timeLimits })
    if (calls instanceof ClientError) return Effect.fail(calls)
    const config: ClientConfig = {
      ...calls,
      origin: url.origin,
      base: url.origin + withoutVersion(url.pathname),
      apiKey,
      cursorParam,
      probesCursor,
      cursorVerified: options.cursorVerified ?? false,
      rate: options.rate ?? 20,
      maxBodyBytes: options.maxBodyBytes ?? 32 * 1_048_576,
      userAgent: options.userAgent ?? null,
    }
    const problem = problemOf(config)
    return problem === null ? Effect.succeed(config) : Effect.fail(problem)
  })
