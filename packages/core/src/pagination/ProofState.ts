/** The state of a proof of completeness as a checkpoint holds it: plain JSON, from which `pagination/proof` resumes. */

/** What a checkpoint holds of a proof. */
export interface ProofState {
  readonly evidence: EvidenceState
  readonly pass: PassState
  /** Versions of the checkpoint's `recent` records. */
  readonly versions: ReadonlyArray<string>
  /** How the list began, for one by latest update; null where updates lie ahead of the service's clock, or it has none. */
  readonly top: Top | null
}

/** What the cursors and the order of a list were seen to be so far. */
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
  /** The number that the last page named; null where it named none. */
  readonly named: number | null
}

/** How far one reading of the list came. */
export interface PassState {
  readonly isConnected: boolean
  readonly isContradicted: boolean
  readonly overlaps: boolean
  readonly pages: number
  readonly largest: number
  /** Records of the window that stand after the end of the page that named the cursor. */
  readonly behind: number
}

/** How a list by latest update began: the latest `updated_at`, and the records with it that could not change without showing it. */
export interface Top {
  readonly updatedAt: string
  readonly ids: ReadonlyArray<number>
}
