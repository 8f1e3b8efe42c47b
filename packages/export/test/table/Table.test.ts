import { expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { heading } from "../../src/table/Column.ts"
import type { Column } from "../../src/table/Column.ts"
import { allColumns, project, select } from "../../src/table/Table.ts"
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

const column = (name: string): Column<string> => ({
  name,
  label: name.toUpperCase(),
  kind: "text",
  get: (text) => text,
})
const named = (name: string) => (name.startsWith("extra.") ? { ...column(name), label: "Id" } : null)
const table = {
  name: "t",
  title: "T",
  columns: ["id", "status", "listing.city"].map(column),
  onDemand: [],
  named,
}
const valid = ["id", "status", "listing.city"]

const chosen = (...words: ReadonlyArray<string>) =>
  Result.match(select(table, words), {
    onSuccess: ({ columns }) => columns.map(({ name }) => name),
    onFailure: (error) => error.reason,
  })

it("has the chosen columns in the order of the words, each once, whatever word names it", () => {
  expect(chosen("listing.city", "id")).toEqual(["listing.city", "id"])
  expect(chosen("id", "City", "status", "ID", "listing.city")).toEqual(["id", "listing.city", "status"])
  expect(chosen("extra.a", "extra.a", "extra.b")).toEqual(["extra.a", "extra.b"])
})

it("has a label of its own for a column that no list holds", () => {
  const { columns } = Result.getOrThrow(
    select({ ...table, columns: [{ ...column("id"), label: "Id" }] }, ["id", "extra.a"]),
  )
  expect(columns.map(({ label }) => label)).toEqual(["Id", "extra.a"])
})

it("names the nearest column when one is unknown, and lists all", () => {
  expect(chosen("id", "stauts")).toEqual({ _tag: "ColumnUnknown", name: "stauts", nearest: "status", valid })
  expect(chosen("zzzzzz")).toEqual({ _tag: "ColumnUnknown", name: "zzzzzz", nearest: null, valid })
})

it("asks for at least one name", () => {
  expect(chosen()).toEqual({ _tag: "ColumnsMissing", valid })
})

it("heads a column for people or for machines", () => {
  expect([heading(column("id"), "labels"), heading(column("id"), "api")]).toEqual(["ID", "id"])
})

it("writes a computed column in its place, and no member of the record there", () => {
  const own = { id: 1, account: "theirs", deposit: 2 }
  const record = project<typeof own>([
    { name: "id", label: "Id", kind: "integer", get: ({ id }) => id },
    { name: "account", label: "Account", kind: "text", isComputed: true, get: () => "ours" },
    {
      name: "extra",
      label: "Extra",
      kind: "json",
      get: () => null,
      members: ({ account, deposit }) => ({ account, deposit }),
    },
  ])
  expect(record(own)).toEqual({ id: 1, account: "ours", deposit: 2 })
})
