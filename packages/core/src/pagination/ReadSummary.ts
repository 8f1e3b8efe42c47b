/**
 * The summary of a read of a collection: whether the result is complete, and the evidence. Each page has the summary up to and including itself;
 * the summary of the last page says `complete`.
 */
import type { Completeness, CursorMeaning, OrderedBy, Resumption } from "./Completeness.ts"
import { assumedParameter } from "./Cursor.ts"
import type { CursorVerification } from "./Cursor.ts"
import type { CollectionName } from "../model/ServiceRequest.ts"

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
  /** Records whose `updated_at` lies after the start of the read. */
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
