/**
 * JSON as a format: one array of objects, a record a line, members named as the service names them. Numbers keep every digit, and JSON
 * columns are JSON. For programs: no text is guarded or changed.
 */
import { ofText, unlimited } from "../TableWriter.ts"
import { objectText } from "./objectText.ts"

/** A writer of JSON. */
export const json = ofText(
  { name: "json", extension: "json", mediaType: "application/json", limits: unlimited },
  ({ columns }) => {
    const text = objectText(columns)
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
  },
)
