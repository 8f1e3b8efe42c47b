import { expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { allColumns, select } from "../../src/table/Table.ts"
import { apiKeys } from "../../src/tables/ApiKeys.ts"
import { contracts } from "../../src/tables/Contracts.ts"

const names = (table: ReturnType<typeof select<never>>) =>
  Result.getOrThrow(table).columns.map(({ name }) => name)

it("selects among all columns, those on demand included", () => {
  expect(names(select(contracts, ["extra", "id"]))).toEqual(["extra", "id"])
  expect(Result.getOrThrow(select(apiKeys, ["revoked", "id"])).columns.map(({ name }) => name)).toEqual([
    "revoked",
    "id",
  ])
})

it("stays what it is when columns are selected", () => {
  const table = Result.getOrThrow(select(contracts, ["id"]))
  expect([table.name, table.title]).toEqual(["contracts", "Contracts"])
  expect(allColumns(contracts)).toHaveLength(contracts.columns.length + contracts.onDemand.length)
})
