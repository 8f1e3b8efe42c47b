/**
 * The widths of columns: wide enough for the longest text of the first page if that is short, else for 95 of 100 texts, so that one odd text does
 * not make a column 60 wide. Headings can take two lines.
 */
import { Cell } from "@deedkit/export"
import type { Column } from "@deedkit/export"

const least = 8
const most = 42
/** Up to this width a column shows every text whole. */
const mostWhole = 26
/** Largest width of a column whose texts can take several lines. */
const mostWrapped = 40
/** A row of one cell must not fill the screen. */
const mostLines = 12
/** Room for the arrow of the filter, at the sides, and for the indent of amounts. */
const padding = { heading: 4.5, cell: 2, amount: 2 }
/** Characters of a text per width of a digit, by which columns are measured. */
const charactersOfDigit = 1.1
const timestampWidth = 20
const dayWidth = 12
const sample = 500
const share = 0.95
/** A short heading stays on one line. */
const oneLine = 14

/** Characters that take twice the room: East Asian scripts and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/gu

const roomOf = (line: string): number => line.length + (line.match(wide)?.length ?? 0)

const room = (text: string): number => roomOf(text.slice(0, most + 1).split("\n", 1)[0] ?? "")

/** Number of lines of a paragraph. Words are not divided, except those that are longer than a line. */
const linesOf = (paragraph: string, most: number): number => {
  let full = 0
  let used = 0
  for (const word of paragraph.split(" ")) {
    const needed = roomOf(word)
    if (used > 0 && used + 1 + needed <= most) {
      used += 1 + needed
      continue
    }
    const further = Math.max(0, Math.ceil(needed / most) - 1)
    full += (used > 0 ? 1 : 0) + further
    used = needed - further * most
  }
  return full + 1
}

/** The width of a heading: the row of headings has room for two lines. */
const headingRoom = (heading: string): number => {
  const longestWord = Math.max(...heading.split(" ").map(room))
  let width = Math.max(longestWord + padding.heading, Math.min(room(heading) + padding.heading, oneLine))
  while (width < most && linesOf(heading, width - padding.heading) > 2) width += 1
  return width
}

export const of = <A>(
  columns: ReadonlyArray<Column.Column<A>>,
  headings: ReadonlyArray<string>,
  records: ReadonlyArray<A>,
): ReadonlyArray<number> =>
  columns.map(({ get, kind, role, shows, wraps = false }, at) => {
    const cells = records
      .slice(0, sample)
      .map((record) => {
        const value = Cell.scalar(get(record))
        if (value === null) return 0
        if (kind !== "timestamp") return room(String(value)) + padding.cell
        return shows === undefined ? timestampWidth : dayWidth
      })
      .toSorted((left, right) => left - right)
    const longest = cells.at(-1) ?? 0
    const usual =
      longest <= mostWhole
        ? longest
        : (cells[Math.min(cells.length - 1, Math.floor(cells.length * share))] ?? 0)
    const indent = role === "count" || role === "amount" || kind === "decimal" ? padding.amount : 0
    const needed = Math.max(least, headingRoom(headings[at] ?? "") + indent, usual)
    return Math.min(wraps ? mostWrapped : most, needed)
  })

/** Lines that a text takes in a column of this width, at most `mostLines`. */
export const lines = (text: string, width: number): number => {
  const most = Math.max(1, width * charactersOfDigit)
  const needed = text
    .slice(0, Math.ceil(most) * mostLines)
    .split("\n")
    .reduce((sum, paragraph) => sum + linesOf(paragraph, most), 0)
  return Math.min(mostLines, needed)
}
