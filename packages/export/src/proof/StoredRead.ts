/** Reads that a mirror did before the export, and what an export of it says of them. */
import type { Findings } from "./Verdict.ts"

/** The mirror that the records of an export are from. */
export interface MirrorSource {
  /** The name of the account in the mirror. */
  readonly account: string
  /** The moment that was asked for, ISO 8601 UTC; null for the last read that came to its end. */
  readonly asOf: string | null
}

/** The read that a list of a mirror is from, and what is known of it beside its summary. */
export interface StoredRead {
  /** Its number in the mirror. */
  readonly run: number
  /** SHA-256 of the mirror's row about it, hexadecimal. */
  readonly sha256: string
  /** Why the list is not known to be complete, beside what its summary says. */
  readonly reasons: NonNullable<Findings["reasons"]>
  /** What shows that it is complete, in sentences; empty where it is not. */
  readonly evidence: ReadonlyArray<string>
}
