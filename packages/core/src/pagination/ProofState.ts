/** The state of a proof of completeness as a checkpoint holds it: plain JSON, from which `pagination/proof` resumes. */

/** The part of a proof that a checkpoint holds. */
export interface ProofState {
  readonly evidence: EvidenceState
  readonly pass: PassState
  /** Versions of the checkpoint's `recent` records. */
  readonly versions: ReadonlyArray<string>
  /** How the list began, if it is ordered by latest update; null if updates are later than the service's clock, or that clock is unknown. */
  readonly top: Top | null
}

/** What was observed so far about the cursors and the order of a list. */
export interface EvidenceState {
  readonly cursors: number
  readonly steps: number
  readonly position: boolean
  readonly lastId: boolean
  readonly nextId: boolean
  readonly pageNumber: boolean
  readonly idDown: boolean
  readonly idUp: boolean
  readonly updatedDown: boolean
  readonly updatedUp: boolean
  /** The number that the last page named as its cursor; null if it named none. */
  readonly named: number | null
}

/** The progress of one reading of the list. */
export interface PassState {
  readonly isConnected: boolean
  readonly isContradicted: boolean
  readonly overlaps: boolean
  readonly pages: number
  readonly largest: number
  /** Records of the window that stand after the end of the page that named the cursor. */
  readonly behind: number
}

/**
 * How a list by latest update began: the latest `updated_at`, and the records with that time that could not change without the change being
 * visible.
 */
export interface Top {
  readonly updatedAt: string
  readonly ids: ReadonlyArray<number>
}
