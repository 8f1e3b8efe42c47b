import { describe, expect, it } from "vitest"
import { file, walk } from "../src/ClosingLine.ts"
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

  it("names the file with its rows and size", () => {
    const result = {
      table: "contracts",
      format: "csv",
      target: "contracts.csv",
      path: "/home/ada/contracts.csv",
      rows: 1_204,
      bytes: 98_304,
      sha256: "",
      rejects: null,
      textsChanged: {},
      summary: summary(),
    }
    expect(file(result)).toBe("contracts.csv: 1,204 rows, 98 kB")
    expect(file({ ...result, target: "-", textsChanged: { kind: 1, status: 2 } })).toBe(
      "standard output: 1,204 rows, 98 kB, 3 texts without characters that no file can hold",
    )
  })
})
