/**
 * What can be claimed about a list that was read page by page while it may have changed (Spec: Endpoints 5 and 6 show neither the meaning of the
 * cursor nor the order).
 *
 * The claim is about a window, from the first request to the last answer: every record that existed during the whole window was returned, in its
 * state at some moment of the window. Records that were created, changed or removed meanwhile may or may not have been returned. No paged read
 * shows the state of one instant.
 *
 * Some things that a client cannot observe are assumed. Every answer shows a contiguous part of one list at one moment. For a list by id,
 * nothing else is assumed. For a list by latest update, two more things are assumed: a record moves only when its `updated_at` changes, to a
 * time that is not earlier than those of all others; and a later answer does not show an earlier state, as a lagging replica might. A service
 * that ends every list after a fixed number of records, or omits some from all answers, cannot be detected.
 */

/**
 * `proven`: the list came as one page, or every page overlaps an earlier one in unchanged records, in an order in which no update can hide a
 * record. `confirmed`: the list was read again, and only records that were created, changed or removed meanwhile differed; both readings may
 * still have missed the same record. `unverified`: neither.
 */
export type CompletenessState = "proven" | "confirmed" | "unverified"

/**
 * Why a completeness state was reached.
 *
 * - `one-page`: one answer held the whole list.
 * - `linked-pages`: every page repeats unchanged records of an earlier one.
 * - `second-reading`: a further reading showed no record that was missed.
 * - `moving`: even after the last reading, records were found that an earlier one had missed.
 * - `contradiction`: the pages contradict the cursor's meaning: a record was repeated behind it, or omitted after it.
 * - `single-reading`: pages do not overlap, and nothing was read twice.
 * - `reading-failed`: a request that was made only for the proof failed; the list itself was read to its end.
 * - `cursor-unverified`: whether the cursor leads to all records could not be verified.
 * - `resumed`: pages do not overlap, and the earlier part of a resumed read cannot be compared with a second reading.
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

/** What the cursor means, inferred from its values. Used only for a proof, never for reading. */
export type CursorMeaning =
  | "none"
  | "position"
  | "position-or-id"
  | "last-id"
  | "next-id"
  | "page-number"
  | "opaque"

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
