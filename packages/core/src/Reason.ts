/**
 * Every way in which an operation of this client can fail, as plain tagged data: it can be logged, sent over a message port and matched
 * on. No reason holds a key, a header or a whole body.
 *
 * The specification promises a single error status, 429 (Spec: Errors 1); every other classification is ours.
 */
import type { CheckpointMismatch, CursorEvidence, StallEvidence } from "./internal/cursor.ts"
import type { ReadSummary } from "./Page.ts"
import type { Issue } from "./internal/check.ts"

/** The status of an answer and the message in its body. */
export interface ServerSays {
  readonly status: number
  /** For people: at most 200 characters, no control characters, the key redacted. Null where the body has no message. */
  readonly serverSays: string | null
}

/** 401: the key is missing, wrong or revoked. */
export interface Unauthenticated extends ServerSays {
  readonly _tag: "Unauthenticated"
}
/** 403: the key lacks a scope; `scope` is the one that the endpoint needs, null where the specification does not say. */
export interface Forbidden extends ServerSays {
  readonly _tag: "Forbidden"
  readonly scope: string | null
}
/** 404 or 410: there is no such record, or no such endpoint under this base URL. */
export interface NotFound extends ServerSays {
  readonly _tag: "NotFound"
}
/** Any other 4xx. */
export interface Rejected extends ServerSays {
  readonly _tag: "Rejected"
}
/** 429, and the wait is longer than allowed or the attempts are used up. `retryAt` is the earliest time to retry, ISO 8601 UTC. */
export interface RateLimited extends ServerSays {
  readonly _tag: "RateLimited"
  readonly retryAt: string | null
  readonly source: "retry-after" | "backoff"
}
/** 5xx. */
export interface ServerFault extends ServerSays {
  readonly _tag: "ServerFault"
}
/**
 * 3xx: redirects are never followed, because the key is bound to one origin. `location` has no query; it is null where the answer names
 * none, as with a 304, and in browsers, which hide it.
 */
export interface Redirected {
  readonly _tag: "Redirected"
  readonly status: number
  readonly location: string | null
  readonly sameOrigin: boolean
}
/** A 2xx that is not JSON, such as the page of a proxy, a login or a web site; or a 101, which switches to another protocol. */
export interface NotTheApi {
  readonly _tag: "NotTheApi"
  readonly status: number
  readonly contentType: string | null
}
/**
 * A 2xx that cannot be read. `problem` is `json` when its type is JSON and its text is not, because it was cut off or damaged in transit. It is
 * `encoding` when its text is neither UTF-8 nor in the charset that it declares, so that some of its characters are unknown. It is `limits` when it is
 * nested more than 512 levels deep, or has a number of more than 4,096 digits, an object of more than 10,000 members, or more than 250,000 values
 * and escaped characters of fewer than 12 characters each: a body of a few megabytes could otherwise fill the memory.
 */
export interface BodyInvalid {
  readonly _tag: "BodyInvalid"
  readonly status: number
  readonly problem: "json" | "encoding" | "limits"
  readonly bodyCharacters: number
}
/** A 2xx whose `ok` is not `true`. */
export interface NotOk extends ServerSays {
  readonly _tag: "NotOk"
}
/** A list answer without `items` or with an unusable `next_before_id`. */
export interface EnvelopeInvalid {
  readonly _tag: "EnvelopeInvalid"
  readonly issues: ReadonlyArray<Issue>
}
/** A record that is not as specified; `id` when it could be read. */
export interface RecordInvalid {
  readonly _tag: "RecordInvalid"
  readonly id: number | null
  readonly issues: ReadonlyArray<Issue>
}
/** The service returned a list instead of one record, or the other way round. */
export interface ShapeMismatch {
  readonly _tag: "ShapeMismatch"
  readonly expected: "list" | "retrieve"
}
/** The service returned a record with another id than the requested one. */
export interface IdentityMismatch {
  readonly _tag: "IdentityMismatch"
  readonly asked: number
  readonly got: number
}
/** The server ignored the cursor: the second page is not another page. */
export interface CursorIgnored {
  readonly _tag: "CursorIgnored"
  readonly cursorParam: string
  readonly evidence: CursorEvidence
}
/** The first page was fine and the second, with the cursor, was refused with 400 or 422. */
export interface CursorRejected extends ServerSays {
  readonly _tag: "CursorRejected"
  readonly cursorParam: string
}
/** A read whose pages repeat or bring no new records, or that has more pages than `maxPages`. */
export interface PaginationStalled {
  readonly _tag: "PaginationStalled"
  readonly evidence: StallEvidence
}
/** A checkpoint that belongs to another read. */
export interface CheckpointRefused {
  readonly _tag: "CheckpointRefused"
  readonly mismatch: CheckpointMismatch
}
/** No complete answer: DNS, connection, TLS, or a body that was cut off. `code` is the platform's, like `ECONNREFUSED`. */
export interface TransportFailed {
  readonly _tag: "TransportFailed"
  /** `tls`: the certificate is not trusted. `protocol`: the other side speaks another protocol, or an old version, or its answer is malformed. */
  readonly phase: "connect" | "tls" | "protocol" | "request" | "body"
  readonly code: string | null
  readonly detail: string
  /** The proxy that the request took; absent for a direct connection. */
  readonly proxy?: string | undefined
}
/** A time limit was exceeded. */
export interface TimedOut {
  readonly _tag: "TimedOut"
  readonly which: "connect" | "attempt" | "idle" | "deadline"
  readonly afterMillis: number
}
/** The body is larger than `maxBodyBytes`. */
export interface BodyTooLarge {
  readonly _tag: "BodyTooLarge"
  readonly maxBodyBytes: number
}
/** A setting or an argument that cannot work; nothing was sent. */
export interface ConfigInvalid {
  readonly _tag: "ConfigInvalid"
  readonly setting: string
  readonly problem: string
}

/** Every way to fail. The union is exhaustive: `match` makes the compiler require each. */
export type Reason =
  | Unauthenticated
  | Forbidden
  | NotFound
  | Rejected
  | RateLimited
  | ServerFault
  | Redirected
  | NotTheApi
  | BodyInvalid
  | NotOk
  | EnvelopeInvalid
  | RecordInvalid
  | ShapeMismatch
  | IdentityMismatch
  | CursorIgnored
  | CursorRejected
  | PaginationStalled
  | CheckpointRefused
  | TransportFailed
  | TimedOut
  | BodyTooLarge
  | ConfigInvalid

/** The tag of a reason. */
export type ReasonTag = Reason["_tag"]

/** Every tag of a reason. */
export const reasonTags = [
  "Unauthenticated",
  "Forbidden",
  "NotFound",
  "Rejected",
  "RateLimited",
  "ServerFault",
  "Redirected",
  "NotTheApi",
  "BodyInvalid",
  "NotOk",
  "EnvelopeInvalid",
  "RecordInvalid",
  "ShapeMismatch",
  "IdentityMismatch",
  "CursorIgnored",
  "CursorRejected",
  "PaginationStalled",
  "CheckpointRefused",
  "TransportFailed",
  "TimedOut",
  "BodyTooLarge",
  "ConfigInvalid",
] as const satisfies ReadonlyArray<ReasonTag>

/** One attempt of a failed request: when it began, how it ended, and the wait after it. */
export interface AttemptRecord {
  /** Start of the attempt, ISO 8601 UTC. */
  readonly at: string
  /** HTTP status; null when no answer came. */
  readonly status: number | null
  readonly requestId: string | null
  readonly reason: ReasonTag
  /** Where the attempt failed, for failures of the transport and time limits; null for other failures. */
  readonly phase: string | null
  /** Wait after this attempt in milliseconds; null when there was no further attempt. */
  readonly waitedMillis: number | null
  /** What set the length of the wait, `retry-after` or `backoff`; after the last attempt, why it was the last. */
  readonly why: string | null
}

/** The data of a `ClientError`. */
export interface ClientErrorFields {
  readonly reason: Reason
  /** Method, path, and subject, like `contract 12`; null for errors before any request. */
  readonly request: { readonly method: string; readonly path: string; readonly subject: string } | null
  /** The service's id of the last answer, if it sent one. */
  readonly requestId: string | null
  /** The attempts of the failed call, the first one first; empty for errors before any request. */
  readonly attempts: ReadonlyArray<AttemptRecord>
  /** How far the read came; null outside of reads. */
  readonly reading: ReadSummary | null
}

const transientBelow500: ReadonlySet<number> = new Set([408, 425, 429])
/** Not implemented, HTTP version, storage, loop, and a network that wants a sign-in. All others are transient, those of gateways (520 to 530) too. */
const lastingFrom500: ReadonlySet<number> = new Set([501, 505, 507, 508, 511])

const isTransientStatus = (status: number): boolean =>
  status < 500 ? transientBelow500.has(status) : !lastingFrom500.has(status)

/** Whether the failure can go away by itself, so that the client retries it. Certificate errors, other statuses, `ok: false`, wrong shapes and wrong encodings cannot. */
export const isTransient = (reason: Reason): boolean => {
  switch (reason._tag) {
    case "TransportFailed":
      return reason.phase !== "tls" && reason.phase !== "protocol"
    case "TimedOut":
      return reason.which !== "deadline"
    case "BodyInvalid":
      return reason.problem === "json"
    case "RateLimited":
    case "ServerFault":
    case "Rejected":
      return isTransientStatus(reason.status)
    default:
      return false
  }
}

// What the reader of an error can do, as an id. A surface builds its own texts on reason and action, because only the surface knows its flags and
// buttons. The English advice in a `ClientError`'s message says the same without naming flags or buttons.

/** Every action. */
export const actions = [
  "check-key",
  "ask-for-scope",
  "check-id-or-address",
  "check-request",
  "check-address",
  "check-network",
  "check-certificate",
  "wait",
  "retry-later",
  "allow-more-time",
  "reduce-page-size",
  "set-cursor-parameter",
  "resume",
  "start-again",
  "report-to-support",
  "fix-setting",
] as const

/**
 * What the reader can do.
 *
 * - `check-key`: check that the key is right, not revoked and of this account.
 * - `ask-for-scope`: get a key that grants the scope.
 * - `check-id-or-address`: check the id; for a list, the base URL.
 * - `check-request`: check the arguments of the call.
 * - `check-address`: check the base URL; something other than the API answered, or the API has changed.
 * - `check-network`: check the base URL and the network, then try again.
 * - `check-certificate`: check the base URL, the machine's date and the server's certificate.
 * - `wait`: wait until `retryAt`, or for a while if it is null.
 * - `retry-later`: try again later without any change.
 * - `allow-more-time`: try again with longer time limits.
 * - `reduce-page-size`: ask for fewer records per page.
 * - `set-cursor-parameter`: find out the query parameter that takes the cursor, and set it.
 * - `resume`: resume from the last checkpoint, with a higher limit of pages.
 * - `start-again`: start without the checkpoint, or use the one of this account, address and list.
 * - `report-to-support`: tell the service's support; nothing else helps.
 * - `fix-setting`: correct the setting or argument that the error names; nothing was sent.
 */
export type Action = (typeof actions)[number]

const bodyAction = {
  json: "retry-later",
  encoding: "report-to-support",
  limits: "reduce-page-size",
} as const

/** The action for a reason. Pure and exhaustive: a new reason does not compile without one. */
export const actionOf = (reason: Reason): Action => {
  switch (reason._tag) {
    case "Unauthenticated":
      return "check-key"
    case "Forbidden":
      return "ask-for-scope"
    case "NotFound":
      return "check-id-or-address"
    case "Rejected":
      return isTransient(reason) ? "retry-later" : "check-request"
    case "NotOk":
      return "check-request"
    case "RateLimited":
      return "wait"
    case "ServerFault":
      return "retry-later"
    case "Redirected":
    case "NotTheApi":
    case "EnvelopeInvalid":
    case "ShapeMismatch":
    case "IdentityMismatch":
      return "check-address"
    case "BodyInvalid":
      return bodyAction[reason.problem]
    case "RecordInvalid":
      return "report-to-support"
    case "CursorIgnored":
    case "CursorRejected":
      return "set-cursor-parameter"
    case "PaginationStalled":
      return reason.evidence.kind === "too-many-pages" ? "resume" : "retry-later"
    case "CheckpointRefused":
      return "start-again"
    case "TransportFailed":
      return reason.phase === "tls" ? "check-certificate" : "check-network"
    case "TimedOut":
      return reason.which === "connect" ? "check-network" : "allow-more-time"
    case "BodyTooLarge":
      return "reduce-page-size"
    case "ConfigInvalid":
      return "fix-setting"
  }
}
