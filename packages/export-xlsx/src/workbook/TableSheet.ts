/**
 * A sheet that holds a table: headings that stay visible, a named table over the rows, lines and colours by formats of the sheet, and a page
 * set-up.
 */
import { letters } from "../sheet/Letters.ts"
import * as TextXml from "../sheet/TextXml.ts"
import type { Style } from "./Exceljs.ts"
import { mediaTypes } from "./Namespaces.ts"
import * as Page from "./Page.ts"
import * as SheetXml from "./SheetXml.ts"
import { headings as headingStyles } from "./Styles.ts"
import * as TableXml from "./TableXml.ts"
import type { Workbook } from "./Workbook.ts"

export interface ColumnSpec {
  readonly heading: string
  /** In characters. */
  readonly width: number
  /** Amounts and their headings are aligned right. */
  readonly isAmount: boolean
  /** Whether its texts can look like numbers. */
  readonly isTextId: boolean
  /** Colours of known values. */
  readonly tones: ReadonlyArray<{ readonly value: string; readonly style: Style }>
}

export interface SheetSpec {
  readonly name: string
  readonly title: string
  readonly columns: ReadonlyArray<ColumnSpec>
  /** Columns that are printed, from the left. */
  readonly printed: number
  readonly paper: Page.Paper
}

/** A sheet whose rows are written elsewhere. */
export interface TableSheet {
  /** Path in the workbook. */
  readonly path: string
  /** The name of the sheet as references write it. */
  readonly ref: string
  /** The text up to and including the row of headings. */
  readonly head: string
  readonly link: (address: string, target: string) => void
  /** The text after the last row. */
  readonly tail: (end: SheetEnd) => string
}

/** What is known about a sheet after its rows are written. */
interface SheetEnd {
  /** The number of the last row; the headings are row 1. */
  readonly lastRow: number
  /** Number of lines of all rows, counting the headings as one. */
  readonly lines: number
  /** For the footer. */
  readonly note: string
}

/** Cells of a column below its heading. */
const below = (column: number, lastRow: number): string => `${letters(column)}2:${letters(column)}${lastRow}`

/** The line under every row. In a column with colours of its own, it is their last rule, because overlapping formats are not all shown. */
const formatsOf = (
  { difference, line }: Workbook,
  columns: SheetSpec["columns"],
  lastRow: number,
): ReadonlyArray<SheetXml.Formats> => {
  const lined = { style: line, value: null }
  const coloured = columns.flatMap(({ tones }, at) => {
    const rules = tones.map(({ style, value }) => ({ style: difference(style), value }))
    return rules.length === 0 ? [] : [{ ref: below(at, lastRow), rules: [...rules, lined] }]
  })
  const plain = columns.flatMap(({ tones }, at) => (tones.length > 0 ? [] : [below(at, lastRow)]))
  return plain.length === 0 ? coloured : [...coloured, { ref: plain.join(" "), rules: [lined] }]
}

/** Begins the sheet. */
export const make = (workbook: Workbook, { columns, name, paper, printed, title }: SheetSpec): TableSheet => {
  const sheet = workbook.open(name)
  const headings = columns.map(({ heading }) => heading)
  const links: Array<SheetXml.Link> = []
  const [textStyle, amountStyle] = [workbook.style(headingStyles.text), workbook.style(headingStyles.amount)]
  const lastPrinted = letters(Math.max(0, printed - 1))

  const addTable = (lastRow: number): string => {
    const rows = lastRow - 1
    const number = workbook.add("table", (id) => ({
      path: `xl/tables/table${id}.xml`,
      text: TableXml.xml({
        id,
        name: workbook.tableName(title),
        headings,
        ref: `A1:${letters(columns.length - 1)}${lastRow}`,
        description: `${title}: ${rows} ${rows === 1 ? "row" : "rows"} below headings. Columns: ${headings.join(", ")}.`,
      }),
      mediaType: `${mediaTypes}.spreadsheetml.table+xml`,
    }))
    return sheet.relate("/table", `../tables/table${number}.xml`)
  }

  return {
    path: sheet.path,
    ref: sheet.ref,
    head: SheetXml.head({
      widths: columns.map(({ width }) => width),
      headings: columns.map(({ heading, isAmount }) => ({
        text: heading,
        style: isAmount ? amountStyle : textStyle,
      })),
    }),
    link: (ref, target) => {
      links.push({ ref, to: { relation: sheet.relate("/hyperlink", TextXml.plain(target), true) } })
    },
    tail: ({ lastRow, lines, note }) => {
      // A table has at least one row below its headings.
      const hasRows = lastRow > 1 && columns.length > 0
      const width = columns.slice(0, printed).reduce((sum, column) => sum + column.width, 0)
      const textIds = columns.flatMap(({ isTextId }, at) => (isTextId ? [below(at, lastRow)] : []))
      sheet.print(`$A$1:$${lastPrinted}$${lastRow}`, true)
      return SheetXml.tail({
        formats: hasRows ? formatsOf(workbook, columns, lastRow) : [],
        links,
        page: Page.xml({ paper, width, lines, footer: Page.footer(title, note) }),
        textNumbers: hasRows ? textIds.join(" ") : "",
        table: hasRows ? addTable(lastRow) : null,
      })
    },
  }
}
