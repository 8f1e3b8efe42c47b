/**
 * The interface of a store of a mirror. Correctness is up to the store and not to the program that reads: each method takes effect completely or
 * not at all, a page is stored with its history and its checkpoint, and a page of a run that has moved on changes nothing.
 */
import type { Checkpoint, ReadSummary } from "@deedkit/core"
import type * as Effect from "effect/Effect"
import type { Caller } from "./Account.ts"
import type { Collection, RunRow } from "./RunRow.ts"
import type { SyncError } from "./SyncError.ts"
import type { ChangeKind, RecordVersion } from "./Version.ts"

/** A read of one list of one account: new, or one that was interrupted. */
export interface Run {
  readonly run: number
  readonly account: string
  readonly collection: Collection
  /** Pages that are stored. The next page has this number. */
  readonly pages: number
  /** Where the read resumes; null at its start. */
  readonly checkpoint: Checkpoint | null
}

/** One page of a run. */
export interface RunPage {
  readonly run: Run
  /** Its number, from 0. It is stored only if that many pages are already stored. */
  readonly page: number
  readonly checkpoint: Checkpoint
  readonly caller: Caller
  readonly versions: ReadonlyArray<RecordVersion>
  /** Every id on the page, rejected records included. */
  readonly ids: ReadonlyArray<number>
  readonly rejected: number
  /** Records whose payload was requested but not received. */
  readonly withoutData: number
  /** When the page was read, ISO 8601 UTC. */
  readonly at: string
}

/** A record of the mirror to compare with the service's. */
export type Sampled = Pick<Kept, "id" | "body" | "isIntact">

/** How a run ended. */
export interface Ending {
  readonly run: Run
  readonly summary: ReadSummary
  /** Records that are absent from a complete read and not found by id. */
  readonly removed: ReadonlyArray<number>
  /** Records that are absent from the read, and are found by id. */
  readonly unlisted: number
  readonly at: string
}

/** An account in the mirror. */
export interface AccountRow {
  readonly account: string
  readonly baseUrl: string
  /** Null if something other than a sync has deleted the row of the account; its address is then empty. */
  readonly addedAt: string | null
  /** Why the last sync of the account failed and when; null when it did not. */
  readonly problem: string | null
  readonly problemAt: string | null
  /** The last run whose held removals were accepted; null for none. */
  readonly acceptedRun: number | null
}

/** What is known about one list of an account. */
export interface ListStatus {
  readonly collection: Collection
  /** The last read that reached the end of the list; null if none did. */
  readonly last: RunRow | null
  /** The last read that was complete: proven or confirmed, with nothing rejected. */
  readonly lastComplete: RunRow | null
  /** A read that was interrupted, or is under way. */
  readonly running: RunRow | null
  /** Records in the mirror. */
  readonly records: number
  /** The first run whose row does not hold the hash of the row before it; null for none, and if the mirror was not checked. */
  readonly brokenAt: number | null
  /**
   * How many records are missing of those that the runs have left; negative for records that no run has left. Other than 0 only if something other
   * than a sync has deleted or added rows. Null if the mirror was not checked.
   */
  readonly missing: number | null
}

export interface AccountStatus extends AccountRow {
  /** Its tags, in order. */
  readonly tags: ReadonlyArray<string>
  readonly lists: ReadonlyArray<ListStatus>
}

/** One version of one record, and the one before it. */
export interface Change {
  readonly account: string
  readonly collection: Collection
  readonly id: number
  readonly version: number
  readonly change: ChangeKind
  /** Members that differ from the version before. */
  readonly members: ReadonlyArray<string>
  readonly seenAt: string
  readonly run: number
  /** JSON text of this version; null for a removed record. */
  readonly body: string | null
  /** JSON text of the version before; null if there was none. */
  readonly before: string | null
  /** The payloads of both versions, JSON text; null if none was read. */
  readonly data: string | null
  readonly dataBefore: string | null
}

/** Removals of a list that are held. */
export interface HeldList {
  readonly collection: Collection
  readonly held: number
}

/** The changes of one list of an account. */
export interface ListChanges {
  readonly account: string
  readonly collection: Collection
  /** Number of records of the first read, which were not new, only never read before. They are not among the changes. */
  readonly firstRead: number
  /** Removals that the last read of the list has held; 0 for none. */
  readonly held: number
  /** The last run of the list that has ended. */
  readonly run: number
  readonly changes: ReadonlyArray<Change>
}

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

/**
 * A list as a finished read has left it. Its records are those up to a run, not up to a moment: records that a later read stored before it was
 * interrupted do not belong to them, so that the proof of the run is one of every record.
 */
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
   * At most `most` records in descending order of ids, starting after `after`; null for the first ones. A concurrent sync does not change them. Fails
   * with `AccountUnknown` or `MomentUnknown` if another process has removed, renamed or pruned the list meanwhile.
   * Without a moment, a payload and `last_used_at` are the latest ones that the mirror has.
   */
  readonly page: (after: number | null, most: number) => Effect.Effect<ReadonlyArray<Kept>, SyncError>
}

/** Where a mirror is kept. */
export interface MirrorStore {
  /**
   * Begins a read of each list, or returns the interrupted one. An interrupted read whose last page is older than `resumeWithinMillis`, or that
   * `isFresh` forbids to resume, is abandoned. Fails with `OtherAccount` if the caller is not the account of that name.
   */
  readonly begin: (options: {
    readonly caller: Caller
    readonly collections: ReadonlyArray<Collection>
    readonly at: string
    readonly resumeWithinMillis: number
    readonly isFresh: boolean
  }) => Effect.Effect<ReadonlyArray<Run>, SyncError>
  /** Stores a page. Fails with `TakenOver` when another process has stored it, and then changes nothing. */
  readonly applyPage: (page: RunPage) => Effect.Effect<void, SyncError>
  /** Records in the mirror that no page of the run had. */
  readonly absent: (run: Run) => Effect.Effect<ReadonlyArray<number>, SyncError>
  /** Ends a run: removals, or the number of those that are held, counts and proof. Fails with `TakenOver` when another process has ended it. */
  readonly finish: (ending: Ending) => Effect.Effect<RunRow, SyncError>
  /**
   * Notes why the last sync of an account failed; null clears it. An account that the mirror does not hold yet is added, unless its address is
   * null.
   */
  readonly note: (
    caller: { readonly account: string; readonly baseUrl: string | null },
    problem: string | null,
    at: string,
  ) => Effect.Effect<void, SyncError>
  /**
   * Accepts the removals of an account that are held: the next read of the list removes that many. Returns the lists; empty if nothing is held.
   * Fails with `AccountUnknown`.
   */
  readonly accept: (account: string) => Effect.Effect<ReadonlyArray<HeldList>, SyncError>
  /** Some records of an account at random. Fails with `AccountUnknown`, and with `OtherAccount` if the caller is not that account. */
  readonly sample: (
    caller: Caller,
    collection: Collection,
    most: number,
  ) => Effect.Effect<ReadonlyArray<Sampled>, SyncError>
  /**
   * Removes versions from the history that were replaced before a moment, ISO 8601 UTC: of each record, the version that was valid at that moment
   * and all later ones stay. Of the runs of each list, the last one that had finished at that moment and all later ones stay, and those since the last
   * complete one. Returns how many versions were removed.
   */
  readonly prune: (before: string) => Effect.Effect<number, SyncError>
  /**
   * Removes an account, or one list of it, with its records, history and proof. Fails with `AccountUnknown` if the mirror holds nothing of it.
   */
  readonly forget: (account: string, collection?: Collection) => Effect.Effect<void, SyncError>
  /** Removes an account that was never read; any other one stays. */
  readonly drop: (account: string) => Effect.Effect<void, SyncError>
  /**
   * Gives an account another name, with its records, history and proof. An account of that name that was never read is replaced. Fails with
   * `AccountUnknown`, `AccountExists` and `AccountNameInvalid`.
   */
  readonly rename: (account: string, to: string) => Effect.Effect<void, SyncError>
  /** Gives accounts these tags in place of those that they have. They need not be in the mirror yet. */
  readonly tag: (tags: ReadonlyMap<string, ReadonlyArray<string>>) => Effect.Effect<void, SyncError>
  /** All accounts in the order of their names, in which numbers count, including those that have lists but whose own row is missing. Reads a few rows of each list. */
  readonly status: Effect.Effect<ReadonlyArray<AccountStatus>, SyncError>
  /** The same, from all rows of the mirror, which are counted and compared with the runs. */
  readonly check: Effect.Effect<ReadonlyArray<AccountStatus>, SyncError>
  /**
   * What changed since a moment, ISO 8601 UTC, by account and list. A run after one that ended later than that moment also counts as later, even if
   * the clock of the machine was set back. Null: what was not told, of the runs that have ended.
   */
  readonly changes: (since: string | null) => Effect.Effect<ReadonlyArray<ListChanges>, SyncError>
  /** When changes were told last, ISO 8601 UTC; null for never. */
  readonly toldAt: Effect.Effect<string | null, SyncError>
  /** Notes that the changes of lists were told, up to and including those of a run. */
  readonly tell: (
    lists: ReadonlyArray<Pick<ListChanges, "account" | "collection" | "run">>,
    at: string,
  ) => Effect.Effect<void, SyncError>
  /**
   * A list of an account as left by the last read that finished at or before a moment, page by page. Fails with `AccountUnknown`, and with
   * `MomentUnknown` if no read had finished at that moment, or if its history was pruned.
   */
  readonly snapshot: (options: SnapshotOptions) => Effect.Effect<Snapshot, SyncError>
}
