import { describe, expect, it } from "vitest"
import * as Form from "../../../src/ui/export/Form.ts"
import { facts, tables } from "./Facts.ts"

const day = new Date(2026, 2, 1, 9, 30)
const names = (form: Form.Form): ReadonlyArray<string> => Form.chosen(form).columns.map(({ name }) => name)

describe("the choice of an export", () => {
  it("begins with the usual columns of the contracts, as CSV for spreadsheets", () => {
    expect(Form.requestOf(Form.initial(facts), false, day)).toEqual({
      columns: ["id", "status", "updated_at"],
      filters: [],
      order: null,
      ids: null,
      format: "excel",
      headings: "labels",
      timeZone: "UTC",
      name: "contracts-2026-03-01",
    })
  })

  it("is of the contracts that were picked before, until all are wanted, or API keys", () => {
    const form = Form.initial(facts, [4, 7])
    expect(Form.requestOf(form, false, day).ids).toEqual([4, 7])
    expect(Form.requestOf({ ...form, isAll: true }, false, day).ids).toBeNull()
    expect(Form.requestOf({ ...form, table: "keys" }, false, day).ids).toBeNull()
  })

  it("names the file after what is in it", () => {
    const keys = { ...Form.initial(facts), table: "keys" as const, format: "xlsx" }
    expect(Form.requestOf(keys, false, day)).toMatchObject({
      name: "api-keys-2026-03-01",
      format: "xlsx",
      columns: ["id", "name"],
    })
    expect(Form.requestOf(keys, true, day).format).toBeNull()
  })

  it("moves columns one place, and no further than the ends", () => {
    const form = Form.initial(facts)
    expect(names(Form.move(form, "status", -1))).toEqual(["status", "id", "updated_at", "extra"])
    expect(names(Form.move(form, "status", 1))).toEqual(["id", "updated_at", "status", "extra"])
    expect(Form.move(form, "id", -1)).toBe(form)
    expect(Form.move(form, "extra", 1)).toBe(form)
    expect(Form.move(form, "no such", 1)).toBe(form)
  })

  it("writes the chosen columns in their order, and gives the usual ones back", () => {
    const moved = Form.move(Form.toggle(Form.initial(facts), "status", false), "updated_at", -1)
    const changed = Form.toggle(moved, "extra", true)
    expect(Form.requestOf(changed, false, day).columns).toEqual(["id", "updated_at", "extra"])
    expect(Form.requestOf(Form.resetColumns(changed, tables), false, day).columns).toEqual([
      "id",
      "status",
      "updated_at",
    ])
  })

  it("writes conditions so that a value that begins with a sign stays a value", () => {
    const added = Form.addCondition(Form.initial(facts), "status")
    const form = Form.setCondition(added, tables, 1, { value: " =x " })
    expect(Form.requestOf(form, false, day).filters).toEqual(["status===x"])
    expect(Form.requestOf(Form.removeCondition(form, 1), false, day).filters).toEqual([])
  })

  it("keeps a comparison only where the other column has it too", () => {
    const added = Form.addCondition(Form.initial(facts), "status")
    const contains = Form.setCondition(added, tables, 1, { comparison: "~", value: "a" })
    const moved = Form.setCondition(contains, tables, 1, { column: "updated_at" })
    expect(Form.chosen(moved).conditions).toEqual([
      { key: 1, column: "updated_at", comparison: "==", value: "a" },
    ])
    expect(Form.comparisons("boolean")).toEqual(["==", "!="])
  })

  it("keeps what was chosen for contracts while keys are looked at", () => {
    const contracts = Form.setOrder(Form.initial(facts), "-updated_at")
    const keys = Form.addCondition({ ...contracts, table: "keys" }, "name")
    expect(Form.requestOf(keys, false, day)).toMatchObject({ order: null, filters: ["name=="] })
    expect(Form.requestOf({ ...keys, table: "contracts" }, false, day)).toMatchObject({
      order: "-updated_at",
      filters: [],
    })
  })
})
