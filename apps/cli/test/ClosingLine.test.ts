import { describe, expect, it } from "vitest"
import type { ExportResult } from "@deedkit/export/run"
import { files, walk } from "../src/ClosingLine.ts"
import { summary } from "./Summary.ts"

describe("the closing line", () => {
  it("says how many, whether that is all, and why", () => {
    expect(walk(summary())).toBe(
      "1,204 contracts in 13 pages, 0 duplicates, end reached, cursor before_id verified",
    )
    expect(
      walk(
        summary({
          records: 1,
          pages: 1,
          collection: "api-keys",
          cursor: { parameter: "before_id", state: "single-page", evidence: null },
        }),
      ),
    ).toBe("1 API key in 1 page, 0 duplicates, end reached, one page, so no cursor was needed")
  })

  it("hides nothing that is wrong with it", () => {
    expect(
      walk(
        summary({
          duplicates: 1,
          invalid: 2,
          changedDuringWalk: 3,
          complete: false,
          cursor: { parameter: "after", state: "unverified", evidence: null },
        }),
      ),
    ).toBe(
      "1,204 contracts in 13 pages, 1 duplicate, 2 not as specified, 3 changed meanwhile, end not reached, cursor after not verified",
    )
  })

  it("counts contracts whose data could not be had", () => {
    expect(walk(summary(), 2)).toBe(
      "1,204 contracts in 13 pages, 0 duplicates, 2 without data, end reached, cursor before_id verified",
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
      timeZone: "UTC",
      tables: [],
      files: [file],
      rejects: null,
      longTexts: null,
      textsChanged: {},
      newValues: [],
    }
    const result: ExportResult = { manifest, paths: [], rejects: null, longTexts: null, manifestPath: null }
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
      "all.xlsx: contracts 1 row, keys 12 rows, 98 kB, 3 texts without characters that no file can hold.",
      "1 text too long for a cell, kept in all.xlsx.texts.ndjson.",
    ])
  })
})
