import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Sort from "../../src/table/Sort.ts"
import type { CellKind, CellValue } from "../../src/table/Cell.ts"
import type { Table } from "../../src/table/Table.ts"

interface Row {
  readonly a: CellValue
  readonly b?: CellValue
}

const table = (kind: CellKind): Table<Row> => ({
  name: "rows",
  title: "Rows",
  columns: [
    { name: "a", label: "A", kind, get: ({ a }) => a },
    { name: "sub.b", label: "B", kind: "text", get: ({ b = null }) => b },
  ],
  onDemand: [],
})

const sorted = (kind: CellKind, by: ReadonlyArray<string>, rows: ReadonlyArray<Row>) =>
  Result.getOrThrow(Sort.parse(table(kind), by)).order(rows)

const values = (kind: CellKind, by: string, cells: ReadonlyArray<CellValue>) =>
  sorted(
    kind,
    [by],
    cells.map((a) => ({ a })),
  ).map(({ a }) => a)

describe("an order", () => {
  it.each<[CellKind, ReadonlyArray<CellValue>, ReadonlyArray<CellValue>]>([
    ["text", ["b", "A10", "", "a2", null, "B"], ["a2", "A10", "b", "B", "", null]],
    [
      "integer",
      [10, 9007199254740993n, -1, null, 9007199254740992],
      [-1, 10, 9007199254740992, 9007199254740993n, null],
    ],
    [
      "timestamp",
      ["2026-03-01T00:00:00Z", "2026-03-01T01:00:00+02:00", null, "2025-01-01T00:00:00.5Z"],
      ["2025-01-01T00:00:00.5Z", "2026-03-01T01:00:00+02:00", "2026-03-01T00:00:00Z", null],
    ],
    [
      "timestamp",
      ["2026-02-30T00:00:00Z", "2026-03-05T00:00:00Z", "0050-01-01T00:00:00Z"],
      ["0050-01-01T00:00:00Z", "2026-03-05T00:00:00Z", "2026-02-30T00:00:00Z"],
    ],
    ["boolean", [true, null, false], [false, true, null]],
    ["json", ["x", 3, { a: 1 }, 2n], [2n, 3, { a: 1 }, "x"]],
  ])("of %s goes up, with empty cells last", (kind, cells, expected) => {
    expect(values(kind, "a", cells)).toEqual(expected)
  })

  it("goes down after a minus, with empty cells last all the same", () => {
    expect(values("integer", "-a", [1, null, 3, 2])).toEqual([3, 2, 1, null])
  })

  it("asks the next column where two are equal, and else leaves them as they were", () => {
    const rows = [
      { a: 1, b: "x" },
      { a: 2, b: "y" },
      { a: 1, b: "z" },
      { a: 2, b: "y" },
    ]
    expect(sorted("integer", ["-a", "-b"], rows)).toEqual([rows[1], rows[3], rows[2], rows[0]])
    expect(sorted("integer", ["a"], rows)).toEqual([rows[0], rows[2], rows[1], rows[3]])
    expect(sorted("integer", [], rows)).toEqual(rows)
  })

  it("says itself with full names, and names the nearest column of one that there is not", () => {
    expect(Result.getOrThrow(Sort.parse(table("text"), ["-B", " a"])).texts).toEqual(["-sub.b", "a"])
    expect(Sort.parse(table("text"), ["-sub.c"])).toMatchObject({
      failure: { reason: { _tag: "ColumnUnknown", name: "sub.c", nearest: "sub.b" } },
    })
  })
})
