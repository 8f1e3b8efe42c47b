import { expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { add, allColumns, select } from "../src/Table.ts"
import { contracts } from "../src/tables/Contracts.ts"

const names = (table: ReturnType<typeof select<never>>) =>
  Result.getOrThrow(table).columns.map(({ name }) => name)

it("selects among all columns, those on demand included", () => {
  expect(names(select(contracts, ["extra", "id"]))).toEqual(["extra", "id"])
})

it("adds columns after its own, once", () => {
  const own = contracts.columns.map(({ name }) => name)
  expect(names(add(contracts, ["extra", "id"]))).toEqual([...own, "extra"])
})

it("stays what it is when columns are selected", () => {
  const table = Result.getOrThrow(select(contracts, ["id"]))
  expect([table.name, table.title]).toEqual(["contracts", "Contracts"])
  expect(allColumns(contracts)).toHaveLength(contracts.columns.length + contracts.onDemand.length)
})
