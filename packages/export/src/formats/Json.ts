/**
 * JSON as a format: one array of objects, a record a line, in the service's own shape. Integers keep every digit. For programs: no text is
 * guarded, and none is changed but for half of a surrogate pair, which strict readers refuse.
 */
import { ofText } from "../write/TableWriter.ts"
import * as Facts from "./Facts.ts"
import { recordText } from "./recordText.ts"

/** A writer of JSON. */
export const json = ofText(Facts.json, (table, options) => {
  const text = recordText(table, options)
  let before = "[\n"
  return {
    page: (records) => {
      let lines = ""
      for (const record of records) {
        lines += `${before}${text(record)}`
        before = ",\n"
      }
      return lines
    },
    end: () => (before === "[\n" ? "[]\n" : "\n]\n"),
  }
})
