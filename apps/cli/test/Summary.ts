/** A summary of a walk for tests of words. */
import type { WalkSummary } from "@deedkit/core"

export const summary = (given: Partial<WalkSummary> = {}): WalkSummary => ({
  collection: "contracts",
  startedAt: "2026-03-01T14:00:00.000Z",
  pages: 13,
  records: 1_204,
  duplicates: 0,
  supersededDuplicates: 0,
  invalid: 0,
  changedDuringWalk: 0,
  requests: 13,
  retries: 0,
  waitedMillis: 0,
  limit: 100,
  clampedTo: null,
  ordering: "descending",
  anomalies: {},
  cursor: { parameter: "before_id", state: "verified", evidence: null },
  complete: true,
  ...given,
})
