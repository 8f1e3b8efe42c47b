import { describe, expect, it } from "vitest"
import type { TableColumn } from "../../src/terminal/TerminalTable.ts"
import { render } from "../../src/terminal/TerminalTable.ts"
import { width } from "../../src/terminal/TerminalText.ts"

const columns: ReadonlyArray<TableColumn> = [
  { heading: "Id", align: "right", shrinks: false },
  { heading: "Title", align: "left", shrinks: true },
  { heading: "City", align: "left", shrinks: true },
  { heading: "When", align: "left", shrinks: false },
]
const rows = [
  ["1", "A very long title that does not fit anywhere", "Chania", "2026-03-01 09:30"],
  ["1204", "佐藤様の非常に長い物件名", "São Paulo", "2026-03-01 09:30"],
]

describe("a table in the terminal", () => {
  it("is as wide as its texts where there is room", () => {
    expect(render(columns, rows.slice(1), { width: null })).toEqual([
      "  Id  Title                     City       When",
      "1204  佐藤様の非常に長い物件名  São Paulo  2026-03-01 09:30",
    ])
  })

  it.each([20, 30, 44, 46, 60, 70])("fits %i columns and never cuts a number or a time", (room) => {
    const lines = render(columns, rows, { width: room })
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(room)
    expect(lines[2]).toMatch(/^1204 /)
    expect(lines.join("\n")).not.toMatch(/2026-03-01[^\n]*…/)
    expect(lines[1]).toMatch(/^ +1 /)
  })

  it("does not let one endless text push the rest out of sight in a pipe", () => {
    const [, line = ""] = render(columns, [["1", "x".repeat(50_000), "Chania", ""]], { width: null })
    expect(line).toBe(`   1  ${"x".repeat(59)}…  Chania`.slice(2))
  })

  it("is only headings when there is nothing", () => {
    expect(render(columns, [], { width: 80 })).toEqual(["Id  Title  City  When"])
  })

  it("cleans headings and cells", () => {
    expect(
      render([{ heading: "A\u001B", align: "left", shrinks: true }], [["\u001B[31mred"]], { width: 80 }),
    ).toEqual(["A␛", "␛[31mred"])
  })
})
