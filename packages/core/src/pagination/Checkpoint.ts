/**
 * Where a read can go on: plain JSON that a file or a database can keep. It names the origin, the collection and a fingerprint of
 * the key, so that a read never goes on in another account; the key itself cannot be found out from it.
 */
import type { SavedCursor } from "./Cursor.ts"
import type { ProofState } from "./ProofState.ts"
import { isObject } from "../model/Json.ts"
import type { CollectionName } from "../model/ServiceRequest.ts"
import type { ReadSummary } from "./ReadSummary.ts"

export interface Checkpoint {
  /** Form of this value; a checkpoint of another form is refused. */
  readonly version: 2
  readonly origin: string
  /** The first 16 hexadecimal digits of a salted SHA-256 of the key. */
  readonly keyFingerprint: string
  readonly collection: CollectionName
  /** The cursor of the next page; null when the list was read to its end. */
  readonly next: SavedCursor | null
  /** The ids that came last, in their order: what the next page is judged by, and what it may repeat. */
  readonly recent: ReadonlyArray<number>
  /** What a read that proves its completeness goes on with; null for any other. */
  readonly proof: ProofState | null
  readonly summary: ReadSummary
}

/**
 * A checkpoint of the form before this one as it would be now: without a proof, and with its last answer at the start of its read, because
 * it did not say when that was. Any other value is left as it is.
 */
export const upgraded = (checkpoint: Checkpoint): Checkpoint => {
  const { proof, summary, version } = checkpoint as Partial<Checkpoint>
  if ((version as number) !== 1 || proof !== undefined || !isObject(summary)) return checkpoint
  return {
    ...checkpoint,
    version: 2,
    proof: null,
    summary: {
      ...summary,
      endedAt: summary.startedAt,
      resumed: null,
      repeats: 0,
      cursorMeaning: "none",
      order: "unknown",
      completeness: { state: "unverified", reason: "unfinished", readings: 0, differences: 0 },
    },
  }
}

/** Whether a value, such as one from a file, has the form of a checkpoint. Whose it is, is another question. */
export const isCheckpoint = (value: unknown): value is Checkpoint => {
  if (!isObject(value) || value["version"] !== 2) return false
  const { next, proof, recent, summary } = value
  const isNext =
    next === null ||
    (isObject(next) &&
      typeof next["text"] === "string" &&
      (next["type"] === "string" || (next["type"] === "integer" && /^-?\d+$/.test(next["text"]))))
  return (
    isNext &&
    Array.isArray(recent) &&
    recent.every(Number.isSafeInteger) &&
    (proof === null || isProof(proof)) &&
    isObject(summary) &&
    isObject(summary["cursor"]) &&
    isObject(summary["anomalies"])
  )
}

const isProof = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value["evidence"]) &&
  isObject(value["pass"]) &&
  Array.isArray(value["versions"]) &&
  value["versions"].every((version) => typeof version === "string") &&
  (value["top"] === null || isTop(value["top"]))

const isTop = (value: unknown): boolean =>
  isObject(value) && typeof value["updatedAt"] === "string" && Array.isArray(value["ids"])
