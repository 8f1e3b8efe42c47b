import { describe, expect, it } from "vitest"
import { estimate, presets } from "../../src/export/Presets.ts"

const presetOf = (wanted: string) => presets.find(({ name }) => name === wanted)!
const workbook = presetOf("xlsx")

describe("the limits of an export", () => {
  it("says nothing about what does not hurt", () => {
    expect(estimate(10_000, presetOf("excel"))).toMatchObject({ sheets: 1, isMuch: false })
    expect(estimate(100_000, workbook).isMuch).toBe(false)
  })

  it("speaks up for large files and further sheets", () => {
    expect(estimate(2_000_000, presetOf("excel")).isMuch).toBe(true)
    expect(estimate(1_048_576, { ...workbook, rowBytes: 1 })).toMatchObject({
      sheets: 2,
      isMuch: true,
    })
  })
})
