import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { tableSchema } from "../../src/schema/TableSchema.ts"
import { contracts } from "../../src/tables/Contracts.ts"
import type { Table } from "../../src/table/Table.ts"
import { select } from "../../src/table/Table.ts"
import * as TimeZone from "../../src/table/TimeZone.ts"

const chosen = (table: typeof contracts, ...names: ReadonlyArray<string>) =>
  Result.getOrThrow(select(table, names)) as Table<never>

it("names the fields as the file does, with their types", () => {
  const table = chosen(contracts, "id", "listing.city", "unit_id", "created_at")
  expect(tableSchema(table, { headings: "labels", datetime: "%Y-%m-%d %H:%M:%S" })).toEqual({
    fields: [
      {
        name: "Contract",
        title: "Contract",
        member: "id",
        type: "integer",
        constraints: { required: true, unique: true },
      },
      { name: "City", title: "City", member: "listing.city", type: "string" },
      { name: "Unit id", title: "Unit id", member: "unit_id", type: "any" },
      {
        name: "Created (UTC)",
        title: "Created (UTC)",
        member: "created_at",
        type: "datetime",
        format: "%Y-%m-%d %H:%M:%S",
      },
    ],
    missingValues: [""],
    primaryKey: ["Contract"],
  })
  expect(tableSchema(table, { headings: "api", datetime: "default" })).toMatchObject({
    fields: [
      { name: "id" },
      { name: "listing.city" },
      { name: "unit_id" },
      { name: "created_at", format: "default" },
    ],
    primaryKey: ["id"],
  })
})

it("says that times of another zone have offsets, unless they are clocks", () => {
  const table = chosen(Result.getOrThrow(TimeZone.apply(contracts, "Europe/Athens")), "created_at")
  expect(tableSchema(table, { headings: "api", datetime: "default" })).toMatchObject({
    fields: [{ format: "any" }],
  })
  expect(tableSchema(table, { headings: "api", datetime: "%Y-%m-%dT%H:%M:%S" })).toEqual({
    fields: [expect.objectContaining({ format: "%Y-%m-%dT%H:%M:%S" })],
    missingValues: [""],
  })
})
