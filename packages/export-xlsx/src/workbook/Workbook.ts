/**
 * A workbook around the rows of its sheets: what stands before and after them, and the parts that sheets share.
 *
 * Whatever depends on the number of rows stands after them or in parts of its own, which are texts until the file ends: nothing grows with the rows.
 */
import { letters } from "../sheet/Letters.ts"
import * as TextXml from "../sheet/TextXml.ts"
import type { Style } from "./Exceljs.ts"
import * as Exceljs from "./Exceljs.ts"
import type { Relation } from "./Namespaces.ts"
import { mediaTypes, relations } from "./Namespaces.ts"
import * as Page from "./Page.ts"
import type { Properties } from "./PropertiesXml.ts"
import * as PropertiesXml from "./PropertiesXml.ts"
import * as SheetXml from "./SheetXml.ts"
import { cells, hairline, stripe } from "./Styles.ts"
import * as TableXml from "./TableXml.ts"

export type { Style } from "./Exceljs.ts"
export type { Paper } from "./Page.ts"

export interface ColumnSpec {
  readonly heading: string
  /** In characters. */
  readonly width: number
  /** Amounts stand on the right, and so do their headings. */
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
  /** Columns that go on paper, from the left. */
  readonly printed: number
  readonly paper: Page.Paper
}

/** A sheet whose rows are written elsewhere. */
export interface SheetParts {
  /** Path in the workbook. */
  readonly path: string
  /** The text up to and with the row of headings. */
  readonly head: string
  readonly link: (address: string, target: string) => void
  /** The text after the last row. `lastRow` counts the row of headings; `note` is for the footer. */
  readonly tail: (lastRow: number, note: string) => string
}

interface Part {
  readonly path: string
  readonly text: string
}

export interface Workbook {
  /** The number by which rows name a style. */
  readonly style: (style: Style) => number
  readonly sheet: (spec: SheetSpec) => SheetParts
  /** The remaining parts, once all sheets have their tail. `opened` is the number of the sheet that is seen first, from 0. */
  readonly finish: (opened: number, properties: Properties) => Promise<ReadonlyArray<Part>>
}

/** A sheet's name in a reference: always in quotes, its apostrophes doubled. */
const sheetRef = (name: string): string => `'${name.replaceAll("'", "''")}'`

interface DefinedName {
  readonly name: "Print_Area" | "Print_Titles"
  /** The number of its sheet, from 0. */
  readonly sheet: number
  readonly ref: string
}

/** In the order in which Excel writes them. */
const definedNamesXml = (names: ReadonlyArray<DefinedName>): string =>
  names.length === 0
    ? ""
    : `<definedNames>${names
        .toSorted((a, b) => (a.name === b.name ? a.sheet - b.sheet : a.name < b.name ? -1 : 1))
        .map(
          ({ name, ref, sheet }) =>
            `<definedName name="_xlnm.${name}" localSheetId="${sheet}">${TextXml.plain(ref)}</definedName>`,
        )
        .join("")}</definedNames>`

const replace = (parts: Map<string, string>, path: string, find: string | RegExp, by: string): void => {
  const text = parts.get(path)
  if (text === undefined || text.search(find) < 0) throw new Error(`exceljs wrote no ${String(find)} in ${path}`)
  parts.set(
    path,
    text.replace(find, () => by),
  )
}

export const make = (): Workbook => {
  const excel = Exceljs.make()
  const line = excel.difference(hairline)
  const stripes = excel.difference(stripe)
  const headingStyle = excel.style(cells.heading)
  const numberHeadingStyle = excel.style(cells.numberHeading)
  const tableName = TableXml.names()
  const names: Array<DefinedName> = []
  const extra: Array<Part & { readonly mediaType?: string }> = []
  let sheets = 0
  let tables = 0

  /** The line under every row; where a column has colours of its own, as the last rule of theirs, because overlapping formats are not all shown. */
  const formatsOf = (columns: SheetSpec["columns"], lastRow: number): ReadonlyArray<SheetXml.Formats> => {
    const cellsOf = (at: number): string => `${letters(at)}2:${letters(at)}${lastRow}`
    const hasTones = columns.map(({ tones }) => tones.length > 0)
    const plain = columns.flatMap((_, at) => (hasTones[at] === true ? [] : [cellsOf(at)]))
    const coloured = columns.flatMap(({ tones }, at) =>
      hasTones[at] === true
        ? [
            {
              ref: cellsOf(at),
              rules: [
                ...tones.map(({ style, value }) => ({ style: excel.difference(style), value })),
                { style: line, value: null },
              ],
            },
          ]
        : [],
    )
    return plain.length === 0
      ? coloured
      : [...coloured, { ref: plain.join(" "), rules: [{ style: line, value: null }] }]
  }

  const sheet = ({ columns, name, paper, printed, title }: SheetSpec): SheetParts => {
    const at = sheets
    sheets += 1
    const path = excel.sheet(name)
    const last = letters(Math.max(0, columns.length - 1))
    const headings = columns.map(({ heading }) => heading)
    const owned: Array<Relation> = []
    const links: Array<SheetXml.Link> = []
    const relate = (type: string, target: string, isExternal = false): string => {
      const id = `rId${owned.length + 1}`
      owned.push({ id, type, target, isExternal })
      return id
    }
    const addTable = (lastRow: number): string => {
      tables += 1
      const part = `xl/tables/table${tables}.xml`
      const rows = lastRow - 1
      extra.push({
        path: part,
        text: TableXml.xml({
          id: tables,
          name: tableName(title),
          headings,
          ref: `A1:${last}${lastRow}`,
          description: `${title}: ${rows} ${rows === 1 ? "row" : "rows"} below headings. Columns: ${headings.join(", ")}.`,
        }),
        mediaType: `${mediaTypes}.spreadsheetml.table+xml`,
      })
      return relate("/table", `../tables/table${tables}.xml`)
    }
    return {
      path,
      head: SheetXml.head({
        widths: columns.map(({ width }) => width),
        headings: columns.map(({ heading, isAmount }) => ({
          text: heading,
          style: isAmount ? numberHeadingStyle : headingStyle,
        })),
      }),
      link: (ref, target) => {
        links.push({ ref, to: { relation: relate("/hyperlink", TextXml.plain(target), true) } })
      },
      tail: (lastRow, note) => {
        const hasRows = lastRow > 1 && columns.length > 0
        const table = hasRows ? addTable(lastRow) : null
        names.push(
          { name: "Print_Titles", sheet: at, ref: `${sheetRef(name)}!$1:$1` },
          {
            name: "Print_Area",
            sheet: at,
            ref: `${sheetRef(name)}!$A$1:$${letters(Math.max(0, printed - 1))}$${lastRow}`,
          },
        )
        const width = columns.slice(0, printed).reduce((sum, column) => sum + column.width, 0)
        const text = SheetXml.tail({
          formats: hasRows ? formatsOf(columns, lastRow) : [],
          links,
          page: Page.xml({ paper, width, rows: lastRow, footer: Page.footer(title, note) }),
          textNumbers: hasRows
            ? columns
                .flatMap(({ isTextId }, column) =>
                  isTextId ? [`${letters(column)}2:${letters(column)}${lastRow}`] : [],
                )
                .join(" ")
            : "",
          drawing: null,
          table,
        })
        if (owned.length > 0) {
          extra.push({
            path: path.replace(/([^/]+)$/, "_rels/$1.rels"),
            text: relations(owned),
          })
        }
        return text
      },
    }
  }

  return {
    style: excel.style,
    sheet,
    finish: async (opened, properties) => {
      const parts = await excel.finish(opened)
      for (const { path, text } of extra) parts.set(path, text)
      const own = PropertiesXml.parts(properties)
      for (const [path, text] of own) parts.set(path, text)
      replace(parts, "xl/workbook.xml", "</sheets>", `</sheets>${definedNamesXml(names)}`)
      replace(
        parts,
        "xl/styles.xml",
        /<tableStyles[^>]*\/>/,
        `<tableStyles count="1" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"><tableStyle name="${TableXml.styleName}" pivot="0" count="2"><tableStyleElement type="wholeTable" dxfId="${line}"/><tableStyleElement type="secondRowStripe" dxfId="${stripes}"/></tableStyle></tableStyles>`,
      )
      const { customPart } = PropertiesXml
      const hasFacts = own.has(customPart.path)
      if (hasFacts) {
        replace(
          parts,
          "_rels/.rels",
          "</Relationships>",
          relations([{ id: "rId4", type: customPart.type, target: customPart.path }]).replace(/^.*<Relationships[^>]*>/s, ""),
        )
      }
      const typed = [...extra, ...(hasFacts ? [customPart] : [])].flatMap(({ mediaType, path }) =>
        mediaType === undefined ? [] : [`<Override PartName="/${path}" ContentType="${mediaType}"/>`],
      )
      replace(parts, "[Content_Types].xml", "</Types>", `${typed.join("")}</Types>`)
      return [...parts].map(([path, text]) => ({ path, text }))
    },
  }
}
