/**
 * The stages about the answers of a checkup: the server's clock, bodies of errors, request ids, rate limits (Spec: Errors 2, Events, Limits 1).
 * They send nothing.
 */
import * as Effect from "effect/Effect"
import { requestIdHeaders } from "../answer/answer.ts"
import type { Stage } from "./Checkup.ts"
import type { ObservedAnswer } from "./ObservedAnswers.ts"
import { rateLimitHeaders } from "./ObservedAnswers.ts"

/**
 * The values by which the clock is judged: when an answer was requested and when it had arrived, in epoch milliseconds of this machine, and its
 * header `date`.
 */
export interface DatedAnswer {
  readonly sentAt: number
  readonly receivedAt: number
  readonly headers: { readonly [name: string]: string | null }
}

/** How far the server's clock is ahead, in milliseconds: the least that its answers allow, because `Date` has whole seconds only. */
export const clockDifference = (answers: ReadonlyArray<DatedAnswer>): number | null => {
  const dated = answers.flatMap(({ headers, receivedAt, sentAt }) => {
    const date = Date.parse(headers["date"] ?? "")
    // The server read its clock between sending and receiving, and dropped the fraction of the second.
    return Number.isNaN(date) ? [] : { least: date - receivedAt, most: date + 1_000 - sentAt }
  })
  if (dated.length === 0) return null
  const least = Math.max(...dated.map((each) => each.least))
  return least > 0 ? least : Math.min(0, ...dated.map(({ most }) => most))
}

/** The server's clock compared with that of this machine. */
export const clock =
  (answers: ReadonlyArray<DatedAnswer>): Stage =>
  () =>
    Effect.sync(() => [{ _tag: "Clock", aheadMillis: clockDifference(answers), error: null }])

/** Error bodies, request ids and rate limits, over all observed answers. */
export const answers =
  (observed: ReadonlyArray<ObservedAnswer>): Stage =>
  () =>
    Effect.sync(() => {
      const error = null
      const having = (name: string | null) =>
        observed.filter(({ headers }) => name !== null && name in headers).length
      const failed = observed.filter(({ errorShape }) => errorShape !== null)
      const shapes = [...new Set(failed.map(({ errorShape, status }) => `${status} ${errorShape}`))]
      const tried = requestIdHeaders
      const header = tried.find((name) => having(name) > 0) ?? null
      const limited = observed.filter(({ status }) => status === 429)
      const hasRetryAfter = limited.some(({ headers }) => "retry-after" in headers)
      const limits = rateLimitHeaders.filter((name) => having(name) > 0)
      const newest = observed.findLast(({ headers }) => limits.some((name) => name in headers))
      const values = Object.fromEntries(limits.map((name) => [name, newest?.headers[name] ?? "?"]))
      return [
        { _tag: "ErrorBodies", shapes, error },
        { _tag: "RequestId", header, tried, having: having(header), answers: observed.length, error },
        { _tag: "RateLimited", times: limited.length, hasRetryAfter, error },
        { _tag: "RateLimitHeaders", values, error },
      ]
    })
