/**
 * A list of an account as one read has left it, and what the row of that read says. Pure: both stores use it to choose the read.
 *
 * The records are those up to a run, not up to a moment. Records that a later read stored before it was interrupted do not belong to them, so that
 * the proof of the run holds for every record.
 */
import type * as Effect from "effect/Effect"
import type { Collection, Holding, RunRow } from "./RunRow.ts"
import { brokenAt, hashOf, missing, recordsAfter } from "./RunRow.ts"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"

/** A record of a snapshot. */
export interface Kept {
  readonly id: number
  /** JSON text, as the service sent it. */
  readonly body: string
  /** JSON text of its payload; null if the mirror has none. */
  readonly data: string | null
  /** Whether the text has the hash that was stored with it. */
  readonly isIntact: boolean
}

/** Which list, and when. */
export interface SnapshotOptions {
  readonly account: string
  readonly collection: Collection
  /** ISO 8601 UTC; null for the last finished read. */
  readonly at: string | null
}

/** A list as a finished read has left it. */
export interface Snapshot {
  /** Origin and path prefix of the API. */
  readonly baseUrl: string
  /** The last read that finished at or before the moment. */
  readonly row: RunRow
  /** SHA-256 of that row, which the row of the next run holds as `previous`. */
  readonly hash: string
  /** The first run whose row does not hold the hash of the row before it; null for none. */
  readonly brokenAt: number | null
  /**
   * How many records are missing of those that the runs have left; negative for records that no run has left. Other than 0 only if something other
   * than a sync has deleted or added rows.
   */
  readonly missing: number
  /**
   * At most `most` records in descending order of ids, starting after `after`; null for the first ones. A concurrent sync does not change them.
   * Without a moment, a payload and `last_used_at` are the latest ones that the mirror has.
   */
  readonly page: (after: number | null, most: number) => Effect.Effect<ReadonlyArray<Kept>, SyncError>
}

/** The run of a snapshot, from the rows of one account and list in their order. */
export const runAt = (rows: ReadonlyArray<RunRow>, at: string | null): RunRow | null =>
  rows.findLast(({ endedAt, state }) => state === "finished" && (at === null || endedAt <= at)) ?? null

/** The proof of a snapshot with `records` records, in a mirror that now holds `holding`. */
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
 * Why there is no snapshot. `pruned` is the last run before which versions were removed, 0 for none: the state before that run is not known.
 */
export const unknownAt = (
  rows: ReadonlyArray<RunRow>,
  { account, at, collection }: SnapshotOptions,
  pruned: number,
): SyncError => {
  const first = rows.find(({ run, state }) => state === "finished" && run >= pruned)?.endedAt ?? null
  return syncError({ _tag: "MomentUnknown", account, collection, at, first })
}
