/**
 * One page of a read, and the list envelope it is read from: `{ ok, items, next_before_id }` (Spec: Endpoints, Rules 2).
 *
 * A page holds the records that are as specified and are new in this read. A record that is not as specified does not fail its page.
 */
import type { Checkpoint } from "./Checkpoint.ts"
import type { Cursor } from "./Cursor.ts"
import type { Issue } from "../model/check.ts"
import type { Json } from "../model/Json.ts"
import type { RecordedPage } from "./Recording.ts"
import type { ReadSummary } from "./ReadSummary.ts"

/** A record that is not as specified, with the reasons. `raw` is personal data: store it as you store the records. */
export interface RejectedRecord {
  /** Null if it cannot be read. */
  readonly id: number | null
  readonly issues: ReadonlyArray<Issue>
  readonly raw: Json
}

/** One page of a read. */
export interface Page<A> {
  /** Valid records in the order of the answer, each id once in a read. */
  readonly records: ReadonlyArray<A>
  /** Newer versions of records that an earlier page returned. The older version was correct when it was read. */
  readonly superseded: ReadonlyArray<A>
  /** Records that are not as specified; always empty with `onRejected: "fail"`. */
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** The cursor of the next page; null once the list was read to its end. */
  readonly next: Cursor | null
  /** The service's id of the answer, if it sent one. */
  readonly requestId: string | null
  /** Where a later read can resume after this page. Plain JSON, without secrets. */
  readonly checkpoint: Checkpoint
  /** The summary of the read up to and including this page. */
  readonly summary: ReadSummary
  /** The recorded answer, for a read with `record`. */
  readonly recorded?: RecordedPage
}
