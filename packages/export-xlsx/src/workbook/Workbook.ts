/**
 * A workbook around its sheets: styles, the parts that sheets share, and properties.
 *
 * Everything that depends on the number of rows is written after them, or in separate parts, which are kept as texts until the file ends: nothing
 * grows with the rows.
 */
import type { TableWriter } from "@deedkit/export"
import * as TextXml from "../sheet/TextXml.ts"
import type { Style } from "./Exceljs.ts"
import * as Exceljs from "./Exceljs.ts"
import { declaration, mediaTypes, relationElements, relations } from "./Namespaces.ts"
import type { Relation } from "./Namespaces.ts"
import { hairline, stripe } from "./Styles.ts"
import * as TableXml from "./TableXml.ts"

const application = "Deedkit"
const types = "http://schemas.openxmlformats.org/officeDocument/2006"

interface Properties {
  /** Null if the file does not describe itself. */
  readonly document: TableWriter.FileDocument | null
  readonly facts: TableWriter.FileProperties
  /** When the workbook was made, regardless of `document`; null for a workbook that does not state it. */
  readonly createdAt: string | null
}

/** Readers of this form expect whole seconds. */
const seconds = (moment: string): string => moment.replace(/\.\d+/, "")

const core = ({ createdAt, document, facts }: Properties): string => {
  const lines = Object.entries(facts).map(([name, text]) => `${name}: ${text}`)
  const elements = [
    document === null ? "" : `<dc:title>${TextXml.plain(document.title)}</dc:title>`,
    `<dc:creator>${application}</dc:creator>`,
    lines.length === 0 ? "" : `<dc:description>${TextXml.plain(lines.join("\n"))}</dc:description>`,
    "<dc:language>en</dc:language>",
    `<cp:lastModifiedBy>${application}</cp:lastModifiedBy>`,
    ...(createdAt === null
      ? []
      : ["created", "modified"].map(
          (name) =>
            `<dcterms:${name} xsi:type="dcterms:W3CDTF">${TextXml.plain(seconds(createdAt))}</dcterms:${name}>`,
        )),
  ]
  return `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${elements.join("")}</cp:coreProperties>`
}

const custom = (facts: TableWriter.FileProperties): string =>
  `${declaration}<Properties xmlns="${types}/custom-properties" xmlns:vt="${types}/docPropsVTypes">${Object.entries(
    facts,
  )
    .map(
      ([name, text], at) =>
        `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${at + 2}" name="${TextXml.plain(name)}"><vt:lpwstr>${TextXml.plain(text)}</vt:lpwstr></property>`,
    )
    .join("")}</Properties>`

/** The relation and media type of the part of facts. */
const customPart = {
  path: "docProps/custom.xml",
  type: "/custom-properties",
  mediaType: `${mediaTypes}.custom-properties+xml`,
} as const

/** The parts by path. Facts have a part of their own only if there are any. */
const propertyParts = (properties: Properties): ReadonlyMap<string, string> => {
  const { document, facts } = properties
  const made = new Map([
    ["docProps/core.xml", core(properties)],
    [
      "docProps/app.xml",
      `${declaration}<Properties xmlns="${types}/extended-properties"><Application>${TextXml.plain(document?.madeBy ?? application)}</Application></Properties>`,
    ],
  ])
  if (Object.keys(facts).length > 0) made.set(customPart.path, custom(facts))
  return made
}

/** A part of the file. Its media type is named if it is not that of its extension. */
export interface Part {
  readonly path: string
  readonly text: string
  readonly mediaType?: string
}

/** A sheet that is being written to the workbook; tabs are in the order in which sheets are opened. */
export interface OpenSheet {
  /** Path in the workbook. */
  readonly path: string
  /** Its name in quotes, as references write it. */
  readonly ref: string
  /** Adds a relation; returns its id. `target` is escaped already. */
  readonly relate: (type: string, target: string, isExternal?: boolean) => string
  /**
   * Names the cells that are printed, such as `$A$1:$F$20`. With titles, each page has the headings and the first column, which identifies the
   * record of a row if the columns need several pages.
   */
  readonly print: (area: string, hasTitles: boolean) => void
}

export interface Workbook {
  /** The number by which cells name a style. */
  readonly style: (style: Style) => number
  /** The number by which conditional formats name a style. */
  readonly difference: (style: Style) => number
  /** The number of `hairline` among the styles of conditional formats. */
  readonly line: number
  readonly open: (name: string) => OpenSheet
  /** Adds a part; `number` counts those of its kind from 1. */
  readonly add: (kind: string, part: (number: number) => Part) => number
  /** A name for a table that no other table has. */
  readonly tableName: (title: string) => string
  /** The remaining parts, once all sheets are written. `opened` is the number of the sheet that is seen first, from 0. */
  readonly finish: (opened: number, properties: Properties) => Promise<ReadonlyArray<Part>>
}

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

const tableStyles = (line: number, stripes: number): string =>
  `<tableStyles count="1" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"><tableStyle name="${TableXml.styleName}" pivot="0" count="2"><tableStyleElement type="wholeTable" dxfId="${line}"/><tableStyleElement type="secondRowStripe" dxfId="${stripes}"/></tableStyle></tableStyles>`

const replace = (parts: Map<string, string>, path: string, find: string | RegExp, by: string): void => {
  const text = parts.get(path)
  if (text === undefined || text.search(find) < 0) {
    throw new Error(`exceljs wrote no ${String(find)} in ${path}`)
  }
  parts.set(
    path,
    text.replace(find, () => by),
  )
}

export const make = (): Workbook => {
  const excel = Exceljs.make()
  const line = excel.difference(hairline)
  const stripes = excel.difference(stripe)
  const names: Array<DefinedName> = []
  const parts: Array<Part> = []
  const numbers = new Map<string, number>()
  const related: Array<{ readonly path: string; readonly relations: ReadonlyArray<Relation> }> = []
  let sheets = 0

  return {
    style: excel.style,
    difference: excel.difference,
    line,
    tableName: TableXml.names(),
    open: (name) => {
      const sheet = sheets
      sheets += 1
      const path = excel.sheet(name)
      const ref = `'${name.replaceAll("'", "''")}'`
      const owned: Array<Relation> = []
      related.push({ path: path.replace(/([^/]+)$/, "_rels/$1.rels"), relations: owned })
      return {
        path,
        ref,
        relate: (type, target, isExternal = false) => {
          const id = `rId${owned.length + 1}`
          owned.push({ id, type, target, isExternal })
          return id
        },
        print: (area, hasTitles) => {
          names.push({ name: "Print_Area", sheet, ref: `${ref}!${area}` })
          if (hasTitles) names.push({ name: "Print_Titles", sheet, ref: `${ref}!$A:$A,${ref}!$1:$1` })
        },
      }
    },
    add: (kind, part) => {
      const number = (numbers.get(kind) ?? 0) + 1
      numbers.set(kind, number)
      parts.push(part(number))
      return number
    },
    finish: async (opened, properties) => {
      const texts = await excel.finish(opened)
      for (const { path, text } of parts) texts.set(path, text)
      for (const { path, relations: owned } of related) {
        if (owned.length > 0) texts.set(path, relations(owned))
      }
      const own = propertyParts(properties)
      for (const [path, text] of own) texts.set(path, text)
      const hasFacts = own.has(customPart.path)
      replace(texts, "xl/workbook.xml", "</sheets>", `</sheets>${definedNamesXml(names)}`)
      replace(texts, "xl/styles.xml", /<tableStyles[^>]*\/>/, tableStyles(line, stripes))
      if (hasFacts) {
        const relation = { id: "rId4", type: customPart.type, target: customPart.path }
        replace(texts, "_rels/.rels", "</Relationships>", `${relationElements([relation])}</Relationships>`)
      }
      const types = [...parts, ...(hasFacts ? [customPart] : [])].flatMap(({ mediaType, path }) =>
        mediaType === undefined ? [] : [`<Override PartName="/${path}" ContentType="${mediaType}"/>`],
      )
      replace(texts, "[Content_Types].xml", "</Types>", `${types.join("")}</Types>`)
      return [...texts].map(([path, text]) => ({ path, text }))
    },
  }
}
