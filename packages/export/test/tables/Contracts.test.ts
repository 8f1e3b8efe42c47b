import { Contract } from "@deedkit/core"
import { expect, it } from "@effect/vitest"
import { allColumns } from "../../src/Table.ts"
import { contracts } from "../../src/tables/Contracts.ts"

const contract: Contract.Contract = {
  id: 4711,
  listing_id: 12,
  kind: "rent",
  status: "active",
  created_at: "2026-03-01T09:30:00Z",
  updated_at: "2026-03-02T10:00:00Z",
  unit_id: { floor: 2 },
  unit_label: "2A",
  template_id: 3,
  listing: { id: 13, slug: "harbour-loft", title: "Harbour loft", city: "Chania", area: "Old port" },
}

const cells = (record: Contract.Contract) =>
  Object.fromEntries(allColumns(contracts).map(({ get, name }) => [name, get(record)]))

it("has a column for every documented member, in every file", () => {
  const documented = [
    ...Contract.members.filter((member) => member !== "listing"),
    ...Contract.listingMembers.map((member) => `listing.${member}`),
  ]
  expect(contracts.columns.map(({ name }) => name).toSorted()).toEqual(documented.toSorted())
})

it.each(contracts.columns)("gives the column $name the member that its name says", ({ get, name }) => {
  const value = name
    .split(".")
    .reduce<unknown>((at, member) => (at as Record<string, unknown>)[member], contract)
  expect(get(contract)).toBe(value)
})

it("leaves the listing's cells empty when there is no listing", () => {
  const { listing: _, ...without } = contract
  for (const record of [without, { ...contract, listing: null, listing_id: null }]) {
    for (const member of Contract.listingMembers) expect(cells(record)[`listing.${member}`]).toBeNull()
  }
})

it("puts undocumented members into one column, for the asking", () => {
  expect(cells(contract)["extra"]).toBeNull()
  expect(cells({ ...contract, data: { rent: 9007199254740993n } } as Contract.Contract)["extra"]).toEqual({
    data: { rent: 9007199254740993n },
  })
  expect(contracts.columns.map(({ name }) => name)).not.toContain("extra")
})

it("heads every column once, and says UTC where it means it", () => {
  const all = allColumns(contracts)
  expect(new Set(all.map(({ label }) => label)).size).toBe(all.length)
  for (const { kind, label } of all) expect(label.endsWith("(UTC)")).toBe(kind === "timestamp")
})
