/** Reads that a mirror did before the export, and what an export of the mirror says about them. */
import type { Findings } from "./Verdict.ts"

/** The mirror that the records of an export are from. */
export interface MirrorSource {
  /** The name of the account in the mirror. */
  readonly account: string
  /** The requested moment, ISO 8601 UTC; null for the last finished read. */
  readonly asOf: string | null
}

/** The read that a list of a mirror is from, and what is known about it besides its summary. */
export interface StoredRead {
  /** Its number in the mirror. */
  readonly run: number
  /** SHA-256 of the mirror's row about it, hexadecimal. */
  readonly sha256: string
  /** Why the list is not known to be complete, besides what its summary says. */
  readonly reasons: NonNullable<Findings["reasons"]>
  /** Evidence that the list is complete, in sentences; empty if it is not. */
  readonly evidence: ReadonlyArray<string>
}
