import { describe, expect, it } from "@effect/vitest"
import * as Diff from "../../src/diff/Diff.ts"
import { apiKeys } from "../../src/tables/ApiKeys.ts"
import { contracts } from "../../src/tables/Contracts.ts"

const tables = [contracts, apiKeys]

describe("names of columns", () => {
  it("are found by labels in any zone, and by themselves", () => {
    const headings = ["Contract", "Created (Europe/Athens)", "listing.city", "Rent"]
    expect(Diff.namesOf(headings, tables)).toEqual(["id", "created_at", "extra.listing.city", "extra.Rent"])
    expect(Diff.namesOf(["id", "listing.city", "Rent"], tables)).toEqual(["id", "listing.city", "Rent"])
  })

  it("are paths beside labels, where they are of members that the specification does not name", () => {
    expect(Diff.namesOf(["Contract", "data.rent", "extra.Contract"], tables)).toEqual([
      "id",
      "extra.data.rent",
      "extra.Contract",
    ])
  })
})

describe("the rows of records as JSON", () => {
  const without = {
    id: 1,
    listing_id: 3,
    kind: "rent",
    status: "active",
    created_at: "2026-03-01T09:30:00Z",
    updated_at: "2026-03-02T10:00:00Z",
    unit_id: ["a", "b"],
    unit_label: "2A",
    template_id: 3,
  }
  const whole = { ...without, listing: { id: 3, slug: "s", title: "T", city: "Chania", area: "Old port" } }
  const rowsOf = (...records: Parameters<typeof Diff.rowsOf>[0]) => Diff.rowsOf(records, tables)

  it("have every column of their table, also where one has no listing", () => {
    const [first, second] = rowsOf(without, whole)
    expect(Object.keys(first ?? {})).toEqual(contracts.columns.map(({ name }) => name))
    expect(first).toMatchObject({ id: "1", "listing.city": "", unit_id: '["a","b"]' })
    expect(second).toMatchObject({ "listing.city": "Chania", "listing.id": "3" })
  })

  it("have the chosen members alone where the rest was left out", () => {
    const { created_at: _, ...some } = without
    expect(rowsOf(without)[0]).not.toHaveProperty("listing.city")
    expect(Object.keys(rowsOf(some)[0] ?? {})).toEqual(Object.keys(some))
    expect(rowsOf({ id: 1, listing: { city: null } })).toEqual([{ id: "1", "listing.city": "" }])
    expect(rowsOf({ id: 1, scopes: ["a", "b"], revoked: false })).toEqual([
      { id: "1", scopes: "a b", revoked: "false" },
    ])
  })

  it("have what the specification does not name as other formats have it, in every row", () => {
    const records = [
      { id: 1 },
      { id: 2, name: "n", data: { rent: 5n }, listing: { city: "Chania", price: 7 } },
    ]
    const named = ["extra.data.rent", "extra.listing.price", "extra.no"]
    const rows = Diff.rowsOf(records, tables, ["id", "listing.city", ...named, "extra"])
    const cells = (rent: string, price: string) => ({
      "extra.data.rent": rent,
      "extra.listing.price": price,
      "extra.no": "",
    })
    expect(rows).toEqual([
      { id: "1", "listing.city": "", extra: "", ...cells("", "") },
      {
        id: "2",
        "listing.city": "Chania",
        extra: '{"name":"n","data":{"rent":5},"listing":{"price":7}}',
        ...cells("5", "7"),
      },
    ])
    expect(Diff.rowsOf(records, tables, ["id", "extra.data.rent"])).toEqual([
      { id: "1", "extra.data.rent": "" },
      { id: "2", "extra.data.rent": "5" },
    ])
    expect(Diff.rowsOf(records, tables)).toEqual([
      { id: "1", "listing.city": "" },
      { id: "2", "listing.city": "Chania" },
    ])
  })

  it("are those of flat records, too", () => {
    expect(rowsOf({ id: 1, "listing.city": "Chania", unit_id: ["a"], extra: { b: 1n } })).toEqual([
      { id: "1", "listing.city": "Chania", unit_id: '["a"]' },
    ])
  })

  it("are made of records that are not as specified, too", () => {
    const odd = { id: 1, name: "n", scopes: 5, created_at: {}, last_used_at: [], revoked_at: null }
    expect(rowsOf(odd)).toEqual([
      { id: "1", name: "n", scopes: "5", created_at: "{}", last_used_at: "[]", revoked_at: "" },
    ])
  })
})

describe("a comparison", () => {
  const row = (id: number, status: string) => ({
    id: String(id),
    status,
    unit_label: `Unit ${id}`,
    "listing.title": "Loft",
  })
  const before = [
    row(1, "active"),
    row(2, "active"),
    row(3, "ended"),
    { ...row(9, "x"), id: "1", status: "draft" },
  ]
  const after = [
    { id: "4", status: "draft", kind: "rent", "listing.title": "Loft" },
    { id: "3", status: "active", kind: "rent", "listing.title": "Loft" },
    { id: "2", status: "active", kind: "rent", "listing.title": "Loft" },
    { id: "1", status: "draft", kind: "rent", "listing.title": "Loft" },
  ]

  it.each([1, 2, 3, 4])(
    "says the same of rows that come in pages of %i, with the listing of each",
    (size) => {
      const comparison = new Diff.Comparison(before)
      for (let from = 0; from < after.length; from += size) comparison.add(after.slice(from, from + size))
      const difference = comparison.end()
      expect(difference).toEqual(Diff.compare(before, after))
      const same = { name: null, listing: "Loft" }
      expect(difference).toEqual({
        added: 1,
        changed: 1,
        gone: 0,
        same: 2,
        onlyBefore: ["unit_label"],
        onlyAfter: ["kind"],
        changes: [
          { change: "added", id: "4", ...same, member: null, before: null, after: null },
          { change: "changed", id: "3", ...same, member: "status", before: "ended", after: "active" },
        ],
      })
    },
  )

  it("takes of rows with one id the last one, in both", () => {
    expect(Diff.compare([row(1, "a"), row(1, "b")], [row(1, "c"), row(1, "b")])).toMatchObject({
      same: 1,
      changed: 0,
    })
  })

  it("has everything as gone where nothing came, and as added where nothing was", () => {
    expect(new Diff.Comparison(before).end()).toMatchObject({ gone: 3, added: 0, onlyBefore: [] })
    expect(Diff.compare([], after)).toMatchObject({ added: 4, gone: 0, onlyAfter: [] })
  })

  it("does not see what no workbook can hold", () => {
    expect(Diff.textOf("a\0b\u0007c\uFFFEd\ud800\r\ne")).toBe("abcd\uFFFD\r\ne")
  })
})
