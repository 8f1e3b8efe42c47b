import { Fixtures } from "@deedkit/core/testing"
import { describe, expect, it } from "vitest"
import { StatusByCity } from "../../src/tables/StatusByCity.ts"

const listing = { id: 1, slug: "a", title: "Loft", city: "", area: "Plaka" }

const countsOf = (pairs: ReadonlyArray<readonly [city: string | null, status: string]>) => {
  const counts = new StatusByCity()
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
    ]).table()
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
    ]).table()?.rows
    expect(rows).toEqual([{ name, counts: [2] }])
  })

  it("are twelve cities and four statuses at most, with every contract counted", () => {
    const pairs = Array.from({ length: 500 }, (_, at) => [`City ${at % 30}`, `status ${at % 7}`] as const)
    const table = countsOf(pairs).table()
    expect([table?.rows.length, table?.columns.length]).toEqual([12, 4])
    expect(table?.rows.at(-1)?.name).toBe("Other cities")
    expect(table?.rows.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count)).toBe(500)
  })

  it("keep a status that is called other apart from the rest of them", () => {
    const statuses = ["other", "other", "other", "a", "a", "b", "b", "c", "d"]
    const counts = countsOf(statuses.map((status) => ["Athens", status]))
    const total = counts.table()?.rows[0]?.counts.reduce((sum, count) => sum + count)
    expect(total).toBe(statuses.length)
  })

  it("stay few in memory, however many cities there are", () => {
    const pairs = Array.from({ length: 11_000 }, (_, at) => [`City ${at}`, "active"] as const)
    const table = countsOf(pairs).table()
    expect(table?.rows.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count)).toBe(11_000)
  })

  it("are no table where there is no contract", () => {
    expect(countsOf([]).table()).toBeNull()
  })
})
