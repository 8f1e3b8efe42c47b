/** The sheet of the cover. It is begun before all others, so that its tab is the first, and written after them, when its content is known. */
import type { Cover } from "@deedkit/export"
import { letters } from "../sheet/Letters.ts"
import { mediaTypes, relations } from "../workbook/Namespaces.ts"
import * as Page from "../workbook/Page.ts"
import * as SheetXml from "../workbook/SheetXml.ts"
import type { OpenSheet, Workbook } from "../workbook/Workbook.ts"
import * as ChartXml from "./ChartXml.ts"
import * as CoverXml from "./CoverXml.ts"

export interface CoverSheet {
  /** Path in the workbook. */
  readonly path: string
  /** The whole XML of the sheet. `sheetOf` returns the quoted name of a table's sheet, by its title; null for a table without a sheet. */
  readonly text: (cover: Cover.Cover, sheetOf: (title: string) => string | null) => string
}

/** Adds the chart and its drawing; returns the relation of the drawing. */
const addChart = (
  workbook: Workbook,
  sheet: OpenSheet,
  { drawing, spec }: NonNullable<CoverXml.CoverXml["chart"]>,
): string => {
  const chart = workbook.add("chart", (number) => ({
    path: `xl/charts/chart${number}.xml`,
    text: ChartXml.chart(spec),
    mediaType: `${mediaTypes}.drawingml.chart+xml`,
  }))
  const number = workbook.add("drawing", (id) => ({
    path: `xl/drawings/drawing${id}.xml`,
    text: ChartXml.drawing(drawing),
    mediaType: `${mediaTypes}.drawing+xml`,
  }))
  workbook.add("drawing relations", (id) => ({
    path: `xl/drawings/_rels/drawing${id}.xml.rels`,
    text: relations([{ id: "rId1", type: "/chart", target: `../charts/chart${chart}.xml` }]),
  }))
  return sheet.relate("/drawing", `../drawings/drawing${number}.xml`)
}

/** Begins the cover sheet. */
export const make = (
  workbook: Workbook,
  { name, paper }: { readonly name: string; readonly paper: Page.Paper },
): CoverSheet => {
  const sheet = workbook.open(name)
  return {
    path: sheet.path,
    text: (cover, sheetOf) => {
      const { chart, lastRow, links, merges, rows } = CoverXml.make(cover, sheet.ref, workbook.style)
      sheet.print(`$A$1:$${letters(CoverXml.widths.length - 1)}$${lastRow}`, false)
      const tail = SheetXml.tail({
        merges,
        links: links.flatMap(({ ref, table }) => {
          const target = sheetOf(table)
          return target === null ? [] : [{ ref, to: { location: `${target}!A1` } }]
        }),
        page: Page.xml({
          paper,
          width: 0,
          lines: lastRow,
          isOne: true,
          footer: Page.footer(cover.title, ""),
        }),
        drawing: chart === null ? null : addChart(workbook, sheet, chart),
      })
      return `${SheetXml.head({ widths: CoverXml.widths, headings: null })}${rows}${tail}`
    },
  }
}
