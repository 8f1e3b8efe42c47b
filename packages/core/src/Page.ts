/**
 * One page of a read, and what is known of the read with it: its summary, its completeness, and where a later read can resume. All of it is
 * plain data (Spec: Endpoints, Rules 2: `{ ok, items, next_before_id }`).
 */
import type { Cursor, CursorVerification, SavedCursor } from "./internal/cursor.ts"
import { assumedParameter } from "./internal/cursor.ts"
import type { Issue } from "./internal/check.ts"
import type { Json } from "./Json.ts"
import { isObject } from "./Json.ts"
import type { CollectionName } from "./internal/serviceRequest.ts"

/** A record that is not as specified, with the reasons. `raw` is personal data: store it as you store the records. */
export interface RejectedRecord {
  /** Null if it cannot be read. */
  readonly id: number | null
  readonly issues: ReadonlyArray<Issue>
  readonly raw: Json
}

/** The answer of a page. It holds personal data, like the records, and no key. */
export interface RecordedAnswer {
  readonly body: string
  /** False when `body` has U+FFFD in place of unreadable bytes: records that hold one were rejected. */
  readonly wellEncoded: boolean
}

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
  readonly recorded?: RecordedAnswer
}

/**
 * Whether records may be missing from a list that was read page by page, and changed meanwhile or not.
 *
 * The claim covers a window, from the first request to the last answer: every record that existed during the whole window was returned, in its
 * state at some moment of the window. Records that were created, changed or removed meanwhile may or may not have been returned. No paged read
 * shows the state of one instant. `docs/pagination.md` lists what is assumed about the service.
 *
 * `proven`: the list came as one page, or it is in the order of ids and each page begins where the one before ended. `confirmed`: the list was
 * read again with another page size, and only records that were created or removed meanwhile differed; all readings may still have missed the
 * same record. `unverified`: neither.
 */
export type CompletenessState = "proven" | "confirmed" | "unverified"

/**
 * Why a completeness state was reached.
 *
 * - `one-page`: one answer held the whole list.
 * - `linked-pages`: the list is in the order of ids, and each page begins where the one before ended.
 * - `second-reading`: a further reading showed no record that was missed.
 * - `moving`: even after the last reading, records were found that an earlier one had missed.
 * - `contradiction`: the service filters by id and sorts by something else, so every reading can miss the same records.
 * - `single-reading`: nothing was checked and nothing was read twice.
 * - `reading-failed`: a request that was made only to check the list failed; the list itself was read to its end.
 * - `cursor-unverified`: whether the cursor leads to all records could not be verified.
 * - `resumed`: the list is not in the order of ids, and the earlier part of a resumed read cannot be compared with a second reading.
 * - `unfinished`: the read has not reached its end.
 */
export type CompletenessReason =
  | "one-page"
  | "linked-pages"
  | "second-reading"
  | "moving"
  | "contradiction"
  | "single-reading"
  | "reading-failed"
  | "cursor-unverified"
  | "resumed"
  | "unfinished"

/** The state of completeness that was shown for a read, and why. */
export interface Completeness {
  readonly state: CompletenessState
  readonly reason: CompletenessReason
  /** How often the list was read to its end. */
  readonly readings: number
  /** Records that one reading had and another did not have: created, changed or removed between the two, or missed. */
  readonly differences: number
}

/** What the cursor can mean, inferred from its values; `opaque` for anything else. Observed, never relied on for the next page. */
export type CursorMeaning = "none" | "position" | "position-or-id" | "last-id" | "page-number" | "opaque"

/** The order of the records within single answers. `unknown` includes every other order. */
export type OrderedBy = "id" | "updated-down" | "updated-up" | "unknown"

/** The pause of a resumed read, and what was read before it. */
export interface Resumption {
  /** The time of the last answer before the pause, and the time at which the read was resumed, ISO 8601 UTC. */
  readonly pausedAt: string
  readonly resumedAt: string
  /** Records returned before the pause; they were not read again. */
  readonly records: number
  /** Records seen after the pause that were created or updated during it. */
  readonly changed: number
  /** Whether records returned before the pause may have been returned again, because the checkpoint does not hold all their ids. */
  readonly mayRepeat: boolean
}

/** Something that the specification leaves open or that contradicts it, counted during a read. */
export type Anomaly =
  | "cursor-param-found"
  | "end-sentinel"
  | "empty-page"
  | "inclusive-cursor"
  | "limit-rejected"
  | "limit-clamped"
  | "listing-id-differs"
  | "timestamp-form"

/** The order of the ids over all pages: observed, reported, never relied on (Spec: Endpoints 6). */
export type IdOrder = "unknown" | "descending" | "ascending" | "mixed"

/** The summary of a read so far. Counts cover the whole read, even when it was resumed. */
export interface ReadSummary {
  readonly collection: CollectionName
  /** The window of the read, ISO 8601 UTC: before its first request, and at its last answer so far. */
  readonly startedAt: string
  readonly endedAt: string
  /** The pause before the read was resumed; null if it was not interrupted. */
  readonly resumed: Resumption | null
  /** Pages read, empty ones included. */
  readonly pages: number
  /** Records returned: valid, each id once. */
  readonly records: number
  /** Records whose id had come before; the first record was returned. */
  readonly duplicates: number
  /** Records that were requested again on purpose, by overlapping pages and further readings. */
  readonly repeats: number
  /** Duplicates and repeats in a newer version. */
  readonly supersededDuplicates: number
  /** Records that were rejected because they are not as specified. */
  readonly rejected: number
  /** Records whose `updated_at` lies after the start of the read, by the service's clock where its answers have one. Each id counts once, and again after a resume. */
  readonly changedDuringRead: number
  /** Requests sent, retries included. */
  readonly requests: number
  readonly retries: number
  /** Time spent waiting between attempts and for the rate limiter, in milliseconds. */
  readonly waitedMillis: number
  /** The page size that was requested, null for none; `clampedTo`: the smaller size that the server used, null if none was seen. */
  readonly limit: number | null
  readonly clampedTo: number | null
  /** Whether the ids of the whole read fell or rose. `orderedBy` says what single answers are ordered by. */
  readonly idOrder: IdOrder
  readonly anomalies: { readonly [Name in Anomaly]?: number }
  readonly cursor: CursorVerification
  /** What the cursor means and what single answers are ordered by, as far as a read with `prove` has inferred it. */
  readonly cursorMeaning: CursorMeaning
  readonly orderedBy: OrderedBy
  /** True once the server said that there is no further page. `completeness` says whether records may be missing. */
  readonly complete: boolean
  readonly completeness: Completeness
}

/** The summary of a read before its first page. */
export const unreadSummary = (collection: CollectionName, startedAt: string): ReadSummary => ({
  collection,
  startedAt,
  endedAt: startedAt,
  resumed: null,
  pages: 0,
  records: 0,
  duplicates: 0,
  repeats: 0,
  supersededDuplicates: 0,
  rejected: 0,
  changedDuringRead: 0,
  requests: 0,
  retries: 0,
  waitedMillis: 0,
  limit: null,
  clampedTo: null,
  idOrder: "unknown",
  anomalies: {},
  cursor: { parameter: assumedParameter, state: "unverified", evidence: null },
  cursorMeaning: "none",
  orderedBy: "unknown",
  complete: false,
  completeness: { state: "unverified", reason: "unfinished", readings: 0, differences: 0 },
})

/** Where a read can resume. `Page.checkpoint` is one; `ListOptions.from` takes one. Plain JSON that a file or a database can store. */
export interface Checkpoint {
  /** Version of the format. Any other version is refused. */
  readonly version: 1
  readonly origin: string
  /** The first 16 hexadecimal digits of a SHA-256 over origin and key, from which a random key cannot be recovered. */
  readonly keyFingerprint: string
  readonly collection: CollectionName
  /** The cursor of the next page; null when the list was read to its end. */
  readonly next: SavedCursor | null
  /** The last ids, in their order: the next page is verified against them, and may repeat them. */
  readonly recent: ReadonlyArray<number>
  /** What has been seen of the order, for a read with `prove`; null for any other. */
  readonly proof: ProofState | null
  readonly summary: ReadSummary
}

/** What a checkpoint holds of the order of a list. */
interface ProofState {
  readonly order: OrderSeen
  /** The ids of the first page. */
  readonly head: ReadonlyArray<number>
  /** The cursor of the page before the next one; null for the first page. */
  readonly before: SavedCursor | null
  /** Whether the service takes cursors that it did not name. */
  readonly overlaps: boolean
}

/** What the pages of one reading have shown. */
export interface OrderSeen {
  readonly falling: Direction
  readonly rising: Direction
  /** For pages that fall, each with its oldest record first. */
  readonly turned: Direction
  /** The ids of the last page, records that are not as specified included. */
  readonly page: ReadonlyArray<number>
  /** Cursors that were named, and steps from record to record within pages. */
  readonly cursors: number
  readonly steps: number
  /** Whether every cursor can be a position: the one sent, and the records of the page; or a page number. */
  readonly isPosition: boolean
  readonly isPageNumber: boolean
  /** Whether every cursor is the id of a record of its page, or of the last one. */
  readonly isNamed: boolean
  readonly isLastId: boolean
  /** Whether all records behind a cursor have ids below it, or above. */
  readonly isBelow: boolean
  readonly isAbove: boolean
  /** Whether times of updates fall or rise within pages. */
  readonly updatedDown: boolean
  readonly updatedUp: boolean
}

/** Whether ids fall (or rise) throughout, and how the pages join. */
export interface Direction {
  readonly isInOrder: boolean
  /** Whether each page begins with a record of the one before, or its cursor lies between the two. */
  readonly isJoined: boolean
  /** Whether each page begins with a record of the one before. */
  readonly isRepeated: boolean
  /** The first id, and the one that the list has come to; null before the first record. */
  readonly first: number | null
  readonly last: number | null
}

/** Whether a value, such as one from a file, has the form of a checkpoint. Does not check its origin, key and collection. */
export const isCheckpoint = (value: unknown): value is Checkpoint => {
  if (!isObject(value) || value["version"] !== 1) return false
  const { next, proof, recent, summary } = value
  return (
    isCursorOrNull(next) &&
    isIds(recent) &&
    (proof === null || isProof(proof)) &&
    isObject(summary) &&
    isObject(summary["cursor"]) &&
    isObject(summary["anomalies"])
  )
}

const isCursorOrNull = (value: unknown): boolean =>
  value === null ||
  (isObject(value) &&
    typeof value["text"] === "string" &&
    (value["type"] === "string" || (value["type"] === "integer" && /^-?\d+$/.test(value["text"]))))

const isIds = (value: unknown): boolean => Array.isArray(value) && value.every(Number.isSafeInteger)

const isProof = (value: unknown): boolean =>
  isObject(value) &&
  isIds(value["head"]) &&
  isCursorOrNull(value["before"]) &&
  isObject(value["order"]) &&
  isIds(value["order"]["page"]) &&
  isObject(value["order"]["falling"]) &&
  isObject(value["order"]["rising"]) &&
  isObject(value["order"]["turned"])
