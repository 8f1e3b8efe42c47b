import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apiKeys, contracts, list, me, retrieve, target } from "../../src/internal/serviceRequest.ts"

describe("list", () => {
  it.each([
    [contracts, "/v1/contracts/", "read:contracts", "a page of contracts"],
    [apiKeys, "/v1/api-keys/", "read:api_keys", "a page of API keys"],
  ])("of $name names path, scope, member and subject", (collection, path, scope, subject) => {
    expect(list(collection, {})).toEqual({
      method: "GET",
      path,
      query: [],
      form: "list",
      scope,
      member: "items",
      subject,
    })
  })

  it("sends a limit only when given, and the cursor behind it", () => {
    expect(target(list(contracts, {}))).toBe("/v1/contracts/")
    expect(target(list(contracts, { limit: 100 }))).toBe("/v1/contracts/?limit=100")
    expect(target(list(contracts, { limit: 1, cursor: ["before_id", "12"] }))).toBe(
      "/v1/contracts/?limit=1&before_id=12",
    )
  })
})

describe("retrieve", () => {
  it("asks by id, and for the payload with include_data=1 only when wished", () => {
    expect(target(retrieve(contracts, 12))).toBe("/v1/contracts/?id=12")
    expect(target(retrieve(contracts, 12, { includeData: false }))).toBe("/v1/contracts/?id=12")
    expect(target(retrieve(contracts, 12, { includeData: true }))).toBe("/v1/contracts/?id=12&include_data=1")
    expect(target(retrieve(apiKeys, 3))).toBe("/v1/api-keys/?id=3")
  })

  it("names the member that holds the record, and what is asked for", () => {
    expect(retrieve(contracts, 12)).toMatchObject({ member: "contract", subject: "contract 12" })
    expect(retrieve(apiKeys, 3)).toMatchObject({ member: "api_key", subject: "API key 3" })
  })
})

describe("me", () => {
  it("has no query and no scope, because none is documented", () => {
    expect(target(me)).toBe("/v1/me/")
    expect(me).toMatchObject({ form: "free", scope: null, member: null })
  })
})

describe("target", () => {
  it("carries every cursor so that a server reads the same text", () => {
    const text = fc.string({ minLength: 1, unit: "binary" }).filter((it) => it.isWellFormed())
    fc.assert(
      fc.property(text, text, (name, value) => {
        const url = new URL(target(list(contracts, { cursor: [name, value] })), "https://api.example.test")
        expect([...url.searchParams]).toEqual([[name, value]])
        expect(url.pathname).toBe("/v1/contracts/")
      }),
    )
  })
})
