/** The hash that links the rows of `sync_run`. Pure. */
import { hash } from "node:crypto"
import type { RunRow } from "./RunRow.ts"

/** The hash of an ended run, over all of its public columns in their order. */
export const hashOf = (row: RunRow): string => hash("sha256", JSON.stringify(Object.values(row)), "hex")

/**
 * The first run, of the rows of one account and list in their order, that does not hold the hash of the run before it; null for none. This finds
 * rows that were changed or deleted by mistake. It does not find deliberate changes: the hashes can be computed again.
 */
export const brokenAt = (rows: ReadonlyArray<RunRow>): number | null =>
  rows.find(({ previous }, at) => previous !== (at === 0 ? null : hashOf(rows[at - 1]!)))?.run ?? null
