import { describe, expect, it } from "vitest"
import type { ExportResult } from "@deedkit/export/run"
import { files, reading, undocumented } from "../../src/terminal/ClosingLine.ts"
import { summary } from "../harness/Summary.ts"

describe("the closing line", () => {
  it("says how many, when they were read, and whether that is all", () => {
    expect(reading(summary())).toMatch(/^1,204 contracts in 13 pages, read \d\d:00:00-\d\d:00:08, complete$/)
    const keys = summary({
      records: 1,
      pages: 1,
      collection: "api-keys",
      cursor: { parameter: "before_id", state: "single-page", evidence: null },
    })
    expect(reading(keys)).toMatch(/^1 API key in 1 page, read [\d:-]+, complete$/)
  })

  it("hides nothing that is wrong with it", () => {
    const text = reading(
      summary({
        duplicates: 1,
        retries: 2,
        rejected: 2,
        changedDuringRead: 3,
        complete: false,
        cursor: { parameter: "after", state: "unverified", evidence: null },
      }),
    )
    expect(text.replace(/read [\d:-]+/, "read FROM-TO")).toBe(
      "1,204 contracts in 13 pages, read FROM-TO, 1 duplicate, 3 changed during the read, 2 retries, 2 records rejected, end not reached",
    )
  })

  it.each([
    ["single-reading", "end reached, completeness not checked"],
    ["moving", "end reached, completeness not verified"],
    ["contradiction", "end reached, completeness not verified"],
    ["reading-failed", "end reached, completeness not verified"],
    ["cursor-unverified", "end reached, completeness not verified"],
    ["resumed", "end reached, completeness not verified"],
  ] as const)("never says complete of a list that was not shown to be: %s", (reason, words) => {
    const completeness = { state: "unverified", reason, readings: 1, differences: 0 } as const
    const text = reading(summary({ completeness }))
    expect(text).toMatch(new RegExp(`, ${words}$`))
    expect(text).not.toMatch(/, complete\b/)
  })

  it("says over what pause it was resumed, and is not complete where records changed during it", () => {
    const resumed = {
      pausedAt: "2026-03-01T14:00:00.000Z",
      resumedAt: "2026-03-01T19:00:00.000Z",
      records: 700,
      changed: 0,
      mayRepeat: false,
    }
    expect(reading(summary({ resumed }))).toMatch(/, resumed after 5 h, 700 contracts from before, complete$/)
    expect(reading(summary({ resumed: { ...resumed, changed: 1 } }))).toMatch(
      /, resumed after 5 h, 700 contracts from before, end reached, completeness not verified$/,
    )
  })

  it("says of an export how many records changed during it", () => {
    expect(reading(summary({ changedDuringRead: 28 }), { what: "export" })).toMatch(
      /, 28 changed during the export, complete$/,
    )
  })

  it("calls a list partial where records of it were rejected", () => {
    expect(reading(summary({ rejected: 12 }))).toMatch(/, 12 records rejected, partial$/)
  })

  it("counts contracts whose data was not available", () => {
    expect(reading(summary(), { withoutData: 2 })).toMatch(
      /^1,204 contracts in 13 pages, read [\d:-]+, 2 records without data, partial$/,
    )
  })

  it("names each file with its rows and size", () => {
    const file = {
      name: "contracts.csv",
      format: "csv",
      tables: { contracts: 1_204 },
      bytes: 98_304,
      sha256: "",
    }
    const manifest: ExportResult["manifest"] = {
      version: 1,
      verdict: "complete",
      reasons: [],
      evidence: [],
      madeBy: "deedkit",
      startedAt: "2026-03-01T14:00:00.000Z",
      endedAt: "2026-03-01T14:00:09.000Z",
      isResumed: false,
      origin: "https://api.example.test",
      account: { profile: null, keyFingerprint: null, me: null, meReason: "it was not asked for" },
      timeZone: "UTC",
      tables: [],
      files: [file],
      rejected: null,
      longTexts: null,
      textsChanged: {},
      newValues: [],
    }
    const result: ExportResult = {
      manifest,
      paths: [],
      rejected: null,
      longTexts: null,
      manifestPath: null,
    }
    expect(files(result)).toEqual(["contracts.csv: 1,204 rows, 98 kB."])
    const workbook = { ...file, name: "all.xlsx", format: "xlsx", tables: { contracts: 1, keys: 12 } }
    const textsChanged = { xlsx: { kind: 1, status: 2 } }
    expect(
      files({
        ...result,
        longTexts: { path: "all.xlsx.texts.ndjson", texts: 1 },
        manifest: { ...manifest, files: [{ ...file, name: "-" }, workbook], textsChanged },
      }),
    ).toEqual([
      "standard output: 1,204 rows, 98 kB.",
      "all.xlsx: contracts 1 row, keys 12 rows, 98 kB, 3 values changed to fit the format.",
      "1 text too long for a cell, saved in all.xlsx.texts.ndjson.",
    ])
  })
})

describe("members outside the specification of several accounts in one table", () => {
  const part = (columns: ReadonlyArray<string>, included: ReadonlyArray<string>) => ({
    table: "contracts",
    columns,
    undocumented: { included, excluded: [] },
  })

  it("are not counted where a manifest names only some of them", () => {
    const many = (number: number) => Array.from({ length: number }, (_, at) => `member${at}`)
    expect(undocumented([part(["extra"], many(20))])[0]).toMatch(/member9 and 10 more\.$/)
    expect(undocumented([part(["extra"], many(200))])[0]).toMatch(/member9 and at least 190 more\.$/)
  })

  it("are named once, and none is said to be in no record that one account has", () => {
    const columns = ["extra.account", "extra.city", "extra.nowhere"]
    expect(
      undocumented([part(columns, []), part(columns, ["account"]), part(columns, ["account", "city"])]),
    ).toEqual([
      "Included, not in the specification: account, city.",
      "No record has nowhere (add --data for members of the data payload).",
    ])
  })
})
