/**
 * The cover as the rows of a sheet: one page of paper with the verdict, the main figures, a table of counts with its chart, and facts. Pure: styles
 * are numbers, and everything else that the sheet needs is returned beside the rows.
 */
import type { Cover } from "@deedkit/export"
import { letters } from "../sheet/Letters.ts"
import * as TextXml from "../sheet/TextXml.ts"
import type { Style } from "../workbook/Exceljs.ts"
import { palette, tones } from "../workbook/Styles.ts"
import type { ChartSpec, DrawingSpec } from "./ChartXml.ts"

const font = (more: NonNullable<Style["font"]> = {}) => ({
  name: "Calibri",
  size: 11,
  family: 2,
  color: { argb: palette.ink },
  ...more,
})
const below = (argb: string, style: "thin" | "medium" = "thin") => ({ bottom: { style, color: { argb } } })
const above = { top: { style: "thin", color: { argb: palette.ink } } } as const
const big = { size: 20, bold: true, color: { argb: palette.accent } }
const grey = { argb: palette.grey }

const verdictStyle = (tone: keyof typeof tones): Style => ({
  font: font({ size: 12, bold: true, color: { argb: tones[tone].text } }),
  fill: { type: "pattern", pattern: "solid", fgColor: { argb: tones[tone].ground } },
  alignment: { vertical: "middle", horizontal: "left", indent: 1, wrapText: true },
})

const styles = {
  title: { font: font(big), alignment: { vertical: "middle" } },
  subtitle: { font: font({ color: grey }) },
  good: verdictStyle("good"),
  attention: verdictStyle("attention"),
  muted: verdictStyle("muted"),
  figure: { numFmt: "#,##0", font: font(big), alignment: { horizontal: "left" } },
  figureName: { font: font({ size: 10, color: grey }), alignment: { horizontal: "left" } },
  section: {
    font: font({ size: 13, bold: true, color: { argb: palette.accent } }),
    border: below(palette.accent, "medium"),
  },
  head: { font: font({ bold: true, color: grey }), border: below("FF9CA3AF") },
  numberHead: {
    font: font({ bold: true, color: grey }),
    border: below("FF9CA3AF"),
    alignment: { horizontal: "right" },
  },
  cell: { font: font(), border: below(palette.hairline) },
  number: { numFmt: "#,##0", font: font(), border: below(palette.hairline) },
  total: { font: font({ bold: true }), border: above },
  totalNumber: { numFmt: "#,##0", font: font({ bold: true }), border: above },
  name: { font: font({ color: grey }), alignment: { vertical: "top" } },
  link: {
    font: font({ underline: true, color: { argb: "FF0B5CAD" } }),
    alignment: { vertical: "top" },
  },
  fact: { font: font(), alignment: { vertical: "top", horizontal: "left", wrapText: true } },
} as const satisfies { readonly [name: string]: Style }

type StyleName = keyof typeof styles
type CellSpec = readonly [column: number, value: string | number | null, style: StyleName]

/** Widths of the columns in characters: a name, then six columns of counts or figures. */
export const widths: ReadonlyArray<number> = [22, 13, 13, 13, 13, 13, 13]
const lastColumn = widths.length - 1
const factWidth = widths.slice(1).reduce((sum, width) => sum + width, 0)
const lineHeight = 15
/** Space between the line below a title and the content after it, in points. */
const belowTitle = 5
/** Number of rows that a chart takes: enough for every bar to show its name. */
const chartRows = (bars: number): number => 5 + Math.ceil(bars * 1.3)

export interface CoverXml {
  readonly rows: string
  /** The number of the last row. */
  readonly lastRow: number
  readonly merges: ReadonlyArray<string>
  /** Cells that link to a table of the file. */
  readonly links: ReadonlyArray<{ readonly ref: string; readonly table: string }>
  readonly chart: { readonly spec: ChartSpec; readonly drawing: DrawingSpec } | null
}

/** Width of a character relative to that of a digit, by which columns are measured: in a fact, and in the verdict, which is larger and bold. */
const characterWidth = { fact: 0.78, verdict: 0.92 } as const

/** Number of lines that a text takes at this width; spreadsheets do not fit the height of merged cells themselves. */
const linesOf = (text: string, width: number, of: keyof typeof characterWidth): number =>
  text
    .split("\n")
    .reduce((sum, part) => sum + Math.max(1, Math.ceil((part.length * characterWidth[of]) / width)), 0)

/** Longest text on a cover, in characters; longer ones are cut. */
const mostCharacters = 600
const cut = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1).toWellFormed()}…` : text

/** Makes the rows. `sheet` is the quoted name of the cover's sheet, and `style` returns the number of a style. */
export const make = (
  { counts, figures, sections, subtitle, title, verdict }: Cover.Cover,
  sheet: string,
  style: (style: Style) => number,
): CoverXml => {
  const numbers = new Map<StyleName, number>()
  const numberOf = (name: StyleName): number => {
    const number = numbers.get(name) ?? style(styles[name])
    numbers.set(name, number)
    return number
  }
  const merges: Array<string> = []
  const links: Array<{ ref: string; table: string }> = []
  let rows = ""
  let at = 0

  const cellXml = ([column, value, name]: CellSpec): string => {
    const start = `<c r="${letters(column)}${at}" s="${numberOf(name)}"`
    if (value === null || value === "") return `${start}/>`
    return typeof value === "number"
      ? `${start}><v>${value}</v></c>`
      : `${start} t="inlineStr">${TextXml.inline(cut(value), () => {})}</c>`
  }
  const add = (cells: ReadonlyArray<CellSpec>, height?: number): number => {
    at += 1
    const sized = height === undefined ? "" : ` ht="${height}" customHeight="1"`
    rows += `<row r="${at}"${sized}>${cells.map(cellXml).join("")}</row>`
    return at
  }
  const skip = (height?: number): number => add([], height)
  /** One text over the whole width. */
  const whole = (text: string, name: StyleName, height?: number): number =>
    add(
      widths.map((_, column): CellSpec => [column, column === 0 ? text : null, name]),
      height,
    )
  const merge = (row: number, from = 0): void => {
    merges.push(`${letters(from)}${row}:${letters(lastColumn)}${row}`)
  }

  add([[0, title, "title"]], 32)
  add([[0, subtitle, "subtitle"]])
  skip()
  const verdictLines = linesOf(cut(verdict.text), factWidth + 10, "verdict")
  merge(whole(verdict.text, verdict.tone, Math.max(27, 12 + verdictLines * 16)))
  skip()
  if (figures.length > 0) {
    add(
      figures
        .slice(0, 4)
        .map(({ value }, each): CellSpec => [each === 0 ? 0 : each * 2 - 1, value, "figure"]),
      28,
    )
    add(
      figures
        .slice(0, 4)
        .map(({ label }, each): CellSpec => [each === 0 ? 0 : each * 2 - 1, label, "figureName"]),
    )
    skip()
  }

  let chart: CoverXml["chart"] = null
  if (counts !== null) {
    const { columns, rowLabel, rows: counted, title: countsTitle } = counts
    const totalColumn = columns.length + 1
    const sum = (all: ReadonlyArray<number>): number => all.reduce((total, each) => total + each, 0)
    /** Empty cells, so that the lines of the table reach the edge of the page. */
    const empty = (style: StyleName): ReadonlyArray<CellSpec> =>
      widths.flatMap((_, column) => (column > totalColumn ? [[column, null, style] as const] : []))
    whole(countsTitle, "section", 22)
    const head = add([
      [0, rowLabel, "head"],
      ...columns.map(({ name }, each): CellSpec => [each + 1, name, "numberHead"]),
      [totalColumn, "Total", "numberHead"],
      ...empty("head"),
    ])
    for (const { counts: each, name } of counted) {
      add([
        [0, name, "cell"],
        ...each.map((count, column): CellSpec => [column + 1, count, "number"]),
        [totalColumn, sum(each), "number"],
        ...empty("cell"),
      ])
    }
    const last = at
    add([
      [0, "All", "total"],
      ...columns.map((_, column): CellSpec => [
        column + 1,
        sum(counted.map(({ counts: each }) => each[column] ?? 0)),
        "totalNumber",
      ]),
      [totalColumn, sum(counted.flatMap(({ counts: each }) => each)), "totalNumber"],
      ...empty("total"),
    ])
    skip()
    const ref = (column: number, from: number, to: number): string =>
      `${sheet}!$${letters(column)}$${from}:$${letters(column)}$${to}`
    const top = at
    for (let row = chartRows(counted.length); row > 0; row -= 1) skip()
    const bottom = at
    skip()
    const [most] = counted
    chart = {
      spec: {
        title: countsTitle,
        categories: { ref: ref(0, head + 1, last), values: counted.map(({ name }) => name) },
        series: columns.map(({ name, tone }, column) => ({
          tone,
          name: { ref: `${sheet}!$${letters(column + 1)}$${head}`, values: [name] },
          counts: {
            ref: ref(column + 1, head + 1, last),
            values: counted.map(({ counts: each }) => each[column] ?? 0),
          },
        })),
      },
      drawing: {
        from: { column: 0, row: top },
        to: { column: lastColumn, row: bottom },
        name: countsTitle,
        description: `Stacked bars with the numbers of the table above.${most === undefined ? "" : ` ${most.name} has the most: ${sum(most.counts)}.`}`,
      },
    }
  }

  for (const section of sections) {
    whole(section.title, "section", 22)
    skip(belowTitle)
    for (const { name, table, text } of section.facts) {
      const row = add(
        [
          [0, name, table === undefined ? "name" : "link"],
          [1, text, "fact"],
        ],
        linesOf(cut(text), factWidth, "fact") * lineHeight,
      )
      merge(row, 1)
      if (table !== undefined) links.push({ ref: `A${row}`, table })
    }
    skip()
  }
  return { rows, lastRow: at, merges, links, chart }
}
