/**
 * Findings from all responses of a checkup: clock, request ids, rate limits, errors. Pure.
 */
import { count, duration } from "../terminal/Figures.ts"
import type { Finding } from "./Finding.ts"
import * as Findings from "./Finding.ts"
import type { ObservedAnswer } from "./ObservedAnswers.ts"
import { rateLimitHeaders, requestIdHeaders } from "./ObservedAnswers.ts"

type Answers = ReadonlyArray<ObservedAnswer>

const connection = Findings.of("Connection")
const finding = Findings.of("Answers")

/** A clock that is further off than this makes stamps of records and of this machine hard to compare. */
const noticeableMillis = 5_000

/** How far the server's clock is ahead, in milliseconds: the least that its answers allow, because `Date` has whole seconds only. */
export const clockDifference = (answers: Answers): number | null => {
  let least = -Infinity
  let most = Infinity
  for (const { headers, receivedAt, sentAt } of answers) {
    const date = Date.parse(headers["date"] ?? "")
    if (Number.isNaN(date)) continue
    // The server read its clock between sending and receiving, and cut the fraction of the second off.
    least = Math.max(least, date - receivedAt)
    most = Math.min(most, date + 1_000 - sentAt)
  }
  if (least === -Infinity) return null
  return least > 0 ? least : most < 0 ? most : 0
}

/** The clock of the server beside that of this machine. */
export const clock = (answers: Answers): Finding => {
  const millis = clockDifference(answers)
  if (millis === null) return connection("clock", "the server sends no Date header", "unknown")
  const off = Math.abs(millis)
  return off < noticeableMillis
    ? connection("clock", "the server and this machine agree", "verified")
    : connection(
        "clock",
        `the server is ${duration(off)} ${millis > 0 ? "ahead of" : "behind"} this machine`,
        "verified",
        { evidence: "the Date header of its answers" },
      )
}

const errorShape = (answers: Answers): Finding => {
  const shapes = [
    ...new Set(
      answers.flatMap(({ errorShape, status }) => (errorShape === null ? [] : [`${status} ${errorShape}`])),
    ),
  ]
  return shapes.length === 0
    ? finding("body of an error", "no error occurred", "unknown")
    : finding("body of an error", shapes.join("; "), "verified")
}

const requestId = (answers: Answers): Finding => {
  const name = requestIdHeaders.find((each) => answers.some(({ headers }) => each in headers))
  if (name === undefined) {
    return finding("request id", `none of ${requestIdHeaders.join(", ")}`, "verified")
  }
  const having = answers.filter(({ headers }) => name in headers).length
  return finding("request id", name, "verified", { evidence: `on ${having} of ${answers.length} answers` })
}

const limits = (answers: Answers): Finding => {
  const setting = "--rate"
  const seen = rateLimitHeaders.filter((each) => answers.some(({ headers }) => each in headers))
  if (seen.length === 0) {
    return finding("rate limit headers", "none: the limits are unknown", "unknown", { setting })
  }
  const newest = answers.findLast(({ headers }) => seen.some((name) => name in headers))
  const values = seen.map((name) => `${name}: ${newest?.headers[name] ?? "?"}`)
  return finding("rate limit headers", values.join(", "), "verified", { setting })
}

const rateLimited = (answers: Answers): Finding => {
  const limited = answers.filter(({ status }) => status === 429)
  const setting = "--rate"
  if (limited.length === 0)
    return finding("rate limit", "signalled with 429; none in this checkup", "documented", { setting })
  const named = limited.some(({ headers }) => "retry-after" in headers)
  return finding(
    "rate limit",
    `429 came ${count(limited.length, "time", "times")}, ${named ? "with" : "without"} Retry-After`,
    "verified",
    {
      setting,
    },
  )
}

/** The findings of the stage `Answers`. */
export const all = (answers: Answers): ReadonlyArray<Finding> => [
  errorShape(answers),
  requestId(answers),
  rateLimited(answers),
  limits(answers),
]
