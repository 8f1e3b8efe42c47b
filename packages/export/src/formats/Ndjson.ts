/**
 * The NDJSON format: one JSON object per record and line, in the service's own shape. Integers keep every digit. The format is for programs: no
 * text gets a formula guard, and none is changed except for lone surrogates, which strict readers refuse.
 */
import { ofBytes } from "../write/TableWriter.ts"
import * as Facts from "./Facts.ts"
import { recordText } from "./recordText.ts"

/** A writer of NDJSON. */
export const ndjson = ofBytes(Facts.ndjson, (table, options, bytes) => {
  const text = recordText(table, options)
  return {
    page: (records) => {
      if (records.length === 0) return
      bytes.text(text(records, "\n"))
      bytes.text("\n")
    },
    end: () => {},
  }
})
