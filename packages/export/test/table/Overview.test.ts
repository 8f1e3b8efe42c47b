import { describe, expect, it } from "vitest"
import type { Grouping } from "../../src/table/Overview.ts"
import { mostValues, Overview } from "../../src/table/Overview.ts"

const byItself: Grouping<string | null> = { label: "Value", of: (value) => value }

const counted = (...values: ReadonlyArray<string | null>) => {
  const overview = new Overview([byItself])
  overview.add(values)
  return overview.counts().map(({ records, value }) => [value, records])
}

describe("an overview", () => {
  it("counts values over all pages, the most frequent first and equals by name", () => {
    const overview = new Overview([byItself])
    for (const page of [["b", "a", "c"], [], ["c", "é", "e"]]) overview.add(page)
    expect(overview.counts()).toEqual([
      { label: "Value", value: "c", records: 2 },
      { label: "Value", value: "a", records: 1 },
      { label: "Value", value: "b", records: 1 },
      { label: "Value", value: "e", records: 1 },
      { label: "Value", value: "é", records: 1 },
    ])
  })

  it("counts the records without a value, apart from those whose value has that name", () => {
    expect(counted(null, "null", null, "", "__proto__", "constructor")).toEqual([
      [null, 2],
      ["", 1],
      ["__proto__", 1],
      ["constructor", 1],
      ["null", 1],
    ])
  })

  it("counts texts that look the same as one, however their accents are encoded", () => {
    expect(counted("Mogán", "Mogán".normalize("NFD"), "Mogan")).toEqual([
      ["Mogán", 2],
      ["Mogan", 1],
    ])
  })

  it("has each grouping on its own, in their order", () => {
    const length: Grouping<string | null> = { label: "Length", of: (value) => String(value?.length ?? 0) }
    const overview = new Overview([length, byItself])
    overview.add(["aa", "b"])
    expect(overview.counts().map(({ label, value }) => `${label} ${value}`)).toEqual([
      "Length 1",
      "Length 2",
      "Value aa",
      "Value b",
    ])
  })

  it("of nothing says nothing", () => {
    expect(counted()).toEqual([])
    expect(new Overview([]).counts()).toEqual([])
  })

  it("names so many values and no more, and adds up the rest", () => {
    const values = Array.from({ length: mostValues }, (_, at) => String(at).padStart(3, "0"))
    expect(counted(...values)).toHaveLength(mostValues)
    const more = counted(...values, "last", "last", "z", "y")
    expect(more).toHaveLength(mostValues + 1)
    expect(more[0]).toEqual(["last", 2])
    expect(more.at(-1)).toEqual(["3 others", 3])
    expect(more.reduce((sum, [, records]) => sum + Number(records), 0)).toBe(mostValues + 4)
  })
})
