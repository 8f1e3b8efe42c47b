/**
 * Reads a workbook back: the table of records in it, as texts under headings, even after another program has saved it. Times are local times
 * without a zone; the heading names the zone. Sheets without a column of ids, such as a summary, are left out.
 */
import { apiKeys, contracts, Diff } from "@deedkit/export"
import * as SheetXml from "./SheetXml.ts"
import { partsOf, textOf, textsOf } from "./ZipParts.ts"

export interface XlsxTable {
  readonly headings: ReadonlyArray<string>
  /** Each row has as many cells as there are headings. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

type Parts = ReturnType<typeof partsOf>

const workbookPart = "xl/workbook.xml"

/** The paths of the sheets in the order of the tabs, and how days are counted. */
const sheetsOf = async (parts: Parts) => {
  const book = (await textOf(parts, workbookPart)).replaceAll(/<(\/?)\w+:/g, "<$1")
  const relations = await textOf(parts, "xl/_rels/workbook.xml.rels")
  const targets = new Map(
    [...relations.matchAll(/<Relationship\s([^>]*)>/g)].map(([, attributes = ""]) => [
      SheetXml.attributeOf(attributes, "Id"),
      SheetXml.decode(SheetXml.attributeOf(attributes, "Target") ?? ""),
    ]),
  )
  const paths = [...book.matchAll(/<sheet\s([^>]*)>/g)].map(([, attributes = ""]) => {
    const [, id = ""] = /\w+:id="([^"]*)"/.exec(attributes) ?? []
    const target = targets.get(id) ?? ""
    return target.startsWith("/") ? target.slice(1) : `xl/${target}`
  })
  return { paths, from1904: /<workbookPr[^>]*\sdate1904="(?:1|true)"/.test(book) }
}

const hasIds = (headings: ReadonlyArray<string>): boolean =>
  Diff.namesOf(headings, [contracts, apiKeys]).includes("id")

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((heading, at) => heading === other[at])

const tableOf = async (bytes: Uint8Array): Promise<XlsxTable | null> => {
  const parts = partsOf(bytes)
  const { from1904, paths } = await sheetsOf(parts)
  const stringsPart = parts.get("xl/sharedStrings.xml")
  const strings = stringsPart === undefined ? [] : await SheetXml.sharedStrings(textsOf(stringsPart))
  const isDate = SheetXml.dateStyles(await textOf(parts, "xl/styles.xml"))
  let found: {
    readonly headings: ReadonlyArray<string>
    readonly rows: Array<ReadonlyArray<string>>
  } | null = null
  for (const path of paths) {
    const part = parts.get(path)
    if (part === undefined) continue
    const [headings = [], ...rows] = await SheetXml.rowsOf(textsOf(part), { strings, isDate, from1904 })
    if (found === null ? !hasIds(headings) : !isSame(headings, found.headings)) continue
    found ??= { headings, rows: [] }
    for (const row of rows) {
      if (row.length === 0) continue
      found.rows.push(headings.map((_, at) => row[at] ?? ""))
    }
  }
  return found
}

/** The first table with ids, with the sheets that continue it; null if the bytes are not a workbook, or it has no such table. */
export const read = async (bytes: Uint8Array): Promise<XlsxTable | null> => {
  try {
    return await tableOf(bytes)
  } catch {
    return null
  }
}
