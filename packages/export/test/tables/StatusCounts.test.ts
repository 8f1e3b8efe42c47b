import { Fixtures } from "@deedkit/core/testing"
import { describe, expect, it } from "vitest"
import { StatusCounts } from "../../src/tables/StatusCounts.ts"

const listing = { id: 1, slug: "a", title: "Loft", city: "", area: "Plaka" }

const countsOf = (pairs: ReadonlyArray<readonly [city: string | null, status: string]>) => {
  const counts = new StatusCounts()
  counts.add(
    pairs.map(([city, status]) =>
      Fixtures.contract({ status, listing: city === null ? null : { ...listing, city } }),
    ),
  )
  return counts
}

describe("contracts by city and status", () => {
  it("are counted with the most frequent first, and tones for statuses that are documented", () => {
    const table = countsOf([
      ["Athens", "active"],
      ["Lisboa", "active"],
      ["Lisboa", "on_hold"],
      [null, "active"],
    ]).byCity()
    expect(table?.columns).toEqual([
      { name: "active", tone: "good" },
      { name: "on_hold", tone: null },
    ])
    expect(table?.rows).toEqual([
      { name: "Lisboa", counts: [1, 1] },
      { name: "(none)", counts: [1, 0] },
      { name: "Athens", counts: [1, 0] },
    ])
  })

  it("are of one city however its accents are encoded", () => {
    const name = "Θεσσαλονίκη"
    const rows = countsOf([
      [name.normalize("NFD"), "active"],
      [name, "active"],
    ]).byCity()?.rows
    expect(rows).toEqual([{ name, counts: [2] }])
  })

  it("are seven cities and four statuses at most, with every contract counted", () => {
    const pairs = Array.from({ length: 500 }, (_, at) => [`City ${at % 30}`, `status ${at % 7}`] as const)
    const table = countsOf(pairs).byCity()
    expect([table?.rows.length, table?.columns.length]).toEqual([7, 4])
    expect(table?.rows.at(-1)?.name).toBe("Other cities")
    expect(table?.rows.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count)).toBe(500)
  })

  it("keep a status that is called other apart from the rest of them", () => {
    const statuses = ["other", "other", "other", "a", "a", "b", "b", "c", "d"]
    const counts = countsOf(statuses.map((status) => ["Athens", status]))
    const total = counts.byCity()?.rows[0]?.counts.reduce((sum, count) => sum + count)
    expect(total).toBe(statuses.length)
  })

  it("stay few in memory, however many cities there are", () => {
    const pairs = Array.from({ length: 11_000 }, (_, at) => [`City ${at}`, "active"] as const)
    const table = countsOf(pairs).byCity()
    expect(table?.rows.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count)).toBe(11_000)
  })

  it("are no table where there is no contract", () => {
    expect(countsOf([]).byCity()).toBeNull()
  })
})

describe("contracts by year of creation and status", () => {
  const yearsOf = (dates: ReadonlyArray<string>) => {
    const counts = new StatusCounts()
    counts.add(dates.map((created_at) => Fixtures.contract({ status: "active", created_at })))
    return counts.byYear()
  }

  it("are counted with the latest year first, in UTC", () => {
    const table = yearsOf(["2024-12-31T23:30:00-01:00", "2024-01-01T00:00:00Z", "2026-05-01T00:00:00Z"])
    expect(table?.rows).toEqual([
      { name: "2026", counts: [1] },
      { name: "2025", counts: [1] },
      { name: "2024", counts: [1] },
    ])
  })

  it("are five rows at most, with every contract counted, those without a date as well", () => {
    const dates = Array.from({ length: 40 }, (_, at) => `${2026 - (at % 10)}-03-01T00:00:00Z`)
    const table = yearsOf([...dates, "soon"])
    expect(table?.rows.map(({ name, counts }) => `${name} ${counts[0]}`)).toEqual([
      "2026 4",
      "2025 4",
      "2024 4",
      "2023 4",
      "Other years 25",
    ])
  })

  it("are no table where all are of one year", () => {
    expect(yearsOf(["2026-01-01T00:00:00Z", "2026-12-01T00:00:00Z"])).toBeNull()
  })
})
