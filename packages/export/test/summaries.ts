/** Summaries of walks, for the tests of what is said about them. */
import type { WalkSummary } from "@deedkit/core"

/** A walk of 240 contracts in three pages that reached its end. */
export const walkSummary = (changes: Partial<WalkSummary> = {}): WalkSummary => ({
  collection: "contracts",
  startedAt: "2026-03-01T09:30:00.000Z",
  pages: 3,
  records: 240,
  duplicates: 2,
  supersededDuplicates: 1,
  invalid: 0,
  changedDuringWalk: 4,
  requests: 3,
  retries: 0,
  waitedMillis: 0,
  limit: 100,
  clampedTo: null,
  ordering: "descending",
  anomalies: {},
  cursor: { parameter: "before_id", state: "verified", evidence: "the second page was another page" },
  complete: true,
  ...changes,
})
