/**
 * One page of a read, and the list envelope it is read from: `{ ok, items, next_before_id }` (Spec: Endpoints, Rules 2).
 *
 * A page holds the records that are as specified and have not come before; a record that is not as specified does not lose its page.
 */
import type { Checkpoint } from "./Checkpoint.ts"
import type { Cursor } from "./Cursor.ts"
import type { Issue } from "../model/check.ts"
import type { Json } from "../model/Json.ts"
import type { RecordedPage } from "./Recording.ts"
import type { ReadSummary } from "./ReadSummary.ts"

/** A record that is not as specified, set aside whole with its reasons. Its `raw` is people's data: keep it where the records are kept. */
export interface RejectedRecord {
  readonly id: number | null
  readonly issues: ReadonlyArray<Issue>
  readonly raw: Json
}

export interface Page<A> {
  /** Valid records in the order in which they came, each id once in a read. */
  readonly records: ReadonlyArray<A>
  /** Newer versions of records that were given out before. The older one was right when it was read. */
  readonly superseded: ReadonlyArray<A>
  /** Records set aside; always empty with `onRejected: "fail"`. */
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** The cursor that the read goes on from; null once the list was read to its end. */
  readonly next: Cursor | null
  /** The service's id of the answer, if it sent one. */
  readonly requestId: string | null
  /** Where a later read can go on after this page. Plain JSON, without secrets. */
  readonly checkpoint: Checkpoint
  /** The read up to and with this page. */
  readonly summary: ReadSummary
  /** The answer as it came, for a read with `record`. */
  readonly recorded?: RecordedPage
}
