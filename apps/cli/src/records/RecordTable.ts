/**
 * Records as a table in the terminal. The columns are those of the export's tables, so that a list and a file agree; this file formats their
 * values.
 */
import { Json } from "@deedkit/core"
import { Cell, Instant } from "@deedkit/export"
import type { Column } from "@deedkit/export"
import type { RecordKind } from "./RecordKind.ts"
import type { DressedLine } from "../terminal/TerminalStyle.ts"
import type { TableOptions } from "../terminal/TerminalTable.ts"
import * as TerminalTable from "../terminal/TerminalTable.ts"

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
  /** Removes the API key from a text. */
  readonly redact: (text: string) => string
}

/** The lines of a table with these columns; by default those that a list of this kind shows. */
export const lines = <A extends { readonly id: number }>(
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
