/**
 * NDJSON as a format: one JSON object a record and line, in the service's own shape. Integers keep every digit. For programs: no text is
 * guarded, and none is changed but for half of a surrogate pair, which strict readers refuse.
 */
import { ofText } from "../write/TableWriter.ts"
import * as Facts from "./Facts.ts"
import { recordText } from "./recordText.ts"

/** A writer of NDJSON. */
export const ndjson = ofText(Facts.ndjson, (table, options) => {
  const text = recordText(table, options)
  return {
    page: (records) => {
      let lines = ""
      for (const record of records) lines += `${text(record)}\n`
      return lines
    },
    end: () => "",
  }
})
