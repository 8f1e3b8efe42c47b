import { describe, expect, it } from "vitest"
import { formats } from "../../src/export/Formats.ts"
import * as Limits from "../../src/export/Limits.ts"

const formatOf = (wanted: string) => formats.find(({ name }) => name === wanted)!
const plan = { rows: 10_000, columns: 14, format: formatOf("excel"), isOrdered: false }
const workbook = formatOf("xlsx")

describe("the limits of an export", () => {
  it("says nothing about what does not hurt", () => {
    expect(Limits.estimate(plan)).toMatchObject({ sheets: 1, isMuch: false })
    expect(Limits.estimate({ ...plan, rows: 100_000, format: workbook }).isMuch).toBe(false)
  })

  it("speaks up for large files, further sheets, and orders of very many rows", () => {
    expect(Limits.estimate({ ...plan, rows: 2_000_000 }).isMuch).toBe(true)
    expect(Limits.estimate({ ...plan, rows: 1_048_576, columns: 1, format: workbook })).toMatchObject({
      sheets: 2,
      isMuch: true,
    })
    const many = { ...plan, rows: 800_000, columns: 10 }
    expect(Limits.estimate(many).isMuch).toBe(false)
    expect(Limits.estimate({ ...many, isOrdered: true }).isMuch).toBe(true)
  })
})
