/** Faults in which the service refuses: limits of the rate, error statuses, redirects, and keys that no longer suffice. */
import type { Exchange } from "../Exchange.ts"
import { choice, integer, number, text } from "../Setting.ts"
import type { Setting } from "../Setting.ts"
import { failure, json, withHeaders } from "../Answer.ts"
import type { Answer } from "../Answer.ts"
import { timestamp } from "../Wire.ts"
import { define } from "./Fault.ts"

/**
 * The forms of a `Retry-After` header that 429 and 503 answers can have: seconds, a future date, a past date, any other text unchanged, or null for
 * no header. The specification promises none of them (Errors 1), so a client has to handle each, and invalid values.
 */
const retryAfter = (value: number | string | null): Setting<number | string | null> => ({
  default: value,
  about: "seconds, date (5 s ahead), past-date, any text, or null for no header",
  shape: "seconds | date | past-date | text | null",
  accept: (given) =>
    given === null || given === "null"
      ? null
      : typeof given === "number" || typeof given === "string"
        ? given
        : undefined,
})

export const refusals = {
  /** The one error status that the specification names. Errors 1. */
  "rate-limit": define({
    description: "Answers 429.",
    attributes: { retryAfter: retryAfter(1) },
    start: (attributes) => ({
      before: (exchange) =>
        failed(exchange, 429, "rate_limited", "Too many requests.", attributes.retryAfter),
    }),
  }),

  /** 429 to every request for a while, as for a client that shares its rate limit with other clients. Errors 1. */
  storm: define({
    description:
      "From its first hit on, answers 429 for a period of the clock; once over, it does not come back.",
    attributes: { ms: number(10_000, "length of the period in milliseconds"), retryAfter: retryAfter(null) },
    start: (attributes) => {
      let end: number | undefined
      return {
        phase: ({ clock }) => (end === undefined ? "waiting" : clock.now() < end ? "running" : "over"),
        before: (exchange) => {
          end ??= exchange.clock.now() + attributes.ms
          return failed(exchange, 429, "rate_limited", "Too many requests.", attributes.retryAfter)
        },
      }
    },
  }),

  /** A real rate limit in fixed windows, for tests of a client's rate limiter. Limits 1. */
  quota: define({
    description: "Lets so many requests through in each window of the clock and answers 429 to the rest.",
    attributes: {
      limit: integer(10, "requests in each window"),
      windowMs: number(1000, "length of a window in milliseconds", 1),
      retryAfter: retryAfter("window"),
    },
    start: (attributes) => {
      let window = Number.NaN
      let used = 0
      return {
        before: (exchange) => {
          const now = exchange.clock.now()
          const current = Math.floor(now / attributes.windowMs)
          if (current !== window) {
            window = current
            used = 0
          }
          used += 1
          if (used <= attributes.limit) return undefined
          const rest = Math.ceil(((current + 1) * attributes.windowMs - now) / 1000)
          const wait = attributes.retryAfter === "window" ? rest : attributes.retryAfter
          return failed(exchange, 429, "rate_limited", "Too many requests.", wait)
        },
      }
    },
  }),

  /** A 5xx in the assumed error shape. Errors 3. */
  "server-error": define({
    description: "Answers with a server error.",
    attributes: {
      status: choice([500, 501, 502, 503, 504, 507, 599], 500, "status"),
      retryAfter: retryAfter(null),
    },
    start: (attributes) => ({
      before: (exchange) =>
        failed(exchange, attributes.status, "server_error", "Something went wrong.", attributes.retryAfter),
    }),
  }),

  /** A few 503 answers in a row, as during a deployment. Errors 3. */
  burst: define({
    description: "From its first hit on, answers 503 to so many requests in a row, then never again.",
    attributes: { count: integer(3, "requests in a row", 1), retryAfter: retryAfter(null) },
    start: (attributes) => {
      let served = 0
      return {
        phase: () => (served === 0 ? "waiting" : served < attributes.count ? "running" : "over"),
        before: (exchange) => {
          served += 1
          return failed(exchange, 503, "unavailable", "Back in a moment.", attributes.retryAfter)
        },
      }
    },
  }),

  /** Any status with an error body, for statuses that have no fault of their own. Errors 3. */
  status: define({
    description: "Answers with the status that it is given.",
    attributes: { code: integer(418, "status", 200, 599), retryAfter: retryAfter(null) },
    start: (attributes) => ({
      before: (exchange) =>
        failed(
          exchange,
          attributes.code,
          `status_${attributes.code}`,
          "As asked for.",
          attributes.retryAfter,
        ),
    }),
  }),

  /** A redirect, within the origin or to another origin, which must never get the key. Authentication 1. */
  redirect: define({
    description: "Answers with a redirect.",
    attributes: {
      to: text("same-origin", "same-origin, other-host, or a whole URL"),
      status: choice([301, 302, 303, 307, 308], 302, "status"),
    },
    start: ({ to, status }) => ({
      before: ({ url }) => {
        const rest = `${url.pathname}${url.search}`
        const places: Readonly<Record<string, string>> = {
          "same-origin": `${url.origin}/moved${rest}`,
          "other-host": `https://elsewhere.example${rest}`,
        }
        return withHeaders(json(status, ""), { location: places[to] ?? to })
      },
    }),
  }),

  /** The key lacks the scope that the endpoint requires. Authentication 2. */
  "scope-missing": define({
    description: "Treats the key as if it lacked a scope.",
    attributes: { scope: text("", "the scope; empty for all of them") },
    start: ({ scope }) => ({
      key: (key) => ({ ...key, scopes: key.scopes.filter((held) => scope !== "" && held !== scope) }),
    }),
  }),

  /** The key stops working from some request on. Authentication 4. */
  "key-revoked": define({
    description: "Treats the key as revoked from a request on; the record in the store stays as it is.",
    attributes: { from: integer(1, "first request that is refused, counted from when the fault is set", 1) },
    start: ({ from }) => {
      let count = 0
      return {
        key: (key, { clock, assumptions }) => {
          count += 1
          return count < from
            ? key
            : { ...key, revoked_at: timestamp(clock.now(), assumptions.timestampDigits) }
        },
      }
    },
  }),
}

/** An error answer in the assumed shape. Errors 2. */
const failed = (
  exchange: Exchange,
  status: number,
  code: string,
  message: string,
  wait: number | string | null,
): Answer => {
  const httpDate = (ms: number) => new Date(exchange.clock.now() + ms).toUTCString()
  const value = wait === "date" ? httpDate(5000) : wait === "past-date" ? httpDate(-60_000) : wait
  return withHeaders(
    failure(exchange.assumptions, status, code, message, exchange.requestId),
    value === null ? {} : { "retry-after": String(value) },
  )
}
