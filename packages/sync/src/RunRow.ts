/**
 * What is known about a read of a list: the row of `sync_run`, whose columns are an interface, the hash that links these rows, and whether a mirror
 * holds the records that they have left. Pure.
 */
import { hash } from "node:crypto"

/** A row by the names of its columns. Times are texts or dates, and lists of texts are JSON or arrays, as the database has them. */
export type Row = Readonly<Record<string, unknown>>

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

/** What a mirror holds of a list. */
export interface Holding {
  /** Records whose last version is not their removal. */
  readonly existing: number
  /** Those of them that are current: nothing says that their last version was replaced. */
  readonly current: number
}

/** The holding of a list without a row. */
export const nothing: Holding = { existing: 0, current: 0 }

/** How many records are missing of those that all runs of a list have left; negative for records that no run has left. */
export const missing = (left: number, { current, existing }: Holding): number =>
  left - existing || existing - current

/** A value of a column of text or numbers, as text; empty for null. */
export const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "bigint"
      ? String(value)
      : ""
/** The same, null for null. */
export const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : textOf(value)
/** A value of a column of integers as a number. NaN where the column is gone: the next statement that names it then fails for the whole mirror. */
export const numberOf = (value: unknown): number => {
  const number = Number(value)
  if (value === undefined || (value !== null && Number.isSafeInteger(number))) return number
  throw new SyntaxError("A number of a mirror is none that a sync has written")
}

/** A time as a text. */
export const moment = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : textOf(value)
/** The same, null for null. */
export const momentOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : moment(value)

/** A row of `sync_run`. */
export const runOf = (row: Row): RunRow => ({
  run: numberOf(row["run"]),
  account: textOf(row["account"]),
  collection: textOf(row["collection"]) as Collection,
  state: textOf(row["state"]) as RunRow["state"],
  startedAt: moment(row["started_at"]),
  endedAt: moment(row["ended_at"]),
  pages: numberOf(row["pages"]),
  records: numberOf(row["records"]),
  requests: numberOf(row["requests"]),
  cursorParameter: textOrNull(row["cursor_parameter"]),
  cursorState: textOrNull(row["cursor_state"]),
  cursorEvidence: textOrNull(row["cursor_evidence"]),
  completeness: textOrNull(row["completeness"]),
  reason: textOrNull(row["reason"]),
  readings: numberOf(row["readings"]),
  rejected: numberOf(row["rejected"]),
  withoutData: numberOf(row["without_data"]),
  added: numberOf(row["added"]),
  changed: numberOf(row["changed"]),
  returned: numberOf(row["returned"]),
  removed: numberOf(row["removed"]),
  unlisted: numberOf(row["unlisted"]),
  held: numberOf(row["held"]),
  resumedAtPage: numberOf(row["resumed_at_page"]),
  previous: textOrNull(row["previous"]),
})
