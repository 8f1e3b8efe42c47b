/**
 * What a read over all pages of a collection did, as a value: enough to say in one line whether the result is complete, and why
 * it should be believed. Each page carries the summary up to itself; the last page's says `complete`.
 */
import type { Completeness, CursorMeaning, ListOrder, Resumption } from "./Completeness.ts"
import type { CursorVerification } from "./Cursor.ts"
import type { CollectionName } from "../model/ServiceRequest.ts"

/** Something that the specification leaves open, or contradicts, seen during a read; noted once each with a count. */
export type Anomaly =
  | "cursor-param-found"
  | "end-sentinel"
  | "empty-page"
  | "inclusive-cursor"
  | "limit-rejected"
  | "limit-clamped"
  | "listing-id-differs"
  | "timestamp-form"

/** Order in which ids came: observed, reported, never relied on (Spec: Endpoints 6). */
export type Ordering = "unknown" | "descending" | "ascending" | "mixed"

export interface ReadSummary {
  readonly collection: CollectionName
  /** The window of the read, ISO 8601 UTC: before its first request, and at its last answer so far. */
  readonly startedAt: string
  readonly endedAt: string
  /** The pause over which it was resumed; null where it was read in one go. */
  readonly resumed: Resumption | null
  /** Pages read, empty ones included. */
  readonly pages: number
  /** Records given out: valid, each id once. */
  readonly records: number
  /** Records that came again with an id seen before; the first one was given out. */
  readonly duplicates: number
  /** Records that came again because they were asked for again, by pages that overlap and by further readings. */
  readonly repeats: number
  /** Records that came again in a newer version. */
  readonly supersededDuplicates: number
  /** Records that were not as specified and were set aside. */
  readonly rejected: number
  /** Records whose `updated_at` lies after the start of the read. */
  readonly changedDuringRead: number
  readonly requests: number
  readonly retries: number
  /** Time spent waiting between attempts and for the rate limiter, in milliseconds. */
  readonly waitedMillis: number
  /** The limit that was asked for, null for none; `clampedTo` when the server gives fewer and goes on. */
  readonly limit: number | null
  readonly clampedTo: number | null
  readonly ordering: Ordering
  readonly anomalies: { readonly [Name in Anomaly]?: number }
  readonly cursor: CursorVerification
  /** What the cursor means and what the list is ordered by, as far as a read that proves its completeness has seen it. */
  readonly cursorMeaning: CursorMeaning
  readonly order: ListOrder
  /** True once the server said that there is no further page. Whether that was everything is for `completeness` to say. */
  readonly complete: boolean
  readonly completeness: Completeness
}
