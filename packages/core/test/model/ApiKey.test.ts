import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apiKey } from "../../src/testing/Fixtures.ts"
import { extra, isApiKey, isRevoked, issues, members } from "../../src/ApiKey.ts"
import { mutations } from "../fixtures/mutations.ts"

const good = apiKey({ scopes: ["read:contracts", "read:something_new"] })

describe("isApiKey", () => {
  it("takes a key record with every documented member, and undocumented scopes", () => {
    expect(isApiKey(good)).toBe(true)
    expect(isApiKey({ ...good, scopes: [], last_used_at: good.created_at })).toBe(true)
  })

  it.each([null, undefined, [], "key", 5])("refuses %j, which is no object", (value) => {
    expect(isApiKey(value)).toBe(false)
    expect(issues(value).length).toBeGreaterThan(0)
  })

  it("agrees with issues on every damage to a key record", () => {
    fc.assert(
      fc.property(mutations(good, members), (value) => {
        expect(isApiKey(value)).toBe(issues(value).length === 0)
      }),
      { numRuns: 3_000 },
    )
  })

  it("agrees with issues on every JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isApiKey(value)).toBe(issues(value).length === 0)
      }),
    )
  })
})

describe("issues", () => {
  it.each(members)("names the missing member %s", (member) => {
    const { [member]: _, ...without } = good
    expect(issues(without)).toMatchObject([{ path: member, found: "nothing" }])
  })

  it("names each scope that is no text", () => {
    expect(issues({ ...good, scopes: ["read:me", 7, null] })).toEqual([
      { path: "scopes[1]", expected: "string", found: "number" },
      { path: "scopes[2]", expected: "string", found: "null" },
    ])
  })
})

describe("isRevoked", () => {
  it("is true when revoked_at is not null", () => {
    expect(isRevoked(good)).toBe(false)
    expect(isRevoked({ ...good, revoked_at: "2026-02-01T00:00:00Z" })).toBe(true)
  })
})

describe("extra", () => {
  it("keeps every member outside the documented ones", () => {
    const owned = { ...good, owner: 7 }
    expect(extra(owned)).toEqual({ owner: 7 })
  })
})
