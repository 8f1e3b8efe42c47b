/**
 * A read as it came, page by page, so that it can be gone through again without asking: what a long job keeps on disk to go on after it was
 * cut off. A read over a recording ends in the same state as the read that was recorded, its seen ids and its summary included, and resumes
 * with requests where the recording ends; `summary.resumed` says so. Answers to requests by id are not recorded: a record that was asked
 * for because a page had left it out counts as one that had been there.
 *
 * It holds people's data, like the answers themselves, and no key.
 */
import type * as Effect from "effect/Effect"
import type { CollectionName } from "../model/ServiceRequest.ts"

/** The answer of one page, and what the read had come to with it. Plain JSON. */
export interface RecordedPage {
  /** The body of the answer as it came. */
  readonly body: string
  /** False when `body` has U+FFFD where bytes of the answer could not be read: records that hold one are set aside again. Default true. */
  readonly wellEncoded?: boolean
  readonly requestId: string | null
  /** Query parameter that took the cursor, and the cursor that was sent as text; null for none. */
  readonly cursorParam: string
  readonly sent: string | null
  /** The limit that was sent; null for none. */
  readonly limit: number | null
  /** When the answer was there, ISO 8601 UTC, how long its attempt took, and the service's own clock (`Date`) if it said. */
  readonly answeredAt: string
  readonly tookMillis: number
  readonly serviceDate: string | null
  /** When the part of the read that it belongs to was resumed; null for the first part. */
  readonly resumedAt: string | null
  /** Totals of the read's summary with this page. */
  readonly requests: number
  readonly retries: number
  readonly waitedMillis: number
}

/** Whose read it was. A recording of another origin, key or collection is refused with `CheckpointRefused`. */
export interface RecordingOwner {
  readonly origin: string
  readonly keyFingerprint: string
  readonly collection: CollectionName
  /** Start of the read, ISO 8601 UTC. */
  readonly startedAt: string
}

export interface Recording extends RecordingOwner {
  /** The next page each time it is run, from the first on; null after the last. */
  readonly next: Effect.Effect<RecordedPage | null>
}
