/**
 * What is known about a read of a list: the row of `sync_run`, whose columns are an interface, the hash that links these rows, and whether a mirror
 * holds the records that they have left. Pure.
 */
import { hash } from "node:crypto"

/** The list that a run reads. */
export type Collection = "contracts" | "api-keys"

/** What a read did, and what is known about it: a row of `sync_run`. */
export interface RunRow {
  readonly run: number
  readonly account: string
  readonly collection: Collection
  /** `finished`: read to its end. `abandoned`: interrupted, and started again later. */
  readonly state: "running" | "finished" | "abandoned"
  /** The window, ISO 8601 UTC: before the first request, and at the last answer so far. */
  readonly startedAt: string
  readonly endedAt: string
  readonly pages: number
  readonly records: number
  readonly requests: number
  /** The cursor's parameter, how far it is known to work, and the evidence. */
  readonly cursorParameter: string | null
  readonly cursorState: string | null
  readonly cursorEvidence: string | null
  /** `proven`, `confirmed` or `unverified`, and the reason, as `ReadSummary.completeness` defines them. */
  readonly completeness: string | null
  readonly reason: string | null
  readonly readings: number
  /** Records that are not as specified. They are not stored, and never count as removed: the mirror keeps what it had of them. */
  readonly rejected: number
  /**
   * Records whose payload was requested but not received: gone meanwhile, refused, answered without it, or not as specified. They keep the payload
   * that they had.
   */
  readonly withoutData: number
  readonly added: number
  readonly changed: number
  readonly returned: number
  readonly removed: number
  readonly unlisted: number
  /** Records that were to be removed and are kept, because so many removals are more likely a fault of the service; 0 if nothing is held. */
  readonly held: number
  /** Pages that an earlier process had read before an interruption; 0 for a read in one go. */
  readonly resumedAtPage: number
  /** SHA-256 of the row of the run before, of the same account and list; null for the first. */
  readonly previous: string | null
}

/** Whether a run shows that nothing is missing: its completeness is proven or confirmed, no record was rejected, none lacks its payload, and no removal is held. */
export const isComplete = ({ completeness, held, rejected, state, withoutData }: RunRow): boolean =>
  state === "finished" &&
  completeness !== null &&
  completeness !== "unverified" &&
  rejected + withoutData + held === 0

/** The hash of an ended run, over all of its public columns in their order. */
export const hashOf = (row: RunRow): string => hash("sha256", JSON.stringify(Object.values(row)), "hex")

/**
 * The first run, of the rows of one account and list in their order, that does not hold the hash of the run before it; null for none. This finds
 * rows that were changed or deleted by mistake. It does not find deliberate changes: the hashes can be computed again.
 */
export const brokenAt = (rows: ReadonlyArray<RunRow>): number | null =>
  rows.find(({ previous }, at) => previous !== (at === 0 ? null : hashOf(rows[at - 1]!)))?.run ?? null

/** What a mirror holds of a list. */
export interface Holding {
  /** Current rows. */
  readonly current: number
  /** Records whose last version in the history is not their removal. */
  readonly existing: number
  /** Those of them whose current row has that version. */
  readonly matching: number
}

/** How many records a list has after these runs. */
export const recordsAfter = (runs: Iterable<RunRow>): number => {
  let records = 0
  for (const { added, removed, returned } of runs) records += added + returned - removed
  return records
}

/** How many records are missing of those that all runs of a list have left; negative for records that no run has left. */
export const missing = (left: number, { current, existing, matching }: Holding): number =>
  left - existing || existing - matching || matching - current
