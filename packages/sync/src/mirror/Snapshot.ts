/**
 * A list of an account as one read has left it, and what the row of that read says. Pure: both stores choose the read by it.
 *
 * The records are those up to a run and not up to a moment. What a later read has stored before it was interrupted does not belong to them, so that
 * the proof of the run holds for every record.
 */
import type * as Effect from "effect/Effect"
import type { Collection, RunRow } from "./RunRow.ts"
import type { Holding } from "./Missing.ts"
import { missing, recordsAfter } from "./Missing.ts"
import { brokenAt, hashOf } from "./RunHash.ts"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"

/** A record of a snapshot. */
export interface Kept {
  readonly id: number
  /** JSON text, as the service sent it. */
  readonly body: string
  /** JSON text of its payload; null where the mirror has none. */
  readonly data: string | null
  /** Whether the text has the hash that was stored with it. */
  readonly isIntact: boolean
}

/** Which list, and when. */
export interface SnapshotOptions {
  readonly account: string
  readonly collection: Collection
  /** ISO 8601 UTC; null for the last read that came to its end. */
  readonly at: string | null
}

/** A list as a read that came to its end has left it. */
export interface Snapshot {
  /** Origin and path prefix of the API. */
  readonly baseUrl: string
  /** The last read that came to its end at or before the moment. */
  readonly row: RunRow
  /** SHA-256 of that row: what the row of the next run has as `previous`. */
  readonly hash: string
  /** The first run whose row is not the one that the next row was written after; null for none. */
  readonly brokenAt: number | null
  /**
   * How many records of those that the runs have left are missing; negative for records that no run has left. Other than 0 only where something
   * else than a sync has deleted or added rows.
   */
  readonly missing: number
  /**
   * At most so many records in the order of falling ids, from the one after `after` on; null for the first ones. A sync at the same time does not
   * change them. Without a moment, a payload and `last_used_at` are the latest ones that the mirror has.
   */
  readonly page: (after: number | null, most: number) => Effect.Effect<ReadonlyArray<Kept>, SyncError>
}

/** The run of a snapshot, from the rows of one account and list in their order. */
export const runAt = (rows: ReadonlyArray<RunRow>, at: string | null): RunRow | null =>
  rows.findLast(({ endedAt, state }) => state === "finished" && (at === null || endedAt <= at)) ?? null

/** The proof of a snapshot that has so many records, in a mirror that holds so many now. */
export const proofOf = (
  rows: ReadonlyArray<RunRow>,
  row: RunRow,
  records: number,
  holding: Holding,
): Pick<Snapshot, "row" | "hash" | "brokenAt" | "missing"> => ({
  row,
  hash: hashOf(row),
  brokenAt: brokenAt(rows.filter(({ state }) => state !== "running")),
  missing:
    missing(recordsAfter(rows), holding) || recordsAfter(rows.filter(({ run }) => run <= row.run)) - records,
})

/**
 * Why there is no snapshot. `pruned` is the last run before which versions were removed, 0 for none: what held before it is not known.
 */
export const unknownAt = (
  rows: ReadonlyArray<RunRow>,
  { account, at, collection }: SnapshotOptions,
  pruned: number,
): SyncError => {
  const first = rows.find(({ run, state }) => state === "finished" && run >= pruned)?.endedAt ?? null
  return syncError({ _tag: "MomentUnknown", account, collection, at, first })
}
