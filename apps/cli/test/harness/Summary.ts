/** A summary of a read for tests of words. */
import type { ReadSummary } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"

export const summary = (given: Partial<ReadSummary> = {}): ReadSummary =>
  Fixtures.readSummary({
    startedAt: "2026-03-01T14:00:00.000Z",
    endedAt: "2026-03-01T14:00:08.000Z",
    pages: 13,
    records: 1_204,
    limit: 100,
    idOrder: "descending",
    cursor: { parameter: "before_id", state: "verified", evidence: null },
    completeness: { state: "proven", reason: "linked-pages", readings: 1, differences: 0 },
    ...given,
  })
