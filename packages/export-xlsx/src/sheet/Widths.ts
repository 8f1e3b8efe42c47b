/** How wide columns are: as their heading and the first page need it, within limits that keep a table readable. */
import { Cell } from "@deedkit/export"
import type { Column } from "@deedkit/export"

const least = 8
const most = 60
/** Room for the arrow of the filter, and at the sides. */
const padding = { heading: 4, cell: 2 }
const timestampWidth = 20
/** Records that are looked at. */
const sample = 200

/** Characters that take twice the room: East Asian scripts and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/gu

const room = (text: string): number => {
  const line = text.slice(0, most + 1).split("\n", 1)[0] ?? ""
  return line.length + (line.match(wide)?.length ?? 0)
}

/** The widths in characters. */
export const of = <A>(
  columns: ReadonlyArray<Column.Column<A>>,
  headings: ReadonlyArray<string>,
  records: ReadonlyArray<A>,
): ReadonlyArray<number> =>
  columns.map(({ get, kind }, at) => {
    const heading = room(headings[at] ?? "") + padding.heading
    const cells = records.slice(0, sample).map((record) => {
      const value = Cell.scalar(get(record))
      if (value === null) return 0
      return kind === "timestamp" ? timestampWidth : room(String(value)) + padding.cell
    })
    return Math.min(
      most,
      cells.reduce((widest, cell) => Math.max(widest, cell), Math.max(least, heading)),
    )
  })
