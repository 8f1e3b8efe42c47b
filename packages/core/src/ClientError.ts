/**
 * The one error of this client, with a tagged `reason` that says which of the ways to fail it was.
 *
 * The specification promises a single error status, 429 (Spec: Errors 1). Every other classification here is ours: such an error
 * says `documented: false`. Reasons are plain data, so that they can be logged, sent over a message port and matched on; they
 * hold no key, no header and no whole body.
 */
import * as Data from "effect/Data"
import type { CheckpointMismatch, CursorEvidence, StallEvidence } from "./Cursor.ts"
import type { Issue } from "./internal/check.ts"
import { advice, headline } from "./internal/wording.ts"
import type { WalkSummary } from "./WalkSummary.ts"

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
/** 3xx: redirects are never followed, because the key is bound to one origin. `location` is shown without query. */
export interface Redirected {
  readonly _tag: "Redirected"
  readonly status: number
  readonly location: string | null
  readonly sameOrigin: boolean
}
/** A 2xx that is not JSON: a proxy's page, a login page, a web site. */
export interface NotTheApi {
  readonly _tag: "NotTheApi"
  readonly status: number
  readonly contentType: string | null
}
/** A 2xx of JSON type whose text is not JSON: cut or mixed up on its way. */
export interface BodyInvalid {
  readonly _tag: "BodyInvalid"
  readonly status: number
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
/** A walk that goes in circles or nowhere. */
export interface PaginationStalled {
  readonly _tag: "PaginationStalled"
  readonly evidence: StallEvidence
}
/** A checkpoint that belongs to another walk. */
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

/** One attempt of a failed request: when, how it ended, what was waited for after it. */
export interface AttemptRecord {
  /** Start of the attempt, ISO 8601 UTC. */
  readonly at: string
  readonly status: number | null
  readonly requestId: string | null
  readonly reason: ReasonTag
  readonly phase: string | null
  /** Wait after this attempt in milliseconds; null when there was no further one. */
  readonly waitedMillis: number | null
  readonly why: string | null
}

export interface ClientErrorFields {
  readonly reason: Reason
  /** What was asked for, in words, and its method and path; null for errors before any request. */
  readonly request: { readonly method: string; readonly path: string; readonly subject: string } | null
  /** The service's id of the last answer, if it sent one. */
  readonly requestId: string | null
  readonly attempts: ReadonlyArray<AttemptRecord>
  /** How far the walk came; null outside of walks. */
  readonly walk: WalkSummary | null
}

const retryable: ReadonlySet<ReasonTag> = new Set<ReasonTag>([
  "RateLimited",
  "ServerFault",
  "BodyInvalid",
  "TransportFailed",
  "TimedOut",
])

/** The error of every operation of this client. */
export class ClientError extends Data.TaggedError("ClientError")<ClientErrorFields> {
  /** What happened, where, and what the reader can do. Safe to show: no key, no body, no personal data. */
  override get message(): string {
    const id = this.requestId === null ? "" : ` (request id ${this.requestId})`
    return `${headline(this)}${id}. ${advice(this)}`
  }

  /** Whether the same call may succeed later without any change. */
  get retryable(): boolean {
    const { reason } = this
    if (reason._tag === "TransportFailed") return reason.phase !== "tls"
    if (reason._tag === "Rejected") return reason.status === 408 || reason.status === 425
    return retryable.has(reason._tag)
  }

  /** Whether the specification promises this classification: true for 429 and for what never left the machine, false for every other. */
  get documented(): boolean {
    return this.reason._tag === "RateLimited" || this.reason._tag === "ConfigInvalid"
  }

  /** Plain data that is safe to send to a support desk. */
  override toJSON(): ClientErrorJson {
    return {
      error: this.reason._tag,
      message: this.message,
      retryable: this.retryable,
      documented: this.documented,
      reason: this.reason,
      request: this.request,
      requestId: this.requestId,
      attempts: this.attempts,
      walk: this.walk,
    }
  }
}

export interface ClientErrorJson extends ClientErrorFields {
  readonly error: ReasonTag
  readonly message: string
  readonly retryable: boolean
  readonly documented: boolean
}

/** Handles every reason; the compiler asks for a missing one. */
export const match = <A>(
  error: ClientError,
  handlers: { readonly [Tag in ReasonTag]: (reason: Extract<Reason, { readonly _tag: Tag }>) => A },
): A => (handlers[error.reason._tag] as (reason: Reason) => A)(error.reason)

/** Makes the error of a setting or argument that cannot work. */
export const configInvalid = (setting: string, problem: string): ClientError =>
  new ClientError({
    reason: { _tag: "ConfigInvalid", setting, problem },
    request: null,
    requestId: null,
    attempts: [],
    walk: null,
  })
