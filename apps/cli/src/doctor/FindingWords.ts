/**
 * The words of `doctor` for what a checkup finds: the answer, how it is known, what it rests on, and the flag that changes it. Pure, and
 * exhaustive: a new finding does not compile without an entry.
 */
import type { ClientError } from "@deedkit/core"
import { ObservedAnswers, Trial } from "@deedkit/core/checkup"
import type * as Checkup from "@deedkit/core/checkup"
import { nameOf } from "../account/TrialText.ts"
import * as Catalogue from "../failure/Catalogue.ts"
import { nouns } from "../terminal/ClosingLine.ts"
import { count, duration } from "../terminal/Figures.ts"
import type { Certainty, Extras, Finding, Stage } from "./Finding.ts"
import * as Findings from "./Finding.ts"

type Words = readonly [answer: string, certainty: Certainty, extras?: Extras]
type Tag = Checkup.Finding["_tag"]
type Of<Each extends Tag> = Checkup.Finding<Each>

/** A clock that is further off than this makes stamps of records and of this machine hard to compare. */
const noticeableMillis = 5_000

const failed = (error: ClientError.ClientError, certainty: Certainty = "unknown", setting?: string): Words =>
  ObservedAnswers.isUsedUp(error)
    ? ["not requested: the limit of requests is reached", "unknown", { setting }]
    : [Catalogue.ofClient(error.reason).headline, certainty, { problem: true }]

const withoutAnswer = (reason: ClientError.Reason): string => {
  switch (reason._tag) {
    case "TransportFailed":
      return reason.phase === "tls"
        ? "has an untrusted certificate"
        : `does not answer (${reason.code ?? reason.phase})`
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
  const setting = "--base-url"
  if (error === null) return [base, "verified", { setting, evidence: "it answers as specified" }]
  if (Trial.isOfAll(error))
    return [`${base} ${withoutAnswer(error.reason)}`, "verified", { setting, problem: true }]
  if (trials.some((trial) => trial.error?.reason._tag !== "NotFound"))
    return [base, "assumed", { setting, evidence: "a server answers" }]
  const answer = `${base} has no API endpoints; it should end just before /v1/`
  return [answer, "unknown", { setting, problem: true }]
}

const encryption = ({ error, isEncrypted }: Of<"Tls">): Words => {
  if (error === null)
    return isEncrypted
      ? ["TLS, with a certificate that is trusted here", "verified"]
      : ["none: the address is on this machine", "verified"]
  const { reason } = error
  return reason._tag === "TransportFailed" && reason.phase === "tls"
    ? [`the certificate is not trusted (${reason.detail})`, "verified", { problem: true }]
    : ["there was no connection", "unknown"]
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
  const login = { setting: "deedkit auth login", problem: true }
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

const many = (collection: keyof typeof nouns | null, number: number): string =>
  count(number, nouns[collection ?? "contracts"].one, nouns[collection ?? "contracts"].many)

const defaultSize = ({ collection, isLast, size }: Of<"PageSize">): Words => {
  const setting = "--page-size"
  return isLast
    ? [`all ${many(collection, size ?? 0)} came on one page`, "unknown", { setting }]
    : [`${size} without a limit`, "verified", { setting }]
}

const smallLimit = ({ isLast, size }: Of<"PageSize">): Words => {
  if (size === null) return ["limit=1 is rejected; lists are read without a limit", "verified"]
  if (size === 0) return ["no records", "unknown"]
  return size === 1
    ? ["obeyed", isLast ? "unknown" : "verified", { evidence: "limit=1 gave one record" }]
    : [`ignored: limit=1 gave ${size} records`, "verified"]
}

const largeLimit = ({ collection, isLast, size }: Of<"PageSize">, asked: number): Words => {
  const setting = "--page-size"
  if (size === null)
    return [`limit=${asked} is rejected; the maximum is not specified`, "verified", { setting }]
  if (size > asked) return [`limit=${asked} has no effect`, "verified", { setting }]
  if (size === asked) return [`at least ${asked}`, "verified", { setting }]
  return isLast
    ? [`limit=${asked} is accepted, and all ${many(collection, size)} came`, "unknown", { setting }]
    : [`${size}: limit=${asked} gave ${size} and more to come`, "verified", { setting }]
}

const pageSize = (finding: Of<"PageSize">): Words => {
  const { error, limit } = finding
  if (limit === null || limit === 1) {
    if (error !== null) return failed(error)
    return limit === null ? defaultSize(finding) : smallLimit(finding)
  }
  // Where a large page fails, smaller ones can be read.
  return error === null ? largeLimit(finding, limit) : [failed(error)[0], "unknown"]
}

const cursorParameter = ({ assumed, error, found, isCutShort }: Of<"CursorParameter">): Words => {
  const setting = "--cursor-param"
  if (found?._tag === "Verified") {
    const { evidence, parameter } = found
    if (error !== null) {
      const extras = { evidence, setting: `${setting} ${parameter}`, problem: true }
      return [`${assumed} has no effect, ${parameter} works`, "verified", extras]
    }
    const answer = parameter === assumed ? parameter : `${parameter}; ${assumed} has no effect`
    return [answer, "verified", { evidence, setting }]
  }
  if (error === null) return [`${assumed}: no second page with records came`, "assumed", { setting }]
  const { _tag } = error.reason
  if (_tag !== "CursorIgnored" && _tag !== "CursorRejected") return failed(error, "unknown", setting)
  const answer = `${assumed} ${_tag === "CursorRejected" ? "is rejected" : "has no effect"}, and no other name was found`
  const evidence = isCutShort ? "not every name was tried: the limit of requests is reached" : null
  return [answer, "unknown", { setting, evidence, problem: true }]
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
  return [`${rejected} of ${records} are not as specified${why}`, "verified", { problem: true }]
}

const unknownId = ({ error }: Of<"UnknownId">): Words => {
  if (error === null) return ["the service returned a record for an id that should not exist", "verified"]
  const { reason } = error
  if (ObservedAnswers.isUsedUp(error)) return failed(error)
  if (reason._tag === "NotFound") return [`answered with ${reason.status}`, "verified"]
  const answer = "status" in reason ? `answered with ${reason.status}` : Catalogue.ofClient(reason).headline
  const evidence = "commands take such an answer for another refusal"
  return [answer, "verified", { evidence, problem: reason._tag !== "Rejected" }]
}

const requestId = ({ answers, having, header, tried }: Of<"RequestId">): Words =>
  header === null
    ? [`none of ${tried.join(", ")}`, "verified"]
    : [header, "verified", { evidence: `on ${having} of ${answers} answers` }]

const rateLimited = ({ hasRetryAfter, times }: Of<"RateLimited">): Words => {
  const setting = "--rate"
  if (times === 0) return ["signalled with 429; none in this checkup", "documented", { setting }]
  const named = hasRetryAfter ? "with" : "without"
  return [`429 came ${count(times, "time", "times")}, ${named} Retry-After`, "verified", { setting }]
}

const rateLimitHeaders = ({ values }: Of<"RateLimitHeaders">): Words => {
  const setting = "--rate"
  const shown = Object.entries(values).map(([name, value]) => `${name}: ${value}`)
  return shown.length === 0
    ? ["none: the limits are unknown", "unknown", { setting }]
    : [shown.join(", "), "verified", { setting }]
}

type Entry<Each extends Tag> = readonly [
  stage: Stage,
  about: string | ((finding: Of<Each>) => string),
  words: (finding: Of<Each>, key: string) => Words,
]

const sizes = ({ limit }: Of<"PageSize">): string =>
  limit === null ? "page size" : limit === 1 ? "limit" : "largest page"

const table: { readonly [Each in Tag]: Entry<Each> } = {
  Address: ["Connection", "address", address],
  Tls: ["Connection", "encryption", encryption],
  Clock: ["Connection", "clock", clock],
  Key: ["Key", "accepted", accepted],
  Scope: ["Key", (trial) => `can read ${nameOf(trial)}`, scope],
  PageSize: ["Lists", sizes, pageSize],
  CursorParameter: ["Lists", "cursor parameter", cursorParameter],
  CursorType: ["Lists", "cursor type", cursorType],
  Order: ["Lists", "order of ids", order],
  End: ["Lists", "end of a list", end],
  Conformity: ["Records", "records", conformity],
  ById: [
    "Records",
    "one by id",
    ({ error }) => (error === null ? ["the requested record", "verified"] : failed(error, "verified")),
  ],
  UnknownId: ["Records", "unknown id", unknownId],
  ErrorBodies: [
    "Answers",
    "body of an error",
    ({ shapes }) =>
      shapes.length === 0 ? ["no error occurred", "unknown"] : [shapes.join("; "), "verified"],
  ],
  RequestId: ["Answers", "request id", requestId],
  RateLimited: ["Answers", "rate limit", rateLimited],
  RateLimitHeaders: ["Answers", "rate limit headers", rateLimitHeaders],
}

/** A finding in words. `key` is the key as it may be shown. */
export const of = (finding: Checkup.Finding, key: string): Finding => {
  const [stage, about, words] = table[finding._tag] as Entry<Tag>
  const [answer, certainty, extras] = words(finding, key)
  return Findings.of(stage)(typeof about === "string" ? about : about(finding), answer, certainty, extras)
}
