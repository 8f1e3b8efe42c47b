/** Summaries of reads, for the tests of what is said about them. */
import { Fixtures } from "@deedkit/core/testing"
import type { WalkSummary } from "@deedkit/core"

/** 240 contracts in three pages that overlap, read to the end. */
export const walkSummary = (changes: Partial<WalkSummary> = {}): WalkSummary =>
  Fixtures.walkSummary({
    endedAt: "2026-03-01T09:30:02.000Z",
    pages: 3,
    records: 240,
    duplicates: 2,
    supersededDuplicates: 1,
    changedDuringWalk: 4,
    limit: 100,
    ordering: "descending",
    cursor: { parameter: "before_id", state: "verified", evidence: "the second page was another page" },
    completeness: { state: "proven", reason: "linked-pages", readings: 1, differences: 0 },
    ...changes,
  })
