/**
 * Finds the column that a typed word names: by its name on the wire, or only by the last part of that name if no other column has the same one,
 * such as `city` for `listing.city`, or by the label that tables show. Case does not matter.
 */
import * as Result from "effect/Result"
import type { Column } from "./Column.ts"
import { labelled } from "./Column.ts"
import { ExportError } from "../error/ExportError.ts"
import { nearest } from "./nearest.ts"
import type { Table } from "./Table.ts"
import { allColumns } from "./Table.ts"

const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1).toLowerCase()

/** Finds a column of a table. Fails with `ColumnUnknown`, which names the nearest one and lists all. */
export const resolve = <A>(table: Table<A>, word: string): Result.Result<Column<A>, ExportError> => {
  const columns = allColumns(table)
  const wanted = word.toLowerCase()
  const endings = columns.filter(({ name }) => lastPart(name) === wanted)
  const column =
    columns.find(({ name }) => name.toLowerCase() === wanted) ??
    (endings.length === 1 ? endings[0] : undefined) ??
    labelled(columns, word) ??
    table.named?.(word)
  if (column !== undefined && column !== null) return Result.succeed(column)
  const valid = columns.map(({ name }) => name)
  return Result.fail(
    new ExportError({ reason: { _tag: "ColumnUnknown", name: word, nearest: nearest(word, valid), valid } }),
  )
}
