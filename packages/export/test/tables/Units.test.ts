import { Fixtures } from "@deedkit/core/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LatestOfUnits } from "../../src/tables/Units.ts"

const { contract } = Fixtures

const unitsOf = (...contracts: ReadonlyArray<Parameters<typeof contract>[0]>) => {
  const units = new LatestOfUnits()
  for (const each of contracts) units.add([contract(each)])
  return [...units.pages()].flat()
}

describe("the units of contracts", () => {
  it("have the latest contract of each, and how many there are", () => {
    expect(
      unitsOf(
        { id: 1, unit_id: 7, created_at: "2025-01-01T00:00:00Z", status: "ended" },
        { id: 3, unit_id: 7, created_at: "2026-01-01T00:00:00Z", status: "active", unit_label: "A2" },
        { id: 2, unit_id: 7, created_at: "2025-06-01T00:00:00Z", status: "draft" },
      ),
    ).toMatchObject([{ unitId: 7, contract: 3, status: "active", label: "A2", contracts: 3 }])
  })

  it("prefer the higher id where two were created at once, whichever comes first", () => {
    const at = { unit_id: "x", created_at: "2026-01-01T00:00:00Z" }
    expect(unitsOf({ ...at, id: 2 }, { ...at, id: 1 })).toMatchObject([{ contract: 2 }])
    expect(unitsOf({ ...at, id: 1 }, { ...at, id: 2 })).toMatchObject([{ contract: 2 }])
  })

  it("are told apart by their id, or by listing and label where it is null", () => {
    const none = { unit_id: null, listing_id: 5 }
    expect(
      unitsOf(
        { id: 1, unit_id: 7 },
        { id: 2, unit_id: "7" },
        { id: 3, unit_id: { floor: 9007199254740993n } },
        { id: 4, ...none, unit_label: "A1" },
        { id: 5, ...none, unit_label: "A1" },
        { id: 6, ...none, unit_label: "A2" },
        { id: 7, ...none, listing_id: 6, unit_label: "A1" },
      ).map(({ contracts, unitId }) => [unitId, contracts]),
    ).toEqual(
      expect.arrayContaining([
        [7, 1],
        ["7", 1],
        [{ floor: 9007199254740993n }, 1],
        [null, 2],
      ]),
    )
  })

  it("keep timestamps as they came, also those that name no instant", () => {
    const odd = ["2026-02-30T00:00:00Z", "2026-03-01T11:30:00+02:00", "2026-03-01T09:30:00.250Z"]
    for (const created_at of ["2026-03-01T09:30:00Z", ...odd]) {
      expect(unitsOf({ created_at, updated_at: created_at })).toMatchObject([
        { createdAt: created_at, updatedAt: created_at },
      ])
    }
  })

  it("come by city, listing and label, those without a listing last", () => {
    const listing = { id: 1, slug: "a", title: "Loft", city: "Athens", area: "Plaka" }
    const rows = unitsOf(
      { id: 1, unit_id: 1, unit_label: "A10", listing },
      { id: 2, unit_id: 2, unit_label: "A2", listing },
      { id: 3, unit_id: 3, unit_label: "A1", listing: null },
      { id: 4, unit_id: 4, unit_label: "A1", listing: { ...listing, city: "Aachen" } },
    )
    expect(rows.map(({ contract: id }) => id)).toEqual([4, 2, 1, 3])
  })

  it("are as many as a plain map finds, whatever the contracts and their order", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            id: fc.integer({ min: 1, max: 50 }),
            unit_id: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom("#1", "-5", "a", null)),
            listing_id: fc.constantFrom(null, 5),
            unit_label: fc.constantFrom("", "5", "A"),
          }),
          { maxLength: 3_000 },
        ),
        (contracts) => {
          const keys = new Set(
            contracts.map(({ listing_id, unit_id, unit_label }) =>
              JSON.stringify(unit_id === null ? [listing_id, unit_label] : unit_id),
            ),
          )
          const rows = unitsOf(...contracts)
          expect(rows.length).toBe(keys.size)
          expect(rows.reduce((sum, { contracts: count }) => sum + count, 0)).toBe(contracts.length)
        },
      ),
      { numRuns: 30 },
    )
  })
})
