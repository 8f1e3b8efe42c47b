import { describe, expect, it } from "vitest"
import { isApiKey } from "../../src/ApiKey.ts"
import { isContract, members } from "../../src/Contract.ts"
import { Fixtures } from "../../src/testing/index.ts"

describe("fixtures", () => {
  it("are valid records with every documented member", () => {
    expect(isContract(Fixtures.contract())).toBe(true)
    expect(Object.keys(Fixtures.contract())).toEqual(members)
    expect(isContract(Fixtures.contract({ listing_id: 3, listing: Fixtures.listing() }))).toBe(true)
    expect(isApiKey(Fixtures.apiKey())).toBe(true)
  })

  it("take each member that is given", () => {
    expect(Fixtures.contract({ id: 7, listing: Fixtures.listing({ slug: "harbour-loft" }) })).toMatchObject({
      id: 7,
      kind: "rent",
      listing: { slug: "harbour-loft", city: "Chania" },
    })
    expect(Fixtures.apiKey({ scopes: ["read:me"] })).toMatchObject({ id: 5, scopes: ["read:me"] })
  })

  it("are a new value at each call", () => {
    expect(Fixtures.contract()).not.toBe(Fixtures.contract())
    expect(Fixtures.apiKey().scopes).not.toBe(Fixtures.apiKey().scopes)
  })
})
