/**
 * Where a walk can go on: plain JSON that a file or a database can keep. It names the origin, the collection and a fingerprint of
 * the key, so that a walk never goes on in another account; the key itself cannot be found out from it.
 */
import type { CollectionName } from "./ServiceRequest.ts"
import type { WalkSummary } from "./WalkSummary.ts"

export interface Checkpoint {
  /** Form of this value; a checkpoint of another form is refused. */
  readonly version: 1
  readonly origin: string
  /** The first 16 hexadecimal digits of a salted SHA-256 of the key. */
  readonly keyFingerprint: string
  readonly collection: CollectionName
  /** The cursor of the next page: its type and digits, so that nothing is rounded; null when the walk was complete. */
  readonly next: { readonly type: "integer" | "string"; readonly text: string } | null
  /** The ids of the page that the cursor still has to be judged by; null once it is verified. */
  readonly unjudged: ReadonlyArray<number> | null
  readonly summary: WalkSummary
}
