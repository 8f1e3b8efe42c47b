/**
 * Records as JSON: unchanged, digit for digit, or only with the requested members that the record has, so that `.listing.city` is at the same place
 * either way. The API key is removed, because a server can return it anywhere.
 */
import { Json } from "@deedkit/core"
import { RecordShape, WellFormed } from "@deedkit/export"
import type { Column, Table } from "@deedkit/export"

/** The record with only these columns; unchanged if no columns were requested. */
export const shaped = <A>(
  table: Table.Table<A>,
  columns: ReadonlyArray<Column.Column<A>> | null,
): ((record: A) => Json.Json) =>
  columns === null ? (table.json ?? ((record) => record as Json.Json)) : RecordShape.project(columns)

/**
 * JSON text without the API key. `redact` removes it from texts and member names, never from digits. A lone surrogate becomes U+FFFD, as in the files
 * of an export.
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
