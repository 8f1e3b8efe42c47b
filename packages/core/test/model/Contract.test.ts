import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { contract, listing } from "../../src/testing/Fixtures.ts"
import { extra, isContract, issues, listingMembers, members } from "../../src/Contract.ts"
import { mutations } from "../fixtures/mutations.ts"

const good = contract({ listing_id: 3, unit_id: 77, listing: listing({ id: 3 }) })
const paths = [...members, ...listingMembers.map((member) => `listing.${member}`)]

describe("isContract", () => {
  it("takes a contract with every documented member", () => {
    expect(isContract(good)).toBe(true)
    expect(issues(good)).toEqual([])
  })

  it.each(["lease", "", "RENT"])("takes the kind and the status %j, because both are open", (value) => {
    expect(isContract({ ...good, kind: value, status: value })).toBe(true)
  })

  it.each([null, 0, "U-1", 9007199254740993n, [1], { block: "B" }, false])(
    "takes the unit_id %o: JSON, kept as it is",
    (unit_id) => {
      expect(isContract({ ...good, unit_id })).toBe(true)
    },
  )

  it("takes a listing that is null or absent", () => {
    const { listing: _, ...without } = good
    expect(isContract({ ...good, listing_id: null, listing: null })).toBe(true)
    expect(isContract({ ...without, listing_id: null })).toBe(true)
  })

  it.each([null, undefined, [], "contract", 12, true])("refuses %o, which is no object", (value) => {
    expect(isContract(value)).toBe(false)
    expect(issues(value).length).toBeGreaterThan(0)
  })

  it("agrees with issues on every damage to a contract", () => {
    fc.assert(
      fc.property(mutations(good, paths), (value) => {
        expect(isContract(value)).toBe(issues(value).length === 0)
      }),
      { numRuns: 3_000 },
    )
  })

  it("agrees with issues on every JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isContract(value)).toBe(issues(value).length === 0)
      }),
    )
  })
})

describe("issues", () => {
  it.each(members.filter((member) => member !== "listing"))("names the missing member %s", (member) => {
    const { [member]: _, ...without } = good
    expect(issues(without)).toMatchObject([{ path: member, found: "nothing" }])
  })

  it.each(listingMembers)("names the missing member listing.%s", (member) => {
    const { [member]: _, ...without } = good.listing!
    expect(issues({ ...good, listing: without })).toMatchObject([
      { path: `listing.${member}`, found: "nothing" },
    ])
  })

  it.each([
    ["id", "12", "integer", "string"],
    ["id", 1.5, "integer", "number with a fraction"],
    ["id", 9007199254740993n, "integer", "integer beyond 2^53"],
    ["listing_id", "3", "integer or null", "string"],
    ["kind", null, "string", "null"],
    ["created_at", "soon", "timestamp", "string that is no timestamp"],
    ["updated_at", 1772357400, "timestamp", "number"],
    ["listing", [], "object", "array"],
  ])("says of %s that it should not be %o", (path, value, expected, found) => {
    expect(issues({ ...good, [path]: value })).toEqual([{ path, expected, found }])
  })

  it("never shows a value", () => {
    const told = JSON.stringify(issues({ ...good, template_id: "Ada Lovelace", created_at: "Ada Lovelace" }))
    expect(told).not.toContain("Ada")
  })
})

describe("extra", () => {
  it("is empty for the documented members", () => {
    expect(extra(good)).toEqual({})
  })

  it("keeps every other member as it came", () => {
    const withData = { ...good, data: { rent: 9007199254740993n }, note: null }
    expect(extra(withData)).toEqual({ data: { rent: 9007199254740993n }, note: null })
  })
})
