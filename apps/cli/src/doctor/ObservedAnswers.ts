/**
 * The responses of a session without their records: status, time, and the headers that the specification leaves open
 * (Spec: Events, Limits 1). It wraps the transport, so that it observes and counts the client's own requests. It stores no body, no key, and
 * only known headers.
 */
import { Transport } from "@deedkit/core"
import type { ClientError } from "@deedkit/core"
import * as BodyShape from "./BodyShape.ts"

export interface ObservedAnswer {
  readonly status: number
  /** When it was sent and when its answer was there, epoch milliseconds of this machine. */
  readonly sentAt: number
  readonly receivedAt: number
  /** The headers that were looked for and are there, by lower-case name. */
  readonly headers: { readonly [name: string]: string }
  /** The shape of the body of an error; null for other answers. */
  readonly errorShape: string | null
}

export interface Observer {
  readonly wrap: (send: Transport.Send) => Transport.Send
  readonly answers: ReadonlyArray<ObservedAnswer>
  /** How many requests were sent. */
  readonly requests: () => number
}

export const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id"] as const

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
export const isUsedUp = ({ reason }: ClientError.ClientError): boolean =>
  reason._tag === "TransportFailed" && reason.code === usedUp

/** Observes up to `most` requests; further ones are not sent. */
export const make = (most: number, now: () => number = Date.now): Observer => {
  const answers: Array<ObservedAnswer> = []
  let requests = 0
  return {
    answers,
    requests: () => requests,
    wrap: (send) => async (request, cancellation) => {
      if (requests >= most) {
        throw new Transport.TransportFault("request", `the ${most} requests that were allowed are used up`, {
          code: usedUp,
        })
      }
      requests += 1
      const sentAt = now()
      const response = await send(request, cancellation)
      const receivedAt = now()
      // A server may echo the key anywhere.
      const authorization = request.headers["authorization"] ?? ""
      const isSecret = (text: string): boolean =>
        (text.length >= 6 && authorization.includes(text)) || holdsKey(text, authorization)
      const headers = lookedFor.flatMap((name): ReadonlyArray<readonly [string, string]> => {
        const value = response.header(name)
        if (value === null) return []
        return [[name, /^[\w ,;:=./+"-]{0,80}$/.test(value) && !holdsKey(value, authorization) ? value : "?"]]
      })
      answers.push({
        status: response.status,
        sentAt,
        receivedAt,
        headers: Object.fromEntries(headers),
        errorShape: response.status >= 400 ? BodyShape.of(response.text, isSecret) : null,
      })
      return response
    },
  }
}

/** So many characters of a key in a row are told from chance. */
const partLength = 8

/** Whether a text holds the key, or as much of it as is told from chance. */
const holdsKey = (text: string, authorization: string): boolean => {
  const key = authorization.replace(/^Bearer /, "")
  if (key === "") return false
  const length = Math.min(key.length, partLength)
  for (let at = 0; at + length <= text.length; at++)
    if (key.includes(text.slice(at, at + length))) return true
  return false
}
