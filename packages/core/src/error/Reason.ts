/**
 * Every way in which an operation of this client can fail, as plain tagged data: it can be logged, sent over a message port and matched
 * on. No reason holds a key, a header or a whole body.
 *
 * The specification promises a single error status, 429 (Spec: Errors 1); every other classification is ours.
 */
import type { CheckpointMismatch, CursorEvidence, StallEvidence } from "../pagination/Cursor.ts"
import type { Issue } from "../model/check.ts"

/** What the body of an error answer said, for people: at most 200 characters, no control characters, the key scrubbed. */
export interface ServerSays {
  readonly status: number
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
/** 429, and the wait is longer than allowed or the attempts are used up. `retryAt` is the earliest moment that makes sense, ISO 8601. */
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
 * 3xx: redirects are never followed, because the key is bound to one origin. `location` is shown without query; it is null where none was
 * named, as with a 304, and in browsers, which do not show it.
 */
export interface Redirected {
  readonly _tag: "Redirected"
  readonly status: number
  readonly location: string | null
  readonly sameOrigin: boolean
}
/** A 2xx that is not JSON: a proxy's page, a login page, a web site. Or a 101, which is another protocol. */
export interface NotTheApi {
  readonly _tag: "NotTheApi"
  readonly status: number
  readonly contentType: string | null
}
/**
 * A 2xx that cannot be read. `problem` is `json` when its text is not JSON though its type is: cut or mixed up on its way. It is `encoding`
 * when it is JSON whose text is not UTF-8, so that some of its characters are not known.
 */
export interface BodyInvalid {
  readonly _tag: "BodyInvalid"
  readonly status: number
  readonly problem: "json" | "encoding"
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
/** A list came where one record was asked for, or the other way round. */
export interface ShapeMismatch {
  readonly _tag: "ShapeMismatch"
  readonly expected: "list" | "retrieve"
}
/** A record with another id than the one asked for. */
export interface IdentityMismatch {
  readonly _tag: "IdentityMismatch"
  readonly asked: number
  readonly got: number
}
/** The server did not obey the cursor: page 2 is not a second page. */
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
/** A read that goes in circles or nowhere. */
export interface PaginationStalled {
  readonly _tag: "PaginationStalled"
  readonly evidence: StallEvidence
}
/** A checkpoint that belongs to another read. */
export interface CheckpointRefused {
  readonly _tag: "CheckpointRefused"
  readonly mismatch: CheckpointMismatch
}
/** No usable answer: name, connection, TLS or a body that broke off. `code` is the platform's, like `ECONNREFUSED`. */
export interface TransportFailed {
  readonly _tag: "TransportFailed"
  readonly phase: "connect" | "tls" | "request" | "body"
  readonly code: string | null
  readonly detail: string
}
/** A time limit ran out. */
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

/** Every way to fail. The union is exhaustive: `match` makes the compiler ask for each. */
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

const retryableStatus: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** Whether the failure may go away by itself. Certificate errors, other statuses, `ok: false`, wrong shapes and wrong encodings do not. */
export const isTransient = (reason: Reason): boolean => {
  switch (reason._tag) {
    case "TransportFailed":
      return reason.phase !== "tls"
    case "TimedOut":
      return reason.which !== "deadline"
    case "BodyInvalid":
      return reason.problem === "json"
    case "RateLimited":
    case "ServerFault":
    case "Rejected":
      return retryableStatus.has(reason.status)
    default:
      return false
  }
}
