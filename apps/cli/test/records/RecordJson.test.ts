import { contracts } from "@deedkit/export"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { json, jsonLines, shaped } from "../../src/records/RecordText.ts"
import { columnsOf } from "../../src/records/RecordQuery.ts"

const contract = {
  id: 7,
  listing_id: null,
  kind: "rent",
  status: "active",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  unit_id: 9007199254740993n,
  unit_label: "A2",
  template_id: 1,
  listing: { id: 3, slug: "s", title: "T", city: "Athens", area: "Plaka" },
  deposit: { months: 2 },
}

const pick = (names: ReadonlyArray<string>, record: typeof contract = contract) =>
  shaped(contracts, Effect.runSync(columnsOf(contracts, names)))(record)

describe("records as JSON", () => {
  it("are as they came when no columns are asked for", () => {
    expect(shaped(contracts, null)(contract)).toBe(contract)
  })

  it("have the chosen members where the record has them", () => {
    expect(pick(["city", "id", "listing.area", "id"])).toEqual({
      listing: { city: "Athens", area: "Plaka" },
      id: 7,
    })
  })

  it("have null for a member of a listing that is not there", () => {
    expect(pick(["city"], { ...contract, listing: null as never })).toEqual({ listing: { city: null } })
  })

  it("have what is not documented at its place, and nothing where the record lacks it", () => {
    const place = { deposit: { months: 2 } }
    expect(pick(["extra.deposit.months"])).toEqual(place)
    expect(pick(["extra.deposit.months", "extra"])).toEqual(place)
    expect(pick(["extra.deposit.years", "extra.rent", "id"])).toEqual({ id: 7 })
  })

  it("keep every digit, a line each", () => {
    expect(jsonLines([pick(["unit_id"]), { text: "a\nb" }], (text) => text)).toBe(
      '{"unit_id":9007199254740993}\n{"text":"a\\nb"}',
    )
  })

  it("are without the key in texts and names, and have every digit that only looks like it", () => {
    const redact = (text: string): string => text.replaceAll("20261121", "[API key]")
    expect(json({ id: 20261121, "a 20261121": ["20261121"] }, redact)).toBe(
      '{"id":20261121,"a [API key]":["[API key]"]}',
    )
    expect(json({ id: 1 }, redact, 2)).toBe('{\n  "id": 1\n}')
  })
})
