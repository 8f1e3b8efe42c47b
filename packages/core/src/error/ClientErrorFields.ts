/** What an error carries, as plain data: its reason, the request, the attempts and how far the read came. No key, no header, no whole body. */
import type { ReadSummary } from "../pagination/ReadSummary.ts"
import type { Reason, ReasonTag } from "./Reason.ts"

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
  /** How far the read came; null outside of reads. */
  readonly reading: ReadSummary | null
}
