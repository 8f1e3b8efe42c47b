/**
 * Where a read can resume: plain JSON that a file or a database can store. It names the origin, the collection and a fingerprint of the
 * key, so that a read never resumes in another account. A random key cannot be recovered from it.
 */
import type { SavedCursor } from "./Cursor.ts"
import type { ProofState } from "./ProofState.ts"
import { isObject } from "../model/Json.ts"
import type { CollectionName } from "../model/ServiceRequest.ts"
import type { ReadSummary } from "./ReadSummary.ts"

/** Where a read can resume. `Page.checkpoint` is one; `ListOptions.from` takes one. */
export interface Checkpoint {
  /** Version of the format. Any other version is refused. */
  readonly version: 1
  readonly origin: string
  /** The first 16 hexadecimal digits of a SHA-256 over origin and key. */
  readonly keyFingerprint: string
  readonly collection: CollectionName
  /** The cursor of the next page; null when the list was read to its end. */
  readonly next: SavedCursor | null
  /** The last ids, in their order: the next page is verified against them, and may repeat them. */
  readonly recent: ReadonlyArray<number>
  /** The state of the proof, for a read with `prove`; null for any other. */
  readonly proof: ProofState | null
  readonly summary: ReadSummary
}

/** Whether a value, such as one from a file, has the form of a checkpoint. Does not check its origin, key and collection. */
export const isCheckpoint = (value: unknown): value is Checkpoint => {
  if (!isObject(value) || value["version"] !== 1) return false
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
