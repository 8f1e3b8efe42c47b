/** Checks whether a mirror holds the records that its runs have left. This finds rows that were deleted or added by mistake. Pure. */
import type { RunRow } from "./RunRow.ts"

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
