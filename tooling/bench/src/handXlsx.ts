/**
 * A workbook written by hand for exactly these columns, packed by node:zlib through yazl: the practical limit. One sheet with headings, a frozen row, a
 * filter, typed numbers and dates; nothing is counted, split, linked or coloured.
 */
import { Readable } from "node:stream"
import type { Contract } from "@deedkit/core"
import { contracts } from "@deedkit/export"
import { peer } from "./measure.ts"
import type { Pages, Put } from "./records.ts"

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaged = "http://schemas.openxmlformats.org/package/2006"
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const type = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const relations = (target: ReadonlyArray<readonly [type: string, target: string]>): string =>
  `${xml}<Relationships xmlns="${packaged}/relationships">${target
    .map(([kind, path], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${kind}" Target="${path}"/>`)
    .join("")}</Relationships>`

const smallParts: ReadonlyArray<readonly [path: string, text: string]> = [
  [
    "[Content_Types].xml",
    `${xml}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
  ],
  ["_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]])],
  [
    "xl/workbook.xml",
    `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Contracts" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    relations([
      ["worksheet", "worksheets/sheet1.xml"],
      ["styles", "styles.xml"],
    ]),
  ],
  [
    "xl/styles.xml",
    `${xml}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><color rgb="FFFFFFFF"/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF1F4E5F"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" fillId="2" applyFont="1" applyFill="1"/><xf numFmtId="1" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ],
]

/** Markup, control characters, characters that XML forbids, sequences that a spreadsheet would decode, and space at either end. */
const special = /[&<>\p{Cc}\uFFFE\uFFFF]|^\s|\s$|_x[\dA-Fa-f]{4}_/u
const replaced = /[&<>\p{Cc}\uFFFE\uFFFF]/gu
const instead: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\r": "&#13;",
  "\n": "\n",
  "\t": "\t",
}
const escaped = (text: string): string => {
  const kept = text.replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_")
  return `" t="inlineStr"><is><t xml:space="preserve">${kept.replaceAll(replaced, (character) => instead[character] ?? "")}</t></is></c>`
}

/** The XML after the reference of a cell. */
const textCell = (text: string): string =>
  special.test(text) ? escaped(text) : `" t="inlineStr"><is><t>${text}</t></is></c>`
const numberCell = (value: number): string => `" s="2"><v>${value}</v></c>`

/** Caches cells, for columns with few values. */
const remembering = (): ((text: string) => string) => {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const cell = textCell(text)
    known.set(text, cell)
    return cell
  }
}

const days = new Map<string, number>()
const fractions: Array<string | undefined> = []
const dateCell = (timestamp: string): string => {
  const date = timestamp.slice(0, 10)
  let day = days.get(date)
  if (day === undefined) {
    day = Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 25_569
    days.set(date, day)
  }
  const second =
    Number(timestamp.slice(11, 13)) * 3_600 +
    Number(timestamp.slice(14, 16)) * 60 +
    Number(timestamp.slice(17, 19))
  const fraction = (fractions[second] ??= second === 0 ? "" : String(second / 86_400 + 1).slice(1))
  return `" s="3"><v>${day}${fraction}</v></c>`
}

const kindCell = remembering()
const statusCell = remembering()
const cityCell = remembering()
const areaCell = remembering()

const anyCell = (column: string, row: number, value: Contract.Contract["unit_id"]): string => {
  if (value === null) return ""
  if (typeof value === "number") return `<c r="${column}${row}${numberCell(value)}`
  return `<c r="${column}${row}${textCell(typeof value === "string" ? value : JSON.stringify(value))}`
}

const rowOf = (contract: Contract.Contract, row: number): string => {
  const { listing, listing_id } = contract
  let line = `<row r="${row}"><c r="A${row}${numberCell(contract.id)}<c r="B${row}${statusCell(contract.status)}<c r="C${row}${kindCell(contract.kind)}<c r="D${row}${textCell(contract.unit_label)}`
  if (listing != null) {
    line += `<c r="E${row}${textCell(listing.title)}<c r="F${row}${cityCell(listing.city)}<c r="G${row}${areaCell(listing.area)}`
  }
  line += `<c r="H${row}${dateCell(contract.created_at)}<c r="I${row}${dateCell(contract.updated_at)}${anyCell("J", row, contract.unit_id)}`
  if (listing_id !== null) line += `<c r="K${row}${numberCell(listing_id)}`
  if (listing != null) line += `<c r="L${row}${textCell(listing.slug)}`
  line += `<c r="M${row}${numberCell(contract.template_id)}`
  if (listing != null) line += `<c r="N${row}${numberCell(listing.id)}`
  return `${line}</row>`
}

const widths = [12, 12, 12, 20, 40, 20, 20, 20, 20, 12, 12, 24, 12, 12, 20]
const head = `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths
  .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
  .join("")}</cols><sheetData><row r="1">${contracts.columns
  .map(
    ({ label }, at) =>
      `<c r="${String.fromCharCode(65 + at)}1" s="1" t="inlineStr"><is><t>${label}</t></is></c>`,
  )
  .join("")}</row>`

function* sheet(pages: Pages): Generator<string> {
  yield head
  let row = 1
  for (const page of pages()) {
    let lines = ""
    for (const contract of page) lines += rowOf(contract, ++row)
    yield lines
  }
  yield `</sheetData><autoFilter ref="A1:O${row}"/></worksheet>`
}

interface Zip {
  readonly outputStream: AsyncIterable<Uint8Array>
  readonly addBuffer: (bytes: Buffer, path: string, options: object) => void
  readonly addReadStream: (stream: Readable, path: string, options: object) => void
  readonly end: () => void
}

export const handXlsx = async (compressionLevel: number) => {
  const { ZipFile } = await peer<{ readonly ZipFile: new () => Zip }>("yazl")
  return async (pages: Pages, put: Put): Promise<void> => {
    const zip = new ZipFile()
    for (const [path, text] of smallParts) zip.addBuffer(Buffer.from(text), path, { compressionLevel })
    const xml = Readable.from(sheet(pages), { objectMode: false })
    zip.addReadStream(xml, "xl/worksheets/sheet1.xml", { compressionLevel })
    zip.end()
    for await (const bytes of zip.outputStream) put(bytes)
  }
}
