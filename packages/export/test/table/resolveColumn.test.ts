import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { resolveColumn } from "../../src/table/Table.ts"
import { apiKeys } from "../../src/tables/ApiKeys.ts"
import { contracts } from "../../src/tables/Contracts.ts"

describe("a column's name", () => {
  it.each([
    ["listing.city", "listing.city"],
    ["city", "listing.city"],
    ["City", "listing.city"],
    ["id", "id"],
    ["Contract", "id"],
    ["unit", "unit_label"],
    ["Updated (UTC)", "updated_at"],
    ["listing.id", "listing.id"],
    ["listing_id", "listing_id"],
    ["extra", "extra"],
    ["extra.rent.amount", "extra.rent.amount"],
  ])("may be short where that is clear: %s is %s", (word, name) => {
    expect(Result.getOrThrow(resolveColumn(contracts, word)).name).toBe(name)
  })

  it("is guessed for a word that is none", () => {
    expect(resolveColumn(apiKeys, "last_used")).toMatchObject({
      failure: { reason: { _tag: "ColumnUnknown", name: "last_used", nearest: "last_used_at" } },
    })
  })

  it("is not a last part that two columns share", () => {
    const columns = ["a.x", "b.x"].map((name) => ({
      name,
      label: name,
      kind: "text" as const,
      get: () => null,
    }))
    const table = { name: "t", title: "T", columns, onDemand: [] }
    expect(resolveColumn(table, "x")).toMatchObject({ failure: { reason: { _tag: "ColumnUnknown" } } })
  })
})
