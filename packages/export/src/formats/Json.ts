/**
 * The formats JSON, one array of objects, and NDJSON, one object per line: records in the service's own shape if their table has one, else the names of
 * its columns and their values. Integers keep every digit. The formats are for programs: no text gets a formula guard, and none is changed except for
 * lone surrogates, which strict readers refuse: U+FFFD replaces them, and they are counted.
 */
import { Json } from "@deedkit/core"
import type { CellValue } from "../table/Cell.ts"
import { instantOrValue } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"
import * as WellFormed from "../table/WellFormed.ts"
import { jsonFacts, ndjsonFacts } from "../write/Format.ts"
import type { SheetTextOptions } from "../write/TextBytes.ts"
import { ofBytes } from "../write/TextBytes.ts"

const valueText = (value: CellValue): string => {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? String(value) : "null"
    case "string":
    case "boolean":
      return JSON.stringify(value)
    default:
      return value === null ? "null" : Json.stringify(value)
  }
}

/** Writes a record by its columns, in a plain loop because it runs for every cell. */
const flat = <A>({ columns }: Pick<Table<A>, "columns">): ((record: A) => string) => {
  const members = columns.map((column, at) => ({
    get: instantOrValue(column),
    start: `${at === 0 ? "{" : ","}${JSON.stringify(column.name)}:`,
  }))
  return (record) => {
    let text = ""
    for (const { get, start } of members) text += start + valueText(get(record))
    return text === "" ? "{}" : `${text}}`
  }
}

/** `JSON.stringify` alone is several times as fast, and throws on what it cannot write: big integers and extremely deep nesting. */
const nested = (value: Json.Json): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return Json.stringify(value)
  }
}

/** The line ends of Unicode, which JSON allows unescaped in its texts. */
const lineEnds = /[\u0085\u2028\u2029]/g

/** JSON without its line ends but `\n`, so that one text is one line for every reader: Node's `readline` and Python's `splitlines` end a line at these characters. */
export const onOneLine = (json: string): string =>
  json.replaceAll(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Returns a function that writes the records of a page, with `between` between two of them. */
export const recordText = <A>(
  { columns, json }: Pick<Table<A>, "columns" | "json">,
  { onTextsChanged }: Pick<SheetTextOptions, "onTextsChanged">,
): ((records: ReadonlyArray<A>, between: string) => string) => {
  const plain = json === undefined ? flat({ columns }) : (record: A) => nested(json(record))
  const membersOf = (record: A): { readonly [member: string]: Json.Json } =>
    json === undefined
      ? Object.fromEntries(columns.map((column) => [column.name, instantOrValue(column)(record)]))
      : (json(record) as { readonly [member: string]: Json.Json })
  const careful = (record: A): string => {
    const text = plain(record)
    if (!WellFormed.isSuspicious(text)) return text
    const whole = WellFormed.of(membersOf(record)).value as { readonly [member: string]: Json.Json }
    const before = Object.entries(membersOf(record))
    Object.keys(whole).forEach((name, at) => {
      const [given, value] = before[at]!
      const cells = WellFormed.of(value).texts + Number(given !== name)
      if (cells > 0) onTextsChanged?.({ column: name, cells })
    })
    return Json.stringify(whole)
  }
  return (records, between) => {
    let text = ""
    for (let at = 0; at < records.length; at++) text += (at === 0 ? "" : between) + plain(records[at]!)
    return WellFormed.isSuspicious(text) ? records.map(careful).join(between) : text
  }
}

export const json = ofBytes(jsonFacts, (table, options, bytes) => {
  const text = recordText(table, options)
  let before = "[\n"
  return {
    page: (records) => {
      if (records.length === 0) return
      bytes.writeText(before)
      bytes.writeText(onOneLine(text(records, ",\n")))
      before = ",\n"
    },
    end: () => bytes.writeText(before === "[\n" ? "[]\n" : "\n]\n"),
  }
})

export const ndjson = ofBytes(ndjsonFacts, (table, options, bytes) => {
  const text = recordText(table, options)
  return {
    page: (records) => {
      if (records.length === 0) return
      bytes.writeText(onOneLine(text(records, "\n")))
      bytes.writeText("\n")
    },
    end: () => {},
  }
})
