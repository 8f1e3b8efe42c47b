/**
 * The JSON format: one array of objects, one record per line, in the service's own shape. Integers keep every digit. The format is for programs: no
 * text gets a formula guard, and none is changed except for lone surrogates, which strict readers refuse.
 */
import { ofBytes } from "../write/TableWriter.ts"
import * as Facts from "./Facts.ts"
import { recordText } from "./recordText.ts"

/** A writer of JSON. */
export const json = ofBytes(Facts.json, (table, options, bytes) => {
  const text = recordText(table, options)
  let before = "[\n"
  return {
    page: (records) => {
      if (records.length === 0) return
      bytes.text(before)
      bytes.text(text(records, ",\n"))
      before = ",\n"
    },
    end: () => bytes.text(before === "[\n" ? "[]\n" : "\n]\n"),
  }
})
