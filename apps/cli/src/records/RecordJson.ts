/**
 * Records as JSON: as they came, digit for digit, or only the members that were asked for, where the record has them, so that
 * `.listing.city` is found at the same place either way. The API key is taken out, because a server may have put it anywhere.
 */
import { Json } from "@deedkit/core"
import { RecordShape, WellFormed } from "@deedkit/export"
import type { Column, Table } from "@deedkit/export"

/** As they are, where no columns were asked for. */
export const shaped = <A>(
  table: Table.Table<A>,
  columns: ReadonlyArray<Column.Column<A>> | null,
): ((record: A) => Json.Json) =>
  columns === null ? (table.json ?? ((record) => record as Json.Json)) : RecordShape.project(columns)

/**
 * JSON text without the API key, which `redact` takes out of a text: out of texts and names of members, never out of digits. Half of a
 * surrogate pair becomes U+FFFD, as in the files of an export.
 */
export const text = (value: unknown, redact: (text: string) => string, indent?: number): string => {
  const whole = Json.stringify(value, indent)
  if (redact(whole) !== whole)
    return WellFormed.stringify(Json.mapTexts(value as Json.Json, redact), indent).json
  return WellFormed.isSuspicious(whole) ? WellFormed.stringify(value as Json.Json, indent).json : whole
}

/** Records as lines, one document each. */
export const lines = (values: ReadonlyArray<unknown>, redact: (text: string) => string): string =>
  values.map((value) => text(value, redact)).join("\n")
