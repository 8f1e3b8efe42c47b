/** A record as JSON text: the names of its columns and their values, in the columns' order. */
import { Json } from "@deedkit/core"
import type { CellValue } from "../Cell.ts"
import type { Column } from "../Column.ts"

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

/** Makes the text of a record. Half a surrogate pair comes out escaped, as JSON may. */
export const objectText = <A>(columns: ReadonlyArray<Column<A>>): ((record: A) => string) => {
  const members = columns.map(({ get, name }, at) => ({
    get,
    start: `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`,
  }))
  return (record) => {
    let text = ""
    for (const { get, start } of members) text += start + valueText(get(record))
    return text === "" ? "{}" : `${text}}`
  }
}
