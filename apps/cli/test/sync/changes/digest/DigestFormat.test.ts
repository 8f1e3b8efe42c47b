import { describe, expect, it } from "vitest"
import { Failure } from "../../../../src/failure/Failure.ts"
import type { Asked } from "../../../../src/sync/changes/digest/DigestFormat.ts"
import { choose } from "../../../../src/sync/changes/digest/DigestFormat.ts"

const chosen = (given: Partial<Asked>): string => {
  const found = choose({ format: undefined, json: false, out: undefined, ...given })
  return found instanceof Failure ? found.message : found
}

describe("the form of a digest", () => {
  it.each([
    [{}, "text"],
    [{ json: true }, "json"],
    [{ json: true, format: "json" }, "json"],
    [{ format: "html" }, "html"],
    [{ out: "-" }, "text"],
    [{ out: "-", format: "xlsx" }, "xlsx"],
    [{ out: "a.b/week.HTML" }, "html"],
    [{ out: "week.htm" }, "html"],
    [{ out: "week.markdown" }, "md"],
    [{ out: "week.xlsx" }, "xlsx"],
    [{ out: "week.txt" }, "text"],
    [{ out: "week.log", format: "md" }, "md"],
    [{ out: "week.html", format: "md" }, "md"],
    [{ out: "week.log", json: true }, "json"],
  ] as const)("asked for by %j is %s", (given, format) => {
    expect(chosen(given)).toBe(format)
  })

  it.each([
    [{ json: true, format: "md" }, "--json and --format md cannot be combined."],
    [{ json: true, out: "week.html" }, "--json and --out week.html cannot be combined."],
    [{ out: "week" }, "Unknown format for --out week. Use one of the endings .txt .md .html .json .xlsx"],
    [{ out: "week.constructor" }, "Unknown format for --out week.constructor."],
    [{ format: "xlsx" }, "Missing --out FILE. A workbook is a file"],
  ] as const)("asked for by %j is refused", (given, problem) => {
    expect(chosen(given)).toContain(problem)
  })
})
