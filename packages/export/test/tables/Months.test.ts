import { Fixtures } from "@deedkit/core/testing"
import { describe, expect, it } from "vitest"
import { MonthCounts } from "../../src/tables/Months.ts"

const monthsOf = (...contracts: ReadonlyArray<Parameters<typeof Fixtures.contract>[0]>) => {
  const counts = new MonthCounts()
  counts.add(contracts.map((each) => Fixtures.contract(each)))
  return counts.rows()
}

describe("the months of contracts", () => {
  it("count what was created and last updated, and of that what has ended, the latest first", () => {
    expect(
      monthsOf(
        { created_at: "2026-01-31T23:59:59Z", updated_at: "2026-02-01T00:00:00Z", status: "ended" },
        { created_at: "2026-02-01T00:00:00Z", updated_at: "2026-02-03T00:00:00Z", status: "active" },
      ),
    ).toEqual([
      { month: "2026-02", created: 1, updated: 2, ended: 1 },
      { month: "2026-01", created: 1, updated: 0, ended: 0 },
    ])
  })

  it("are those of UTC, and a timestamp that names no instant has a row of its own, the last", () => {
    expect(monthsOf({ created_at: "2026-03-01T01:00:00+02:00", updated_at: "2026-02-30T00:00:00Z" })).toEqual(
      [
        { month: "2026-02", created: 1, updated: 0, ended: 0 },
        { month: null, created: 0, updated: 1, ended: expect.any(Number) as number },
      ],
    )
  })
})
