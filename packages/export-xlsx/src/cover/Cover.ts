/** The cover as a sheet: one page of paper with the verdict, the main figures, tables of counts with their charts, and facts. */
import { Texts } from "@deedkit/export"
import type { Cover } from "@deedkit/export"
import { letters } from "../sheet/SheetName.ts"
import * as TextXml from "../sheet/TextXml.ts"
import type { Worksheet } from "exceljs"
import * as Page from "../workbook/Page.ts"
import type { Style } from "../workbook/Styles.ts"
import { palette, tones } from "../workbook/Styles.ts"
import type { ChartSpec } from "./ChartXml.ts"

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
const widths: ReadonlyArray<number> = [22, 13, 13, 13, 13, 13, 13]
const lastColumn = widths.length
const factWidth = widths.slice(1).reduce((sum, width) => sum + width, 0)
const lineHeight = 15
/** Space between the line below a title and the content after it, in points. */
const belowTitle = 5
/** Number of rows that a chart takes: enough for every bar to show its name. */
const chartRows = (bars: number): number => 5 + Math.ceil(bars * 1.3)

/** Width of a character relative to that of a digit, by which columns are measured: in a fact, and in the verdict, which is larger and bold. */
const characterWidth = { fact: 0.88, verdict: 0.92 } as const

/** Number of lines that a text takes at this width; spreadsheets do not fit the height of merged cells themselves. */
const linesOf = (text: string, width: number, of: keyof typeof characterWidth): number =>
  text
    .split("\n")
    .reduce((sum, part) => sum + Math.max(1, Math.ceil((part.length * characterWidth[of]) / width)), 0)

const mostCharacters = 600
const cut = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1).toWellFormed()}…` : text

const sum = (all: ReadonlyArray<number>): number => all.reduce((total, each) => total + each, 0)

/** A picture of one pixel, which keeps the place of the chart. */
const placeholder =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/**
 * Fills the sheet from its second row on. `linkTo` returns the place of a table, by its title; null for a table without a sheet. Returns the charts that
 * belong in the places of the sheet's pictures.
 */
export const write = (
  sheet: Worksheet,
  { counts, figures, sections, subtitle, title, verdict }: Cover.Cover,
  { language, paper }: { readonly language: Texts.Language; readonly paper: Page.Paper },
  linkTo: (title: string) => string | null,
): ReadonlyArray<ChartSpec> => {
  // The first row is hidden and holds the styles of the rows of tables, which have to be counted first.
  let at = 1

  const add = (cells: ReadonlyArray<CellSpec>, height?: number): number => {
    at += 1
    const row = sheet.getRow(at)
    if (height !== undefined) row.height = height
    for (const [column, value, style] of cells) {
      const cell = row.getCell(column + 1)
      cell.value = typeof value === "string" ? TextXml.decodedLater(cut(value)) || null : value
      cell.style = styles[style]
    }
    return at
  }
  const skip = (height?: number): number => add([], height)
  /** One text over the whole width. */
  const whole = (text: string, name: StyleName, height?: number): number =>
    add(
      widths.map((_, column): CellSpec => [column, column === 0 ? text : null, name]),
      height,
    )

  widths.forEach((width, column) => (sheet.getColumn(column + 1).width = width))
  sheet.views = [{ showGridLines: false }]
  add([[0, title, "title"]], 32)
  add([[0, subtitle, "subtitle"]])
  skip()
  const verdictLines = linesOf(cut(verdict.text), factWidth + 10, "verdict")
  whole(verdict.text, verdict.tone, Math.max(27, 12 + verdictLines * 16))
  sheet.mergeCells(at, 1, at, lastColumn)
  skip()
  if (figures.length > 0) {
    const shown = figures.slice(0, 4)
    /** Every second column, from the one that is wide. */
    const columnOf = (figure: number): number => Math.max(0, figure * 2 - 1)
    add(
      shown.map(({ value }, each): CellSpec => [columnOf(each), value, "figure"]),
      28,
    )
    add(shown.map(({ label }, each): CellSpec => [columnOf(each), label, "figureName"]))
    skip()
  }

  const addCounts = ({ columns, rowLabel, rows, title: countsTitle }: Cover.CrossTable): ChartSpec => {
    const totalColumn = columns.length + 1
    /** A row with its total, and empty cells, so that the lines of the table reach the edge of the page. */
    const addRow = (
      name: string,
      values: ReadonlyArray<string | number>,
      [left, right]: readonly [StyleName, StyleName],
    ) =>
      add([
        [0, name, left],
        ...widths
          .slice(1)
          .map((_, column): CellSpec => [
            column + 1,
            values[column] ?? null,
            column < totalColumn ? right : left,
          ]),
      ])
    whole(countsTitle, "section", 22)
    const say = (text: Texts.Text) => Texts.say(language, text)
    const head = addRow(rowLabel, [...columns.map(({ name }) => name), say("Total")], ["head", "numberHead"])
    for (const { counts: each, name } of rows) addRow(name, [...each, sum(each)], ["cell", "number"])
    const last = at
    const totals = columns.map((_, column) => sum(rows.map(({ counts: each }) => each[column] ?? 0)))
    addRow(say("All"), [...totals, sum(rows.flatMap(({ counts: each }) => each))], ["total", "totalNumber"])
    skip()
    const top = at + 1
    at += chartRows(rows.length)
    const picture = sheet.workbook.addImage({ base64: placeholder, extension: "png" })
    sheet.addImage(picture, `A${top}:${letters(lastColumn - 1)}${at}`)
    skip()
    const ref = (column: number, from: number, to: number): string =>
      `'${sheet.name.replaceAll("'", "''")}'!$${letters(column)}$${from}:$${letters(column)}$${to}`
    return {
      title: countsTitle,
      description: say("Stacked bars with the numbers of the table above."),
      categories: { ref: ref(0, head + 1, last), values: rows.map(({ name }) => name) },
      series: columns.map(({ name, tone }, column) => ({
        tone,
        name: { ref: ref(column + 1, head, head), values: [name] },
        counts: {
          ref: ref(column + 1, head + 1, last),
          values: rows.map(({ counts: each }) => each[column] ?? 0),
        },
      })),
      totals: {
        ref: ref(totalColumn, head + 1, last),
        values: rows.map(({ counts: each }) => sum(each)),
      },
    }
  }
  const charts = counts.map(addCounts)

  for (const section of sections) {
    whole(section.title, "section", 22)
    skip(belowTitle)
    for (const { name, table, text } of section.facts) {
      const target = table === undefined ? null : linkTo(table)
      add(
        [
          [0, name, table === undefined ? "name" : "link"],
          [1, text, "fact"],
        ],
        linesOf(cut(text), factWidth, "fact") * lineHeight,
      )
      sheet.mergeCells(at, 2, at, lastColumn)
      if (target !== null) {
        sheet.getCell(at, 1).value = { text: TextXml.decodedLater(cut(name)), hyperlink: `#${target}` }
      }
    }
    skip()
  }
  Object.assign(sheet.pageSetup, Page.setup({ paper, width: 0, lines: at, isOne: true }), {
    printArea: `A$1:${letters(lastColumn - 1)}$${at}`,
  })
  sheet.headerFooter.oddFooter = Page.footer(title, "", language)
  return charts
}
