import { limits } from "@deedkit/export-xlsx"
import { describe, expect, it } from "vitest"
import * as Formats from "../../src/export/Formats.ts"
import { presets } from "../../src/export/Presets.ts"

describe("the formats of exports", () => {
  it("are offered under these names, the first of which is chosen at first", () => {
    expect(presets.map(({ name }) => name)).toEqual(["excel", "excel-eu", "rfc4180", "xlsx"])
  })

  it("have as many rows on a sheet as their writers", () => {
    const sheetRows = Object.fromEntries(presets.map(({ name, sheetRows }) => [name, sheetRows]))
    expect(sheetRows).toEqual({ excel: null, "excel-eu": null, rfc4180: null, xlsx: limits.maxRows })
  })

  it("call their columns by readable names, unless a program reads them", () => {
    expect(presets.map(({ name }) => Formats.headingsOf(name))).toEqual(["labels", "labels", "api", "labels"])
  })

  it.each([
    ["excel", "csv"],
    ["excel-eu", "csv"],
    ["rfc4180", "csv"],
    ["xlsx", "xlsx"],
    [null, "tsv"],
  ])("%s is written with the extension %s", async (name, extension) => {
    const { format } = await Formats.writer(name)
    expect(format.extensions[0]).toBe(extension)
  })
})
