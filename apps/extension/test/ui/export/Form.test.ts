import { describe, expect, it } from "vitest"
import * as Form from "../../../src/ui/export/Form.ts"

const day = new Date(2026, 2, 1, 9, 30)

describe("the choice of an export", () => {
  it("begins with all contracts, named after the day", () => {
    expect(Form.requestOf(Form.initial("excel"), false, day)).toEqual({
      search: "",
      ids: null,
      preset: "excel",
      name: "contracts-2026-03-01",
    })
  })

  it("is of the contracts that were picked before, until all are wanted", () => {
    const form = Form.initial("excel", [4, 7])
    expect(Form.requestOf(form, false, day).ids).toEqual([4, 7])
    expect(Form.requestOf({ ...form, isAll: true }, false, day).ids).toBeNull()
  })

  it("is searched without blanks around it, and has no preset on the clipboard", () => {
    const form = { ...Form.initial("xlsx"), search: "  status:active " }
    expect(Form.requestOf(form, true, day)).toMatchObject({ search: "status:active", preset: null })
  })
})
