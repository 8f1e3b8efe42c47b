/**
 * Reads the XML of workbooks as far as rows need it: texts, shared strings, which styles are dates, the cells of a sheet. It reads what Excel,
 * LibreOffice, openpyxl and SheetJS write, including element prefixes, but is not an XML parser.
 */

const named: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const entity = (whole: string, name: string): string => {
  if (!name.startsWith("#")) return named[name] ?? whole
  return String.fromCodePoint(
    name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)),
  )
}

/** Decodes the characters of a text or an attribute. */
export const decode = (xml: string): string => {
  const text = xml.includes("&") ? xml.replaceAll(/&(#x?[\da-f]+|\w+);/gi, entity) : xml
  return text.includes("_x")
    ? text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
}

/** The text of a cell or a shared string: all of its runs, without their phonetic hints. */
const textOf = (xml: string): string => {
  const own = xml.includes("<rPh") ? xml.replaceAll(/<rPh[\s\S]*?<\/rPh>/g, "") : xml
  let text = ""
  for (const [, run = ""] of own.matchAll(/<t(?:\s[^>]*[^/>])?>([\s\S]*?)<\/t>/g)) text += decode(run)
  return text
}

/** Turns `<x:row>` into `<row>`. */
const withoutPrefix = (xml: string): string =>
  /<\/?\w+:(?:row|c|v|is|t|si|r)\b/.test(xml) ? xml.replaceAll(/<(\/?)\w+:/g, "<$1") : xml

/** The elements of one name in a text that comes in pieces, each without its closing tag. */
const elements = async function* (
  pieces: AsyncIterable<string>,
  name: string,
): AsyncGenerator<ReadonlyArray<string>> {
  let rest = ""
  for await (const piece of pieces) {
    rest += piece
    const end = rest.lastIndexOf(">") + 1
    const all = withoutPrefix(rest.slice(0, end)).split(`</${name}>`)
    rest = (all.pop() ?? "") + rest.slice(end)
    yield all
  }
}

export const sharedStrings = async (pieces: AsyncIterable<string>): Promise<ReadonlyArray<string>> => {
  const strings: Array<string> = []
  for await (const items of elements(pieces, "si")) for (const item of items) strings.push(textOf(item))
  return strings
}

/** Whether a format number is one of the date formats that every program knows (ECMA-376, part 1, 18.8.30). */
const isDateFormat = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)

/** Which cell styles show a date, by index. */
export const dateStyles = (styles: string): ReadonlyArray<boolean> => {
  const xml = styles.replaceAll(/<(\/?)\w+:/g, "<$1")
  const formats = new Map(
    [...xml.matchAll(/<numFmt\s([^>]*)>/g)].map(([, attributes = ""]) => {
      const code = decode(attributeOf(attributes, "formatCode") ?? "")
      return [
        attributeOf(attributes, "numFmtId"),
        /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, "")),
      ]
    }),
  )
  const [, cells = ""] = /<cellXfs[^>]*>([\s\S]*?)<\/cellXfs>/.exec(xml) ?? []
  return [...cells.matchAll(/<xf\s([^>]*)>/g)].map(([, attributes = ""]) => {
    const id = attributeOf(attributes, "numFmtId") ?? "0"
    return formats.get(id) ?? isDateFormat(Number(id))
  })
}

/** The value of an attribute, still encoded. */
export const attributeOf = (attributes: string, name: string): string | null => {
  const start = ` ${attributes}`.indexOf(` ${name}="`)
  if (start < 0) return null
  const from = start + name.length + 2
  return attributes.slice(from, attributes.indexOf('"', from))
}

export interface SheetOptions {
  readonly strings: ReadonlyArray<string>
  readonly isDate: ReadonlyArray<boolean>
  /** Whether days count from 1904. */
  readonly from1904: boolean
}

const dayMillis = 86_400_000
const epochs = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) } as const

/** A local time without a zone, such as `2026-03-01T09:30:00`; to the millisecond, because programs write different digits for the same number. */
const clockOf = (days: number, from1904: boolean): string | null => {
  const millis = Math.round(days * dayMillis) + (from1904 ? epochs.from1904 : epochs.from1900)
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/(?:\.000)?Z$/, "")
}

const numberText = (value: string, style: number, { from1904, isDate }: SheetOptions): string => {
  const clock = isDate[style] === true ? clockOf(Number(value), from1904) : null
  return clock ?? (/^-?\d+$/.test(value) ? value : String(Number(value)))
}

/** The index of a column of a reference such as `AB12`. */
const columnOf = (reference: string): number => {
  let column = 0
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at)
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  return column - 1
}

/** Limits of a sheet: a small file that claims more would fill the memory. */
const mostRows = 1_048_576
const mostColumns = 16_384

const cell = /<c(?:\s([^>]*?))?(?:\/>|>([\s\S]*?)<\/c>)/g

const cellText = (attributes: string, inner: string, options: SheetOptions): string => {
  const type = attributeOf(attributes, "t") ?? "n"
  if (type === "inlineStr") return textOf(inner)
  const [, value = ""] = /<v(?:\s[^>]*)?>([\s\S]*?)<\/v>/.exec(inner) ?? []
  if (type === "s") return options.strings[Number(value)] ?? ""
  if (type === "b") return value === "1" ? "true" : "false"
  if (type === "n")
    return value === "" ? "" : numberText(value, Number(attributeOf(attributes, "s") ?? 0), options)
  return type === "d" ? value.replace(/Z$/, "") : decode(value)
}

const rowOf = (xml: string, options: SheetOptions): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let column = -1
  for (const [, attributes = "", inner = ""] of xml.slice(xml.indexOf("<row")).matchAll(cell)) {
    const reference = attributeOf(attributes, "r")
    column = reference === null ? column + 1 : columnOf(reference)
    if (column >= mostColumns) throw new RangeError("more columns than a sheet has")
    while (cells.length < column) cells.push("")
    cells[column] = cellText(attributes, inner, options)
  }
  return cells
}

/** The texts of the cells, row by row; an empty row has none. Throws a `RangeError` for more rows or columns than a sheet can have. */
export const rowsOf = async (
  pieces: AsyncIterable<string>,
  options: SheetOptions,
): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const rows: Array<ReadonlyArray<string>> = []
  for await (const batch of elements(pieces, "row")) {
    for (const row of batch) {
      if (rows.length === mostRows) throw new RangeError("more rows than a sheet has")
      rows.push(rowOf(row, options))
    }
  }
  return rows
}
