/**
 * What the index stores about itself, beside its rows: how far it was written, when a sync was last complete, and the sync that is under way.
 * Both records are written in the same transaction as the rows that they describe, so that they are never ahead and never behind.
 */
import type { Checkpoint, ReadSummary } from "@deedkit/core"
import type { Database } from "./Database.ts"
import type { FirstPage, Head } from "./Head.ts"

export interface IndexMeta {
  /** Number of the last write. */
  readonly sequence: number
  readonly contracts: number
  readonly listings: number
  /** End of the last complete sync, ISO 8601 UTC; null before the first. */
  readonly completedAt: string | null
  /** Records of the last complete sync that were not as specified, or that cannot be stored. */
  readonly rejected: number
  /** What the last complete sync did, as evidence for an export; absent before the first. */
  readonly summary?: ReadSummary
  /** What the first page shows, as far as the last complete read has seen it; absent if that is not known. */
  readonly head?: Head | undefined
  /** A later complete read that waits for a decision, because it would remove most contracts; absent for none. */
  readonly smaller?: SmallerList | undefined
}

export const empty: IndexMeta = {
  sequence: 0,
  contracts: 0,
  listings: 0,
  completedAt: null,
  rejected: 0,
}

/** The index record; an empty one before the first write. */
export const readIndexMeta = async (database: Database): Promise<IndexMeta> =>
  ((await database.get("meta", "index")) as IndexMeta | undefined) ?? empty

/** A sync that is under way, or was when the browser stopped the background. */
export interface SyncRecord {
  readonly startedAt: string
  /** Number of the last write before the sync: rows that are not newer at its end are gone from the service. */
  readonly after: number
  readonly pages: number
  readonly records: number
  readonly rejected: number
  /** Records that cannot be stored; absent for none. */
  readonly unstored?: number
  /** What its first page showed, and whether all pages came in an order by creation; absent before the first page. */
  readonly first?: FirstPage
  /** Where to resume; null before the first page. */
  readonly checkpoint: Checkpoint | null
  /** Contracts in the index when it began; null when no sync was ever complete. */
  readonly expected: number | null
  /** Attempts in a row that ended without a page, for the growing pause between them. */
  readonly failures: number
  /** Epoch milliseconds before which it does not resume; 0 for at once, null if it does not resume by itself. */
  readonly notBefore: number | null
  /** What the pause is for; null when there is none. */
  readonly pause: "rate-limited" | "retry" | null
}

/** A complete read that would remove most contracts. See `SyncEnd.ts`. */
export interface SmallerList {
  /** Names this list in a decision, so that no decision is applied to another list. */
  readonly id: string
  /** The read, as it ended. */
  readonly sync: SyncRecord
  /** End of the read, ISO 8601 UTC. */
  readonly completedAt: string
  /** Contracts that would be left. */
  readonly contracts: number
  /** The user has decided to use it: contracts that it lacks are being removed. */
  readonly isUsed?: true
}
