/**
 * The findings of a checkup in words: the answer, how it is known, its evidence, and the flag that changes it; the findings as lines; and the trials of a
 * key, for the commands of `auth`. Pure and exhaustive: a new finding does not compile without an entry.
 */
import type { ClientError } from "@deedkit/core"
import { ObservedAnswers, Trial } from "@deedkit/core/checkup"
import type * as Checkup from "@deedkit/core/checkup"
import * as Catalogue from "../failure/Catalogue.ts"
import { nounsOf } from "../terminal/ClosingLine.ts"
import { count, duration } from "../terminal/Figures.ts"
import { clean, dress, pad, width, wrap } from "../terminal/TerminalText.ts"
import type { DressedLine, Style, StyleName } from "../terminal/TerminalText.ts"

/** How an answer is known: from the specification, observed on this server, assumed and not contradicted, or not at all. */
export type Certainty = "documented" | "verified" | "assumed" | "unknown"

type Stage = "Connection" | "Key" | "Lists" | "Records" | "Answers"

export interface Finding {
  readonly stage: Stage
  /** The subject, in the same words for every server: `cursor parameter`. */
  readonly about: string
  readonly answer: string
  readonly certainty: Certainty
  /** The evidence for the answer; null if the answer says it all. */
  readonly evidence: string | null
  /** The flag that changes the behaviour; null if there is none. */
  readonly setting: string | null
  /** Whether it prevents work. */
  readonly problem: boolean
}

type Extras = { readonly [Name in "evidence" | "setting" | "problem"]?: Finding[Name] | undefined }

/** The name of what was tried, as tables and documents use it. */
export const trialName = ({ endpoint }: Pick<Trial.Trial, "endpoint">): string =>
  endpoint === "api-keys" ? "API keys" : endpoint

export const trialWords = ({ error, scope }: Trial.Trial): string => {
  if (error === null) return "works"
  if (error.reason._tag !== "Forbidden") return `does not work: ${Catalogue.ofClient(error.reason).headline}`
  return scope === null
    ? "not allowed; the specification does not say which scope it needs"
    : `not allowed: the key lacks the scope ${scope}`
}

type Tag = Checkup.Finding["_tag"]
type Of<Each extends Tag> = Checkup.Finding<Each>
type Words = readonly [answer: string, certainty: Certainty, extras?: Extras]

/** A clock difference above this makes timestamps of records and of this machine hard to compare. */
const noticeableMillis = 5_000

const problem = true

const failed = (error: ClientError.ClientError, certainty: Certainty = "unknown"): Words =>
  ObservedAnswers.isUsedUp(error)
    ? ["not requested: the limit of requests is reached", "unknown"]
    : [Catalogue.ofClient(error.reason).headline, certainty, { problem, setting: null }]

const byProxy = ({ proxy }: ClientError.ReasonOf<"TransportFailed">): string =>
  proxy === undefined ? "" : ` through the proxy ${proxy}`

const withoutAnswer = (reason: ClientError.Reason): string => {
  switch (reason._tag) {
    case "TransportFailed":
      return reason.phase === "tls"
        ? `has an untrusted certificate${byProxy(reason)}`
        : reason.phase === "protocol"
          ? `does not speak the protocol that is expected${byProxy(reason)} (${reason.detail})`
          : `does not answer${byProxy(reason)} (${reason.code ?? reason.phase})`
    case "TimedOut":
      return `gave no answer within ${reason.afterMillis / 1_000} s`
    case "NotTheApi":
      return `answers with ${reason.contentType ?? "something"}, not with JSON: it is not the API`
    case "Redirected":
      return `redirects${reason.location === null ? "" : ` to ${reason.location}`}`
    default:
      return `answers, but: ${Catalogue.ofClient(reason).headline}`
  }
}

const address = ({ base, error, trials }: Of<"Address">): Words => {
  if (error === null) return [base, "verified", { evidence: "it answers as specified" }]
  if (Trial.isOfAll(error)) return [`${base} ${withoutAnswer(error.reason)}`, "verified", { problem }]
  return trials.every((trial) => trial.error?.reason._tag === "NotFound")
    ? [`${base} has no API endpoints; it should end just before /v1/`, "unknown", { problem }]
    : [base, "assumed", { evidence: "a server answers" }]
}

const encryption = ({ error, isEncrypted }: Of<"Tls">): Words => {
  if (error?.reason._tag === "TransportFailed" && error.reason.phase === "tls")
    return [`the certificate is not trusted (${error.reason.detail})`, "verified", { problem }]
  if (error !== null) return ["there was no connection", "unknown"]
  return [
    isEncrypted ? "TLS, with a certificate that is trusted here" : "none: the address is on this machine",
    "verified",
  ]
}

const clock = ({ aheadMillis }: Of<"Clock">): Words => {
  if (aheadMillis === null) return ["the server sends no Date header", "unknown"]
  const off = Math.abs(aheadMillis)
  if (off < noticeableMillis) return ["the server and this machine agree", "verified"]
  const answer = `the server is ${duration(off)} ${aheadMillis > 0 ? "ahead of" : "behind"} this machine`
  return [answer, "verified", { evidence: "the Date header of its answers" }]
}

const accepted = ({ error }: Of<"Key">, key: string): Words => {
  if (error === null) return [`yes (${key})`, "verified"]
  const { reason } = error
  const login = { setting: "deedkit auth login", problem }
  if (reason._tag !== "Unauthenticated") return [`${key} has no access`, "unknown", login]
  const evidence = `the service answered ${reason.status}`
  return [`no: ${key} is mistyped, revoked or of another account`, "verified", { ...login, evidence }]
}

const scope = ({ error, scope: needed }: Of<"Scope">): Words => {
  if (error === null)
    return needed === null
      ? ["yes", "verified", { evidence: "the required scope is not specified" }]
      : [`yes, with ${needed}`, "verified"]
  if (error.reason._tag !== "Forbidden") return failed(error)
  const answer = needed === null ? "no; the required scope is not specified" : `no: ${needed} is missing`
  return [answer, "verified", { evidence: `the service answered ${error.reason.status}` }]
}

const many = (collection: Of<"PageSize">["collection"], number: number): string => {
  const { many, one } = nounsOf(collection ?? "contracts")
  return count(number, one, many)
}

const defaultSize = ({ collection, error, isLast, size }: Of<"PageSize">): Words => {
  if (error !== null) return failed(error)
  return isLast
    ? [`all ${many(collection, size ?? 0)} came on one page`, "unknown"]
    : [`${size} without a limit`, "verified"]
}

const smallLimit = ({ error, isLast, size }: Of<"PageSize">): Words => {
  if (error !== null) return failed(error)
  if (size === null) return ["limit=1 is rejected; lists are read without a limit", "verified"]
  if (size === 0) return ["no records", "unknown"]
  return size === 1
    ? ["obeyed", isLast ? "unknown" : "verified", { evidence: "limit=1 gave one record" }]
    : [`ignored: limit=1 gave ${size} records`, "verified"]
}

const largeLimit = ({ collection, error, isLast, size }: Of<"PageSize">, asked: number): Words => {
  // When a large page fails, smaller pages still work.
  if (error !== null) return [failed(error)[0], "unknown", { setting: null }]
  if (size === null) return [`limit=${asked} is rejected; the maximum is not specified`, "verified"]
  if (size >= asked)
    return [size === asked ? `at least ${asked}` : `limit=${asked} has no effect`, "verified"]
  return isLast
    ? [`limit=${asked} is accepted, and all ${many(collection, size)} came`, "unknown"]
    : [`${size}: limit=${asked} gave ${size} and more to come`, "verified"]
}

const cursorParameter = ({ assumed, error, found, isCutShort }: Of<"CursorParameter">): Words => {
  if (found?._tag === "Verified") {
    const { evidence, parameter } = found
    if (error !== null) {
      const extras = { evidence, setting: `--cursor-param ${parameter}`, problem }
      return [`${assumed} has no effect, ${parameter} works`, "verified", extras]
    }
    const answer = parameter === assumed ? parameter : `${parameter}; ${assumed} has no effect`
    return [answer, "verified", { evidence }]
  }
  if (error === null) return [`${assumed}: no second page with records came`, "assumed"]
  const { _tag } = error.reason
  if (_tag !== "CursorIgnored" && _tag !== "CursorRejected") return failed(error)
  const refused = _tag === "CursorRejected" ? "is rejected" : "has no effect"
  const evidence = isCutShort ? "not every name was tried: the limit of requests is reached" : null
  return [`${assumed} ${refused}, and no other name was found`, "unknown", { evidence, problem }]
}

const cursorTypes = { "long-integer": "integer beyond 2^53", digits: "text of digits" } as const

const cursorType = ({ type }: Of<"CursorType">): Words => {
  if (type === null) return ["no cursor came", "unknown"]
  return [type === "integer" || type === "text" ? type : cursorTypes[type], "verified"]
}

const order = ({ order: seen }: Of<"Order">): Words =>
  seen === "unknown"
    ? ["too few records", "unknown"]
    : [seen, "verified", { evidence: "observed on these pages, not relied on" }]

const end = ({ error, oddity, read }: Of<"End">): Words => {
  if (error !== null) return failed(error, error.reason._tag === "EnvelopeInvalid" ? "verified" : "unknown")
  if (read === null) return ["next_before_id is null; no list was read to its end", "documented"]
  const evidence = `${many(read.collection, read.records)} in ${count(read.pages, "page", "pages")}`
  return [oddity ?? "next_before_id is null", "verified", { evidence }]
}

const conformity = ({ issue, records, rejected }: Of<"Conformity">): Words => {
  if (records === 0) return ["there are none", "unknown"]
  if (rejected === 0) return [`all ${records} are as specified`, "verified"]
  const why = issue === null ? "" : `: ${issue.path} should be ${issue.expected} and is ${issue.found}`
  return [`${rejected} of ${records} are not as specified${why}`, "verified", { problem }]
}

const byId = ({ error }: Of<"ById">): Words =>
  error === null ? ["the requested record", "verified"] : failed(error, "verified")

const unknownId = ({ error }: Of<"UnknownId">): Words => {
  if (error === null) return ["the service returned a record for an id that should not exist", "verified"]
  const { reason } = error
  if (ObservedAnswers.isUsedUp(error)) return failed(error)
  const answer = "status" in reason ? `answered with ${reason.status}` : Catalogue.ofClient(reason).headline
  if (reason._tag === "NotFound") return [answer, "verified"]
  const evidence = "commands treat such an answer as another refusal"
  return [answer, "verified", { evidence, problem: reason._tag !== "Rejected" }]
}

const errorBodies = ({ shapes }: Of<"ErrorBodies">): Words =>
  shapes.length === 0 ? ["no error occurred", "unknown"] : [shapes.join("; "), "verified"]

const requestId = ({ answers, having, header, tried }: Of<"RequestId">): Words =>
  header === null
    ? [`none of ${tried.join(", ")}`, "verified"]
    : [header, "verified", { evidence: `on ${having} of ${answers} answers` }]

const rateLimited = ({ hasRetryAfter, times }: Of<"RateLimited">): Words => {
  if (times === 0) return ["signalled with 429; none in this checkup", "documented"]
  const named = hasRetryAfter ? "with" : "without"
  return [`429 came ${count(times, "time", "times")}, ${named} Retry-After`, "verified"]
}

const rateLimitHeaders = ({ values }: Of<"RateLimitHeaders">): Words => {
  const shown = Object.entries(values).map(([name, value]) => `${name}: ${value}`)
  return shown.length === 0 ? ["none: the limits are unknown", "unknown"] : [shown.join(", "), "verified"]
}

type Entry = readonly [stage: Stage, about: string, words: Words, setting?: string]

const table: { readonly [Each in Tag]: (finding: Of<Each>, key: string) => Entry } = {
  Address: (finding) => ["Connection", "address", address(finding), "--base-url"],
  Tls: (finding) => ["Connection", "encryption", encryption(finding)],
  Clock: (finding) => ["Connection", "clock", clock(finding)],
  Key: (finding, key) => ["Key", "accepted", accepted(finding, key)],
  Scope: (finding) => ["Key", `can read ${trialName(finding)}`, scope(finding)],
  PageSize: (finding) => {
    const { limit } = finding
    if (limit === null) return ["Lists", "page size", defaultSize(finding), "--page-size"]
    return limit === 1
      ? ["Lists", "limit", smallLimit(finding)]
      : ["Lists", "largest page", largeLimit(finding, limit), "--page-size"]
  },
  CursorParameter: (finding) => ["Lists", "cursor parameter", cursorParameter(finding), "--cursor-param"],
  CursorType: (finding) => ["Lists", "cursor type", cursorType(finding)],
  Order: (finding) => ["Lists", "order of ids", order(finding)],
  End: (finding) => ["Lists", "end of a list", end(finding)],
  Conformity: (finding) => ["Records", "records", conformity(finding)],
  ById: (finding) => ["Records", "one by id", byId(finding)],
  UnknownId: (finding) => ["Records", "unknown id", unknownId(finding)],
  ErrorBodies: (finding) => ["Answers", "body of an error", errorBodies(finding)],
  RequestId: (finding) => ["Answers", "request id", requestId(finding)],
  RateLimited: (finding) => ["Answers", "rate limit", rateLimited(finding), "--rate"],
  RateLimitHeaders: (finding) => ["Answers", "rate limit headers", rateLimitHeaders(finding), "--rate"],
}

/** A finding in words. `key` is the key in a form that is safe to show. */
export const of = (finding: Checkup.Finding, key: string): Finding => {
  const entry = table[finding._tag] as (finding: Checkup.Finding, key: string) => Entry
  const [stage, about, [answer, certainty, extras = {}], named] = entry(finding, key)
  const { evidence = null, problem = false, setting = named ?? null } = extras
  return { stage, about, answer, certainty, evidence, setting, problem }
}

const styles: { readonly [Each in Certainty]: StyleName } = {
  documented: "dim",
  verified: "green",
  assumed: "yellow",
  unknown: "yellow",
}

const aboutWidth = 20
const certaintyWidth = 10
/** The columns where answers begin: beside their subject, and below it. */
const besideAt = 2 + aboutWidth + 2 + certaintyWidth + 2
const belowAt = 4
/** Answers narrower than this many columns are hard to read beside their subject. */
const leastBeside = 32

/** The meaning of the second column. */
export const legend =
  "documented: in the specification; verified: observed on this server; assumed: not contradicted."

/**
 * The answer in lines of at most `columns` columns, with the setting at the end of the last line if it fits. Null `columns` gives one line of any
 * length.
 */
const answerOf = (finding: Finding, columns: number | null, style: Style): ReadonlyArray<string> => {
  const { answer, evidence, setting, problem } = finding
  const text = clean(`${problem ? "! " : ""}${answer}${evidence === null ? "" : ` (${evidence})`}`)
  const lines = columns === null ? [text] : wrap(text, columns)
  if (setting === null) return lines
  const last = lines.at(-1) ?? ""
  const name = style("dim", clean(setting))
  return columns === null || width(last) + 2 + width(setting) <= columns
    ? [...lines.slice(0, -1), `${last}  ${name}`]
    : [...lines, name]
}

const block = (finding: Finding, style: Style, columns: number | null): ReadonlyArray<string> => {
  const { about, certainty, problem } = finding
  const known = style(problem ? "red" : styles[certainty], certainty)
  const head = `  ${pad(clean(about), aboutWidth)}  ${known}`
  const gap = " ".repeat(2 + certaintyWidth - certainty.length)
  if (columns !== null && columns - besideAt < leastBeside) {
    const indent = " ".repeat(belowAt)
    return [head, ...answerOf(finding, columns - belowAt, style).map((line) => indent + line)]
  }
  const room = columns === null ? null : columns - besideAt
  const [first = "", ...rest] = answerOf(finding, room, style)
  return [head + gap + first, ...rest.map((line) => " ".repeat(besideAt) + line)]
}

/** The lines of a stage under its name; empty without findings. `columns` is the width of the window, null if there is none. */
export const lines = (
  findings: ReadonlyArray<Finding>,
  style: Style,
  columns: number | null,
): ReadonlyArray<DressedLine> => {
  const [first] = findings
  return first === undefined
    ? []
    : dress([style("bold", first.stage), ...findings.flatMap((finding) => block(finding, style, columns))])
}
