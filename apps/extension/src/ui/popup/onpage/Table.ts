/** The listings of a page as a table for copying: tab-separated lines under headings, guarded like every copied row. */
import { text } from "../../kit/Message.ts"
import { cell } from "../detail/Record.ts"
import type { Listing } from "./Listings.ts"

/** One line for each contract, and one for each listing without contracts. */
export const toTable = (listings: ReadonlyArray<Listing>): string => {
  const headings = [
    text("fieldTitle"),
    text("fieldCity"),
    text("fieldId"),
    text("fieldUnitLabel"),
    text("fieldKind"),
    text("fieldStatus"),
    text("fieldUpdatedAt"),
  ]
  const lines = listings.flatMap(({ city, rows, title }) =>
    rows.length === 0
      ? [[title, city, "", "", "", "", ""]]
      : rows.map((row) => [title, city, String(row.id), row.unitLabel, row.kind, row.status, row.updatedAt]),
  )
  return [headings, ...lines].map((line) => line.map(cell).join("\t")).join("\n")
}
