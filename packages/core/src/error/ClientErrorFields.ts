/** The data of an error, as plain values: its reason, the request, the attempts and how far the read came. No key, no header, no whole body. */
import type { ReadSummary } from "../pagination/ReadSummary.ts"
import type { Reason, ReasonTag } from "./Reason.ts"

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
