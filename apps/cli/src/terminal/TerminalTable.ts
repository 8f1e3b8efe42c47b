/**
 * Rows in columns that fit the window. Texts are cleaned here, so that no caller can forget it.
 *
 * In a narrow window the widest text column shrinks first. Numbers and times are never cut, because a cut number is another number. If that is not
 * enough, columns at the end are dropped.
 */
import type { DressedLine, Style } from "./TerminalText.ts"
import { clean, dress, none, pad, truncate, width } from "./TerminalText.ts"

export interface TableColumn {
  readonly heading: string
  readonly align: "left" | "right"
  /** Whether its cells may be cut. */
  readonly shrinks: boolean
}

/** A column of texts. */
export const left = (heading: string, shrinks = false): TableColumn => ({ heading, align: "left", shrinks })

/** A column of numbers. */
export const right = (heading: string): TableColumn => ({ heading, align: "right", shrinks: false })

export interface TableOptions {
  /** Width of the window, in columns; null if nothing is to be cut, as in a pipe. */
  readonly width: number | null
  readonly style?: Style | undefined
}

const gap = 2
const leastWidth = 6
/** Maximum width of a column, also in a pipe: one very long text must not push everything else out of sight. */
const mostWidth = 60

const total = (widths: ReadonlyArray<number>): number =>
  widths.reduce((sum, each) => sum + each, 0) + gap * Math.max(0, widths.length - 1)

/** The widths that fit; fewer than there are columns if some are dropped. */
const fit = (
  columns: ReadonlyArray<TableColumn>,
  natural: ReadonlyArray<number>,
  room: number,
): Array<number> => {
  const widths = [...natural]
  for (;;) {
    let excess = total(widths) - room
    if (excess <= 0) return widths
    while (excess > 0) {
      const widest = widths.reduce<number>(
        (best, each, index) =>
          columns[index]!.shrinks && each > leastWidth && (best < 0 || each > widths[best]!) ? index : best,
        -1,
      )
      if (widest < 0) break
      widths[widest]! -= 1
      excess -= 1
    }
    if (excess <= 0 || widths.length <= 1) return widths
    widths.pop()
    widths.splice(0, widths.length, ...natural.slice(0, widths.length))
  }
}

/** The table as lines, headings first, without trailing spaces. */
export const render = (
  columns: ReadonlyArray<TableColumn>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  options: TableOptions,
): ReadonlyArray<DressedLine> => {
  const { style = none } = options
  const headings = columns.map((column) => clean(column.heading))
  const cells = rows.map((row) => columns.map((_, index) => clean(row[index] ?? "")))
  const natural = headings.map((heading, index) =>
    cells.reduce(
      (most, row) =>
        Math.max(most, Math.min(width(row[index]!), columns[index]!.shrinks ? mostWidth : Infinity)),
      width(heading),
    ),
  )
  const widths = options.width === null ? natural : fit(columns, natural, options.width)
  const line = (texts: ReadonlyArray<string>): string =>
    widths
      .map((columnWidth, index) =>
        pad(truncate(texts[index]!, columnWidth), columnWidth, columns[index]!.align),
      )
      .join(" ".repeat(gap))
      .trimEnd()
  return dress([style("bold", line(headings)), ...cells.map(line)])
}
