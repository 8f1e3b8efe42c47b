import { expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { choose, heading } from "../../src/table/Column.ts"
import type { Column } from "../../src/table/Column.ts"

const column = (name: string): Column<string> => ({
  name,
  label: name.toUpperCase(),
  kind: "text",
  get: (text) => text,
})
const columns = ["id", "status", "listing.city"].map(column)

const names = (...wanted: ReadonlyArray<string>) =>
  Result.match(choose(columns, wanted), {
    onSuccess: (chosen) => chosen.map(({ name }) => name),
    onFailure: (error) => error.reason,
  })

it("chooses columns in the order of the names", () => {
  expect(names("listing.city", "id")).toEqual(["listing.city", "id"])
})

it("counts a repeated name once", () => {
  expect(names("id", "status", "id")).toEqual(["id", "status"])
})

it("names the nearest column when one is unknown, and lists all", () => {
  const valid = ["id", "status", "listing.city"]
  expect(names("id", "stauts")).toEqual({ _tag: "ColumnUnknown", name: "stauts", nearest: "status", valid })
  expect(names("City")).toEqual({ _tag: "ColumnUnknown", name: "City", nearest: "listing.city", valid })
  expect(names("zzzzzz")).toEqual({ _tag: "ColumnUnknown", name: "zzzzzz", nearest: null, valid })
})

it("asks for at least one name", () => {
  expect(names()).toEqual({ _tag: "ColumnsMissing", valid: ["id", "status", "listing.city"] })
})

it("heads a column for people or for machines", () => {
  expect([heading(column("id"), "labels"), heading(column("id"), "api")]).toEqual(["ID", "id"])
})
