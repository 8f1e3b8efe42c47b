/**
 * The workbook around its rows: exceljs makes it, by its public interface, with sheets that hold no records.
 *
 * It is made before the rows of each sheet, for the XML in front of them, after them, for the XML behind them, and once more at the end, for all other
 * parts. Each time the styles of rows have the same numbers, because they are those of the first cells that have any. A few edits add to the XML
 * what exceljs has no option for.
 */
import { Texts } from "@deedkit/export"
import type { Column, Cover, TableWriter } from "@deedkit/export"
import exceljs from "exceljs"
import type { TableStyleProperties, Workbook, Worksheet } from "exceljs"
import { strFromU8, unzipSync } from "fflate"
import * as ChartXml from "../cover/ChartXml.ts"
import * as CoverSheet from "../cover/Cover.ts"
import { letters } from "../sheet/SheetName.ts"
import * as TextXml from "../sheet/TextXml.ts"
import * as Page from "./Page.ts"
import * as Styles from "./Styles.ts"

export interface ColumnSpec {
  readonly heading: string
  /** In characters. */
  readonly width: number
  /** Amounts and their headings are aligned right. */
  readonly isAmount: boolean
  /** Whether its texts can look like numbers. */
  readonly isTextId: boolean
  readonly tones: { readonly [value: string]: Column.Tone }
}

/** A sheet that holds a table, and what is known of its rows. */
export interface Sheet {
  readonly name: string
  readonly title: string
  /** Its name in formulas. */
  readonly tableName: string
  readonly columns: ReadonlyArray<ColumnSpec>
  /** Columns that are printed, from the left. */
  readonly printed: number
  readonly links: ReadonlyArray<{ readonly address: string; readonly target: string }>
  /** The number of the last row; the headings are row 1. */
  readonly lastRow: number
  /** Number of lines of all rows, counting the headings as one. */
  readonly lines: number
  /** For the footer. */
  readonly note: string
  /** The sums of its columns, for the head of its pages; empty for none. */
  readonly totals: string
}

export interface Book {
  /** The name and place of the cover's sheet, and its content once that is known; null for a workbook without a cover. */
  readonly cover: {
    readonly name: string
    readonly at: "first" | "last"
    readonly content: Cover.Cover | null
  } | null
  readonly sheets: ReadonlyArray<Sheet>
  readonly paper: Page.Paper
  readonly language: Texts.Language
  /** The number of the sheet that is seen first, from 0. */
  readonly opened: number
  /** Null if the file does not describe itself. */
  readonly document: TableWriter.FileDocument | null
  readonly facts: TableWriter.FileProperties
  /** When the workbook was made, regardless of `document`; null for a workbook that does not state it. */
  readonly createdAt: string | null
}

export interface Parts {
  /** The parts by path, but for the sheets of tables. */
  readonly parts: ReadonlyMap<string, string>
  /** The XML of each table's sheet before its row of headings, and after its last row. */
  readonly sheets: ReadonlyArray<{ readonly path: string; readonly head: string; readonly tail: string }>
  readonly styles: ReturnType<typeof Styles.numbered>
}

const application = "Deedkit"
const types = "http://schemas.openxmlformats.org/officeDocument/2006"
const mediaTypes = "application/vnd.openxmlformats-officedocument"

/** As exceljs takes it, but that its type knows only the styles of Excel. */
const tableStyle = Object.assign<TableStyleProperties, object>(
  { showRowStripes: true },
  { theme: application },
)

/** Widest first column that is frozen, in characters; a wider one would leave no room for the others. */
const mostFrozen = 24

export const make = async (book: Book): Promise<Parts> => {
  const workbook = new exceljs.Workbook()
  describe(workbook, book)
  const addCover = (place: "first" | "last") =>
    book.cover?.at === place ? workbook.addWorksheet(book.cover.name) : null
  const before = addCover("first")
  const sheets = book.sheets.map((sheet) => workbook.addWorksheet(sheet.name))
  const front = before ?? addCover("last")
  const content = book.cover?.content ?? null
  const linkTo = (title: string): string | null => {
    const sheet = book.sheets.findLast((each) => each.title === title)
    return sheet === undefined ? null : `'${sheet.name.replaceAll("'", "''")}'!A1`
  }
  const charts = front === null || content === null ? [] : CoverSheet.write(front, content, book, linkTo)
  sheets.forEach((sheet, at) => fill(sheet, book.sheets[at]!, book))
  // The row below the headings is cut out with the rows.
  const stylesRow = front === null ? 2 : 1
  if (front !== null) front.getRow(stylesRow).hidden = true
  const first = front ?? sheets[0]
  Styles.ofRows(book.language).forEach((style, at) => {
    if (first !== undefined) first.getCell(stylesRow, at + 1).style = style
  })

  const zip = await workbook.xlsx.writeBuffer({ zip: { compression: "STORE" } })
  const parts = new Map(
    Object.entries(unzipSync(new Uint8Array(zip)))
      .filter(([path]) => !path.endsWith("/") && !path.startsWith("xl/media/"))
      .map(([path, bytes]) => [path, strFromU8(bytes).replaceAll("&apos;", "'")]),
  )
  const edit: Edit = (path, change) => {
    const xml = parts.get(path)
    if (xml !== undefined) parts.set(path, change(xml))
  }
  const numbers = numbersOf(parts.get(`xl/worksheets/sheet${first?.id ?? 1}.xml`) ?? "", stylesRow)
  const around = sheets.map(({ id }, at) => {
    const path = `xl/worksheets/sheet${id}.xml`
    const xml = (parts.get(path) ?? "").replace(/<dimension [^>]*>/, "")
    const [head = "", tail = ""] = xml.split(/<sheetData\/>|<sheetData>.*<\/sheetData>/s)
    parts.delete(path)
    // exceljs takes an address that ends in `!A1` for a place of the workbook.
    const linked = tail.replaceAll(/(<hyperlink [^>]*) location="[^"]*"/g, "$1")
    return {
      path,
      head: `${head}<sheetData>`,
      tail: withTextIds(`</sheetData>${linked}`, textIds(book.sheets[at]!)),
    }
  })
  edit("xl/styles.xml", (xml) => withTableStyle(inOrder(xml)))
  edit("xl/workbook.xml", (xml) =>
    quoteNames(
      xml,
      workbook.worksheets.map(({ name }) => name),
    ),
  )
  book.sheets.filter(hasRows).forEach((sheet, at) => {
    edit(`xl/tables/table${at + 1}.xml`, (xml) => describeTable(xml, sheet, book.language))
  })
  if (front !== null) {
    linkInside(edit, `sheet${front.id}.xml`)
    // Years, and names of cities that look like numbers.
    edit(`xl/worksheets/sheet${front.id}.xml`, (xml) => withTextIds(xml, [`A1:A${front.rowCount}`]))
  }
  charts.forEach((chart, at) => {
    parts.set(chartPath(at + 1), ChartXml.chart(chart))
    addChart(edit, chart, at + 1)
  })
  editProperties(edit, book)
  if (Object.keys(book.facts).length > 0) {
    parts.set(factsPath, factsXml(book.facts))
    addFacts(edit)
  }
  return { parts, sheets: around, styles: Styles.numbered(numbers) }
}

const describe = (workbook: Workbook, { createdAt, document, facts, language, opened }: Book): void => {
  const lines = Object.entries(facts).map(([name, text]) => `${name}: ${text}`)
  const date = new Date(createdAt ?? 0)
  Object.assign(workbook, {
    creator: application,
    lastModifiedBy: application,
    language,
    created: date,
    modified: date,
    title: document === null ? undefined : TextXml.clean(document.title),
    description: lines.length === 0 ? undefined : TextXml.clean(lines.join("\n")),
    subject: undefined,
    keywords: undefined,
    category: undefined,
  })
  const window = { x: 0, y: 0, width: 28_800, height: 17_000 }
  workbook.views = [{ ...window, firstSheet: 0, activeTab: opened, visibility: "visible" }]
}

/** A table has at least one row below its headings. */
const hasRows = ({ columns, lastRow }: Sheet): boolean => lastRow > 1 && columns.length > 0

const below = (column: number, lastRow: number): string => `${letters(column)}2:${letters(column)}${lastRow}`

/**
 * Sets everything but the rows: headings that stay visible, a named table over the rows, lines and colours by formats of the sheet, and links.
 */
const fill = (
  sheet: Worksheet,
  { columns, lastRow, lines, links, note, printed, tableName, title, totals }: Sheet,
  { language, paper }: Pick<Book, "language" | "paper">,
): void => {
  columns.forEach(({ width }, at) => {
    sheet.getColumn(at + 1).width = Math.round(width * 100) / 100
  })
  const xSplit = columns.length > 2 && (columns[0]?.width ?? 0) <= mostFrozen ? 1 : 0
  sheet.views = [{ state: "frozen", xSplit, ySplit: 1, activeCell: `${letters(xSplit)}2` }]
  const width = columns.slice(0, printed).reduce((sum, column) => sum + column.width, 0)
  Object.assign(sheet.pageSetup, Page.setup({ paper, width, lines }), {
    printArea: `A$1:${letters(Math.max(0, printed - 1))}$${lastRow}`,
    printTitlesRow: "1:1",
    printTitlesColumn: "A:A",
  })
  sheet.headerFooter.oddHeader = Page.header(title, totals)
  sheet.headerFooter.oddFooter = Page.footer(title, note, language)
  for (const { address, target } of links)
    sheet.getCell(address).value = { text: "link", hyperlink: TextXml.clean(target) }
  if (!hasRows({ columns, lastRow } as Sheet)) return
  sheet.addTable({
    name: tableName,
    ref: "A1",
    // Without elements: their number is all that exceljs needs of them.
    rows: Array<Array<never>>(lastRow - 1),
    columns: columns.map(({ heading }) => ({ name: TextXml.columnName(heading), filterButton: true })),
    style: tableStyle,
  })
  let priority = 0
  const line = () => ({
    type: "expression" as const,
    formulae: ["TRUE"],
    style: Styles.hairline,
    priority: (priority += 1),
  })
  columns.forEach(({ tones }, at) => {
    if (Object.keys(tones).length === 0) return
    const rules = Object.entries(tones).map(([value, tone]) => ({
      type: "cellIs" as const,
      operator: "equal" as const,
      formulae: [`"${TextXml.clean(value).replaceAll('"', '""')}"`],
      style: Styles.toneStyle(tone),
      priority: (priority += 1),
    }))
    // Overlapping formats are not all shown, so the line is the last rule of a column with colours of its own.
    sheet.addConditionalFormatting({ ref: below(at, lastRow), rules: [...rules, line()] })
  })
  const plain = columns.flatMap(({ tones }, at) =>
    Object.keys(tones).length > 0 ? [] : [below(at, lastRow)],
  )
  if (plain.length > 0) sheet.addConditionalFormatting({ ref: plain.join(" "), rules: [line()] })
}

/** Changes the XML of a part, if there is such a part. */
type Edit = (path: string, change: (xml: string) => string) => void

const numbersOf = (xml: string, row: number): ReadonlyArray<number> => {
  const [cells = ""] = new RegExp(`<row r="${row}".*?</row>`, "s").exec(xml) ?? []
  return [...cells.matchAll(/ s="(\d+)"/g)].map(([, number]) => Number(number))
}

/** Marks cells in which digits are intentionally texts. */
const withTextIds = (xml: string, cells: ReadonlyArray<string>): string =>
  cells.length === 0
    ? xml
    : xml.replace(
        "</headerFooter>",
        `</headerFooter><ignoredErrors><ignoredError sqref="${cells.join(" ")}" numberStoredAsText="1"/></ignoredErrors>`,
      )

const textIds = ({ columns, lastRow }: Sheet): ReadonlyArray<string> =>
  lastRow === 1 ? [] : columns.flatMap(({ isTextId }, at) => (isTextId ? [below(at, lastRow)] : []))

const fontMembers = ["b", "u", "sz", "color", "name", "family", "scheme"]
const placeOf = (element: string): number => fontMembers.indexOf(/^<(\w+)/.exec(element)?.[1] ?? "")

/** The strictest readers require the members of a font in one order. */
const inOrder = (styles: string): string =>
  styles.replaceAll(/(?<=<font>).*?(?=<\/font>)/g, (members) =>
    (members.match(/<[^>]+>/g) ?? []).toSorted((one, other) => placeOf(one) - placeOf(other)).join(""),
  )

/** Adds the table style of a workbook, which is stripes. */
const withTableStyle = (styles: string): string => {
  const number = Number(/<dxfs count="(\d+)">/.exec(styles)?.[1] ?? 0)
  if (number === 0) return styles
  const stripe = `<dxf><fill><patternFill patternType="solid"><bgColor rgb="${Styles.palette.stripe}"/></patternFill></fill></dxf>`
  const style = `<tableStyle name="${application}" pivot="0" count="1"><tableStyleElement type="secondRowStripe" dxfId="${number}"/></tableStyle>`
  return styles
    .replace(`<dxfs count="${number}">`, `<dxfs count="${number + 1}">`)
    .replace("</dxfs>", `${stripe}</dxfs>`)
    .replace(/<tableStyles [^>]*\/>/, `<tableStyles count="1">${style}</tableStyles>`)
}

/** Doubles apostrophes in the names of sheets that print areas and titles quote. */
const quoteNames = (xml: string, names: ReadonlyArray<string>): string =>
  xml.replaceAll(/(?<=<definedName [^>]*localSheetId="(\d+)">)[^<]*/g, (refs, sheet: string) => {
    const name = TextXml.plain(names[Number(sheet)] ?? "")
    return refs.replaceAll(`'${name}'!`, () => `'${name.replaceAll("'", "''")}'!`)
  })

/** Gives a table its text for screen readers. Columns that nobody has filtered yet need no element of their own. */
const describeTable = (
  xml: string,
  { columns, lastRow, tableName, title }: Sheet,
  language: Texts.Language,
): string => {
  const rows = lastRow - 1
  const headings = columns.map(({ heading }) => heading).join(", ")
  const counted = Texts.count(language, rows, "{0} row", "{0} rows")
  const text = Texts.say(language, "{0}: {1} below headings. Columns: {2}.", title, counted, headings)
  const described = `<extLst><ext uri="{504A1905-F514-4f6f-8877-14C23A59335A}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:table altText="${tableName}" altTextSummary="${TextXml.plain(text)}"/></ext></extLst>`
  return xml
    .replace(/(<autoFilter [^>]*)>.*<\/autoFilter>/s, "$1/>")
    .replace("</table>", () => `${described}</table>`)
}

/** Links of the cover lead to places of the workbook, without a relation. */
const linkInside = (edit: Edit, sheet: string): void => {
  const places = new Map<string, string>()
  edit(`xl/worksheets/_rels/${sheet}.rels`, (xml) =>
    xml.replaceAll(
      /<Relationship Id="(\w+)"[^>]* Target="#([^"]*)"[^>]*>/g,
      (_, id: string, place: string) => {
        places.set(id, place)
        return ""
      },
    ),
  )
  edit(`xl/worksheets/${sheet}`, (xml) =>
    xml.replaceAll(/(<hyperlink [^>]*) r:id="(\w+)"[^>]*>/g, (_, start: string, id: string) => {
      return `${start} location="${places.get(id) ?? ""}"/>`
    }),
  )
}

const withType =
  (path: string, type: string) =>
  (xml: string): string =>
    xml.replace("</Types>", `<Override PartName="/${path}" ContentType="${mediaTypes}.${type}+xml"/></Types>`)

const chartPath = (number: number): string => `xl/charts/chart${number}.xml`

/** Turns the first picture of the cover that is left into a chart. */
const addChart = (edit: Edit, chart: ChartXml.ChartSpec, number: number): void => {
  edit("xl/drawings/drawing1.xml", (xml) =>
    xml.replace(/<xdr:pic>.*?<\/xdr:pic>/s, () => ChartXml.frame(chart, number)),
  )
  edit("xl/drawings/_rels/drawing1.xml.rels", (xml) =>
    xml.replace(/\/image" Target="[^"]*"/, `/chart" Target="../charts/chart${number}.xml"`),
  )
  edit("[Content_Types].xml", withType(chartPath(number), "drawingml.chart"))
}

/** Names the program, and leaves out a moment that is not known. */
const editProperties = (edit: Edit, { createdAt, document }: Book): void => {
  const program = TextXml.plain(document?.madeBy ?? application)
  edit("docProps/app.xml", (xml) => xml.replace("Microsoft Excel", () => program))
  if (createdAt !== null) return
  edit("docProps/core.xml", (xml) => xml.replaceAll(/<dcterms:(\w+) .*?<\/dcterms:\1>/g, ""))
}

const factsPath = "docProps/custom.xml"

const factsXml = (facts: TableWriter.FileProperties): string => {
  const properties = Object.entries(facts).map(
    ([name, text], at) =>
      `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${at + 2}" name="${TextXml.plain(name)}"><vt:lpwstr>${TextXml.plain(text)}</vt:lpwstr></property>`,
  )
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Properties xmlns="${types}/custom-properties" xmlns:vt="${types}/docPropsVTypes">${properties.join("")}</Properties>`
}

const addFacts = (edit: Edit): void => {
  edit("[Content_Types].xml", withType(factsPath, "custom-properties"))
  const relation = `<Relationship Id="rId4" Type="${types}/relationships/custom-properties" Target="${factsPath}"/>`
  edit("_rels/.rels", (xml) => xml.replace("</Relationships>", `${relation}</Relationships>`))
}
