/**
 * The responses of a session without their records: status, time, and the headers that the specification leaves open
 * (Spec: Events, Limits 1). It wraps the transport, so that it observes and counts the client's own requests. It stores no body, no key, and
 * only known headers.
 */
import { requestIdHeaders } from "../internal/answer.ts"
import type { ClientError } from "../ClientError.ts"
import * as redaction from "../internal/redaction.ts"
import type { Send } from "../Transport.ts"
import { TransportFault } from "../Transport.ts"
import * as Json from "../Json.ts"

export interface ObservedAnswer {
  readonly status: number
  /** When the request was sent and when its answer had arrived, in epoch milliseconds of this machine. */
  readonly sentAt: number
  readonly receivedAt: number
  /** The known headers that are present, by lower-case name. */
  readonly headers: { readonly [name: string]: string }
  /** The shape of the body of an error; null for other answers. */
  readonly errorShape: string | null
}

/** Observes the requests of the transports that it wraps, and limits their number. */
export interface Observer {
  readonly wrap: (send: Send) => Send
  readonly answers: ReadonlyArray<ObservedAnswer>
  readonly requests: () => number
  readonly isUsedUp: () => boolean
}

/** Headers about a rate limit, as services name them (Spec: Limits 1 shows none). @internal */
export const rateLimitHeaders = [
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-rate-limit-limit",
  "x-rate-limit-remaining",
  "x-rate-limit-reset",
] as const

const lookedFor = ["date", "content-type", "retry-after", ...requestIdHeaders, ...rateLimitHeaders]

const usedUp = "REQUESTS_USED_UP"

/** Whether an error means that the limit of requests is reached and nothing was sent. */
export const isUsedUp = ({ reason }: ClientError): boolean =>
  reason._tag === "TransportFailed" && reason.code === usedUp

/** Observes up to `most` requests; further ones are not sent. `now`: epoch milliseconds, default `Date.now`. */
export const make = (most: number, now: () => number = Date.now): Observer => {
  const answers: Array<ObservedAnswer> = []
  let requests = 0
  return {
    answers,
    requests: () => requests,
    isUsedUp: () => requests >= most,
    wrap: (send) => async (request, cancellation) => {
      if (requests >= most) {
        throw new TransportFault("request", `the ${most} requests that were allowed are used up`, {
          code: usedUp,
        })
      }
      requests += 1
      const sentAt = now()
      const response = await send(request, cancellation)
      const receivedAt = now()
      // A server may echo the key anywhere.
      const authorization = request.headers["authorization"] ?? ""
      const redact = redaction.make(authorization.replace(/^Bearer /, ""))
      const isSecret = (text: string): boolean =>
        (text.length >= 6 && authorization.includes(text)) || redact(text) !== text
      const headers = lookedFor.flatMap((name): ReadonlyArray<readonly [string, string]> => {
        const value = response.header(name)
        if (value === null) return []
        return [[name, /^[\w ,;:=./+"-]{0,80}$/.test(value) && redact(value) === value ? value : "?"]]
      })
      answers.push({
        status: response.status,
        sentAt,
        receivedAt,
        headers: Object.fromEntries(headers),
        errorShape: response.status >= 400 ? shapeOfBody(response.text, isSecret) : null,
      })
      return response
    },
  }
}

const deepest = 2
const mostMembers = 8

/** A name that is safe to show; `isSecret` marks texts that are not. */
const nameOf = (name: string, isSecret: (text: string) => boolean): string =>
  /^[\w.-]{1,32}$/.test(name) && !isSecret(name) ? name : "?"

const shapeOf = (value: unknown, isSecret: (text: string) => boolean, depth: number): string => {
  if (Array.isArray(value)) {
    return value.length === 0
      ? "[]"
      : depth >= deepest
        ? "[...]"
        : `[${shapeOf(value[0], isSecret, depth + 1)}]`
  }
  if (!Json.isObject(value)) return value === null ? "null" : typeof value
  if (depth >= deepest) return "{...}"
  const members = Object.entries(value)
  const shown = members
    .slice(0, mostMembers)
    .map(([name, member]) => `${nameOf(name, isSecret)}: ${shapeOf(member, isSecret, depth + 1)}`)
  return `{${[...shown, ...(members.length > mostMembers ? ["..."] : [])].join(", ")}}`
}

/**
 * The shape of an answer's body, without any of its values: the specification does not show the body of an error (Spec: Errors 2). In words: `empty`, `HTML`, `text`, or JSON by member and type:
 * `{error: {code: string}}`. Names of members are shown only if they look like names.
 */
export const shapeOfBody = (text: string, isSecret: (text: string) => boolean = () => false): string => {
  const body = text.trim()
  if (body === "") return "empty"
  if (body.startsWith("<")) return "HTML"
  try {
    return shapeOf(JSON.parse(body), isSecret, 0)
  } catch {
    return "text"
  }
}
