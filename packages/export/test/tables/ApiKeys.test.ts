import { ApiKey } from "@deedkit/core"
import { expect, it } from "@effect/vitest"
import { allColumns } from "../../src/table/Table.ts"
import { apiKeys } from "../../src/tables/ApiKeys.ts"

const key: ApiKey.ApiKey = {
  id: 7,
  name: "Accounting",
  scopes: ["read:contracts", "read:me"],
  created_at: "2025-11-03T08:00:00Z",
  last_used_at: null,
  revoked_at: null,
}

const cells = (record: ApiKey.ApiKey) =>
  Object.fromEntries(allColumns(apiKeys).map(({ get, name }) => [name, get(record)]))

it("has a column for every documented member, in the order of the specification, then one for all others", () => {
  expect(apiKeys.columns.map(({ name }) => name)).toEqual([...ApiKey.members, "extra"])
})

it("joins scopes by a space and leaves missing times empty", () => {
  expect(cells(key)).toEqual({ ...key, scopes: "read:contracts read:me", revoked: false, extra: null })
})

it("says whether a key is revoked, for the asking", () => {
  expect(cells({ ...key, revoked_at: "2026-01-01T00:00:00Z" })["revoked"]).toBe(true)
})

it("puts undocumented members into one column, and names them", () => {
  const more = { ...key, owner: "Ada" } as ApiKey.ApiKey
  expect(cells(more)["extra"]).toEqual({ owner: "Ada" })
  expect([apiKeys.undocumented?.(more), apiKeys.undocumented?.(key)]).toEqual([["owner"], []])
})
