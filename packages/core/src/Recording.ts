/**
 * The recorded answers of a read, so that a long job can store them on disk and replay them after an interruption. A read over a recording
 * reaches the same state as the recorded read, its seen ids and its summary included, and resumes with requests where the recording ends;
 * `summary.resumed` says so. Answers to requests by id are not recorded: a record that was requested because a page had omitted it counts as
 * one that existed unchanged at that time.
 *
 * It holds personal data, like the answers themselves, and no key.
 */
import type * as Effect from "effect/Effect"
import type { CollectionName } from "./model/ServiceRequest.ts"

/** The answer of one page and the totals of the read with it. Plain JSON. */
export interface RecordedPage {
  /** The body of the answer, unchanged. */
  readonly body: string
  /** False when `body` has U+FFFD in place of unreadable bytes: records that hold one are rejected again. Default true. */
  readonly wellEncoded?: boolean
  readonly requestId: string | null
  /** Query parameter that took the cursor, and the cursor that was sent as text; null for none. */
  readonly cursorParam: string
  readonly sent: string | null
  /** The limit that was sent; null for none. */
  readonly limit: number | null
  /** When the answer arrived, ISO 8601 UTC; how long its attempt took; and its `Date` header, if it had one. */
  readonly answeredAt: string
  readonly tookMillis: number
  readonly serviceDate: string | null
  /** When the part of the read to which it belongs was resumed, ISO 8601 UTC; null for the first part. */
  readonly resumedAt: string | null
  /** Totals of the read's summary, including this page. */
  readonly requests: number
  readonly retries: number
  readonly waitedMillis: number
}

/** The read that was recorded. A recording of another origin, key or collection is refused with `CheckpointRefused`. */
export interface RecordingOwner {
  readonly origin: string
  readonly keyFingerprint: string
  readonly collection: CollectionName
  /** Start of the read, ISO 8601 UTC. */
  readonly startedAt: string
}

/** A recorded read. */
export interface Recording extends RecordingOwner {
  /** Gives the next page each time it is run, starting with the first; null after the last. */
  readonly next: Effect.Effect<RecordedPage | null>
}
