/** What is known about a read of a list: the row of `sync_run`, whose columns are an interface. Pure. */

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
  /** Pages that an earlier process had read before an interruption; 0 for a read in one go. */
  readonly resumedAtPage: number
  /** SHA-256 of the row of the run before, of the same account and list; null for the first. */
  readonly previous: string | null
}

/** Whether a run shows that nothing is missing: its completeness is proven or confirmed, no record was rejected, and none lacks its payload. */
export const isComplete = ({ completeness, rejected, state, withoutData }: RunRow): boolean =>
  state === "finished" &&
  completeness !== null &&
  completeness !== "unverified" &&
  rejected + withoutData === 0
