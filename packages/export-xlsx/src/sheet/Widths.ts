/**
 * How wide columns are: as 95 of 100 texts of the first page need it, so that one odd text does not make a column 60 wide. Headings may take two
 * lines.
 */
import { Cell } from "@deedkit/export"
import type { Column } from "@deedkit/export"

const least = 8
const most = 42
/** In columns whose texts may take several lines. */
const mostWrapped = 40
/** A row of one cell must not fill the screen. */
const mostLines = 12
/** Room for the arrow of the filter, at the sides, and for the indent of amounts. */
const padding = { heading: 4.5, cell: 2, amount: 2 }
const timestampWidth = 20
/** Records that are looked at. */
const sample = 500
const share = 0.95
/** A short heading stays on one line. */
const oneLine = 14

/** Characters that take twice the room: East Asian scripts and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/gu

const room = (text: string): number => {
  const line = text.slice(0, most + 1).split("\n", 1)[0] ?? ""
  return line.length + (line.match(wide)?.length ?? 0)
}

const headingRoom = (heading: string): number => {
  const longestWord = Math.max(...heading.split(" ").map(room))
  return Math.max(longestWord + padding.heading, Math.min(room(heading) + padding.heading, oneLine))
}

/** The widths in characters. */
export const of = <A>(
  columns: ReadonlyArray<Column.Column<A>>,
  headings: ReadonlyArray<string>,
  records: ReadonlyArray<A>,
): ReadonlyArray<number> =>
  columns.map(({ get, kind, role, wraps = false }, at) => {
    const cells = records
      .slice(0, sample)
      .map((record) => {
        const value = Cell.scalar(get(record))
        if (value === null) return 0
        return kind === "timestamp" ? timestampWidth : room(String(value)) + padding.cell
      })
      .toSorted((left, right) => left - right)
    const usual = cells[Math.min(cells.length - 1, Math.floor(cells.length * share))] ?? 0
    const indent = role === "count" || kind === "decimal" ? padding.amount : 0
    const needed = Math.max(least, headingRoom(headings[at] ?? "") + indent, usual)
    return Math.min(wraps ? mostWrapped : most, needed)
  })

/** Lines that a text takes in a column of this width, at most `mostLines`. */
export const lines = (text: string, width: number): number => {
  const needed = text
    .slice(0, width * mostLines)
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / Math.max(1, width - padding.cell))), 0)
  return Math.min(mostLines, needed)
}
