import { Contract } from "@deedkit/core"
import { describe, expect, it } from "@effect/vitest"
import { allColumns } from "../../src/table/Table.ts"
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

it("has a column for every documented member, and one for all others, in every file", () => {
  const documented = [
    ...Contract.members.filter((member) => member !== "listing"),
    ...Contract.listingMembers.map((member) => `listing.${member}`),
  ]
  expect(contracts.columns.map(({ name }) => name).toSorted()).toEqual([...documented, "extra"].toSorted())
  expect(contracts.columns.at(-1)?.name).toBe("extra")
})

it.each(contracts.columns.filter(({ isComputed }) => isComputed !== true))(
  "gives the column $name the member that its name says",
  ({ get, name }) => {
    const value = name
      .split(".")
      .reduce<unknown>((at, member) => (at as Record<string, unknown>)[member], contract)
    expect(get(contract)).toBe(value)
  },
)

it("leaves the listing's cells empty when there is no listing", () => {
  const { listing: _, ...without } = contract
  for (const record of [without, { ...contract, listing: null, listing_id: null }]) {
    for (const member of Contract.listingMembers) expect(cells(record)[`listing.${member}`]).toBeNull()
  }
})

describe("undocumented members", () => {
  const { listing, ...own } = contract
  const of = (record: object) => ({
    cell: cells(record as Contract.Contract)["extra"],
    paths: contracts.undocumented?.(record as Contract.Contract),
  })

  it("are one column: those of the contract, and those of its listing under its name", () => {
    expect(of({ ...contract, data: { rent: 9007199254740993n } })).toEqual({
      cell: { data: { rent: 9007199254740993n } },
      paths: ["data"],
    })
    expect(of({ ...contract, note: null, listing: { ...listing, price: 5, tags: [] } })).toEqual({
      cell: { note: null, listing: { price: 5, tags: [] } },
      paths: ["note", "listing.price", "listing.tags"],
    })
    expect(of({ ...own, note: 1 })).toEqual({ cell: { note: 1 }, paths: ["note"] })
  })

  it("are none in a contract as specified, with a listing, without one, and with null in its place", () => {
    for (const record of [contract, own, { ...own, listing: null }]) {
      expect(of(record)).toEqual({ cell: null, paths: [] })
    }
  })

  it("have a column each for the asking, those of a listing too", () => {
    const column = contracts.named?.("extra.listing.price")
    expect(column?.get({ ...contract, listing: { ...listing!, price: 5 } } as Contract.Contract)).toBe(5)
    expect(column?.get(contract)).toBeNull()
  })
})

it("heads every column once, and says UTC where it means it", () => {
  const all = allColumns(contracts)
  expect(new Set(all.map(({ label }) => label)).size).toBe(all.length)
  for (const { kind, label } of all) expect(label.endsWith("(UTC)")).toBe(kind === "timestamp")
})
