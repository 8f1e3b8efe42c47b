/**
 * NDJSON as a format: one JSON object a record and line, members named as the service names them. Numbers keep every digit, and JSON
 * columns are JSON. For programs: no text is guarded or changed.
 */
import { ofText, unlimited } from "../TableWriter.ts"
import { objectText } from "./objectText.ts"

/** A writer of NDJSON. */
export const ndjson = ofText(
  { name: "ndjson", extension: "ndjson", mediaType: "application/x-ndjson", limits: unlimited },
  ({ columns }) => {
    const text = objectText(columns)
    return {
      page: (records) => {
        let lines = ""
        for (const record of records) lines += `${text(record)}\n`
        return lines
      },
      end: () => "",
    }
  },
)
