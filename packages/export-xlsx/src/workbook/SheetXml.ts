/**
 * The text of a sheet around its rows, in the order that the schema requires. Nothing before the rows depends on their number.
 */
import { letters } from "../sheet/Letters.ts"
import * as TextXml from "../sheet/TextXml.ts"
import { declaration, mainNamespace, relationNamespace } from "./Namespaces.ts"

/** Widest first column that is frozen, in characters; a wider one would leave no room for the others. */
const mostFrozen = 24

const headingHeight = 30

/** The row of headings is frozen, and so is the first column if it is narrow. */
const view = (widths: ReadonlyArray<number>): string => {
  const isFrozen = widths.length > 2 && (widths[0] ?? 0) <= mostFrozen
  return isFrozen
    ? '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/><selection pane="topRight"/><selection pane="bottomLeft"/><selection pane="bottomRight" activeCell="B2" sqref="B2"/>'
    : '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/>'
}

const columns = (widths: ReadonlyArray<number>): string =>
  widths.length === 0
    ? ""
    : `<cols>${widths
        .map(
          (width, at) =>
            `<col min="${at + 1}" max="${at + 1}" width="${Math.round(width * 100) / 100}" customWidth="1"/>`,
        )
        .join("")}</cols>`

export interface HeadSpec {
  readonly widths: ReadonlyArray<number>
  /** Headings with the numbers of their styles; null for a sheet that is laid out freely, without a grid. */
  readonly headings: ReadonlyArray<{ readonly text: string; readonly style: number }> | null
}

/** The text up to the first row of records. */
export const head = ({ headings, widths }: HeadSpec): string => {
  const cells = (headings ?? []).map(
    ({ style, text }, at) =>
      `<c r="${letters(at)}1" s="${style}" t="inlineStr">${TextXml.inline(text, () => {})}</c>`,
  )
  const row =
    headings === null ? "" : `<row r="1" ht="${headingHeight}" customHeight="1">${cells.join("")}</row>`
  return `${declaration}<worksheet xmlns="${mainNamespace}" xmlns:r="${relationNamespace}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView${headings === null ? ' showGridLines="0"' : ""} workbookViewId="0">${headings === null ? "" : view(widths)}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>${columns(widths)}<sheetData>${row}`
}

/** A conditional format of cells. */
interface Rule {
  /** The number of its style among those of conditional formats. */
  readonly style: number
  /** The text that a cell must equal; null for every cell. */
  readonly value: string | null
}

/** Conditional formats of cells, such as `B2:B100`, in the order of their priority. */
export interface Formats {
  readonly ref: string
  readonly rules: ReadonlyArray<Rule>
}

const quoted = (text: string): string => TextXml.plain(`"${text.replaceAll('"', '""')}"`)

const formatsXml = (formats: ReadonlyArray<Formats>): string => {
  let priority = 0
  const rule = ({ style, value }: Rule): string => {
    priority += 1
    return value === null
      ? `<cfRule type="expression" dxfId="${style}" priority="${priority}"><formula>TRUE</formula></cfRule>`
      : `<cfRule type="cellIs" dxfId="${style}" priority="${priority}" operator="equal"><formula>${quoted(value)}</formula></cfRule>`
  }
  return formats
    .map(
      ({ ref, rules }) =>
        `<conditionalFormatting sqref="${ref}">${rules.map(rule).join("")}</conditionalFormatting>`,
    )
    .join("")
}

/** A cell that opens an address, by a relation, or a place of the workbook. */
export interface Link {
  readonly ref: string
  readonly to: { readonly relation: string } | { readonly location: string }
}

const linkXml = ({ ref, to }: Link): string =>
  "relation" in to
    ? `<hyperlink ref="${ref}" r:id="${to.relation}"/>`
    : `<hyperlink ref="${ref}" location="${TextXml.plain(to.location)}"/>`

export interface TailSpec {
  readonly merges?: ReadonlyArray<string>
  readonly formats?: ReadonlyArray<Formats>
  readonly links: ReadonlyArray<Link>
  /** See `Page`. */
  readonly page: string
  /** Cells in which digits are intentionally texts. Default: none. */
  readonly textNumbers?: string
  /** Relations. Default: none. */
  readonly drawing?: string | null
  readonly table?: string | null
}

/** The text after the last row. */
export const tail = ({
  drawing = null,
  formats = [],
  links,
  merges = [],
  page,
  table = null,
  textNumbers = "",
}: TailSpec): string =>
  [
    "</sheetData>",
    merges.length === 0
      ? ""
      : `<mergeCells count="${merges.length}">${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join("")}</mergeCells>`,
    formatsXml(formats),
    links.length === 0 ? "" : `<hyperlinks>${links.map(linkXml).join("")}</hyperlinks>`,
    page,
    textNumbers === ""
      ? ""
      : `<ignoredErrors><ignoredError sqref="${textNumbers}" numberStoredAsText="1"/></ignoredErrors>`,
    drawing === null ? "" : `<drawing r:id="${drawing}"/>`,
    table === null ? "" : `<tableParts count="1"><tablePart r:id="${table}"/></tableParts>`,
    "</worksheet>",
  ].join("")
