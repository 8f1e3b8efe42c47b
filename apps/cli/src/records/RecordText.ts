/**
 * Records as text: a table in the terminal, with the columns of the export's tables, so that a list and a file agree; or JSON, unchanged, digit for
 * digit, or only with the requested members that the record has, so that `.listing.city` is at the same place either way. The API key is removed,
 * because a server can return it anywhere.
 */
import { Json } from "@deedkit/core"
import { Cell, Instant, Table, WellFormed } from "@deedkit/export"
import type { Column } from "@deedkit/export"
import type { DressedLine } from "../terminal/TerminalText.ts"
import type { TableOptions } from "../terminal/TerminalTable.ts"
import * as TerminalTable from "../terminal/TerminalTable.ts"
import type { RecordKind } from "./RecordKind.ts"

/** A timestamp to the minute in UTC, `2026-03-01 09:30`; a value that cannot be parsed is kept unchanged. */
const minute = (timestamp: string): string => {
  const millis = Instant.of(timestamp)
  const clock = millis === null ? null : Instant.clock(millis)
  return clock === null ? timestamp : clock.slice(0, 16).replace("T", " ")
}

/** A value of a column as one line of text. */
export const display = (kind: Cell.CellKind, value: Cell.CellValue): string => {
  if (value === null) return ""
  if (kind === "timestamp" && typeof value === "string") return minute(value)
  if (typeof value === "boolean") return value ? "yes" : "no"
  const scalar = Cell.scalar(value)
  return scalar === null ? Json.stringify(value) : String(scalar)
}

/** The columns that a list of this kind shows by default. */
const shown = <A extends { readonly id: number }>({
  shown,
  table,
}: RecordKind<A>): ReadonlyArray<Column.Column<A>> =>
  shown.flatMap((name) => table.columns.filter((column) => column.name === name))

export interface RecordTableOptions extends TableOptions {
  readonly redact: (text: string) => string
}

/** The lines of a table with these columns; by default those that a list of this kind shows. */
export const tableLines = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  records: ReadonlyArray<A>,
  { redact, ...options }: RecordTableOptions,
  columns: ReadonlyArray<Column.Column<A>> = shown(kind),
): ReadonlyArray<DressedLine> =>
  TerminalTable.render(
    columns.map(({ kind, label }) => ({
      heading: label,
      align: kind === "integer" || kind === "decimal" ? "right" : "left",
      shrinks: kind === "text" || kind === "json",
    })),
    records.map((record) => columns.map(({ get, kind }) => redact(display(kind, get(record))))),
    options,
  )

/** The record with only these columns; unchanged if no columns were requested. */
export const shaped = <A>(
  table: Table.Table<A>,
  columns: ReadonlyArray<Column.Column<A>> | null,
): ((record: A) => Json.Json) =>
  columns === null ? (table.json ?? ((record) => record as Json.Json)) : Table.project(columns)

/**
 * JSON text without the API key. `redact` removes it from texts and member names, never from digits. A lone surrogate becomes U+FFFD, as in the files
 * of an export.
 */
export const json = (value: unknown, redact: (text: string) => string, indent?: number): string => {
  const whole = Json.stringify(value, indent)
  if (redact(whole) !== whole)
    return WellFormed.stringify(Json.mapTexts(value as Json.Json, redact), indent).json
  return WellFormed.isSuspicious(whole) ? WellFormed.stringify(value as Json.Json, indent).json : whole
}

/** Records as lines, one document each. */
export const jsonLines = (values: ReadonlyArray<unknown>, redact: (text: string) => string): string =>
  values.map((value) => json(value, redact)).join("\n")
