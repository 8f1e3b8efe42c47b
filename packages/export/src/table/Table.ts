/**
 * A table: columns under a name. The table alone decides what a record looks like in a spreadsheet; the writer alone decides what the file looks
 * like.
 */
import type { Json } from "@deedkit/core"
import * as Result from "effect/Result"
import * as Column from "./Column.ts"
import type { ExportError } from "../error/ExportError.ts"
import { project } from "./RecordShape.ts"

export interface Table<in A> {
  /** For machines and file names, such as `contracts`. */
  readonly name: string
  /** For people and sheet names, such as `Contracts`. */
  readonly title: string
  /** The columns of a file, in order, unless other columns are chosen. */
  readonly columns: ReadonlyArray<Column.Column<A>>
  /** How many of them, from the left, are printed; the others are for programs and stay on the screen. Default: all. */
  readonly printed?: number | undefined
  /** Columns that a file has only if they are chosen. */
  readonly onDemand: ReadonlyArray<Column.Column<A>>
  /**
   * The record as formats that nest write it: in the shape of the service, or only its chosen members. Undefined for a table of other rows, which
   * is written by its columns.
   */
  readonly json?: ((record: A) => Json.Json) | undefined
  /** Whether its columns were chosen, so that `json` has only these. Default false. */
  readonly isChosen?: boolean | undefined
  /** The paths of a record's members that the specification does not name, such as `listing.price`. */
  readonly undocumented?: ((record: A) => ReadonlyArray<string>) | undefined
  /** Makes a column that no list holds, such as a path into the data payload; null if the name is not one of a column. */
  readonly named?: ((name: string) => Column.Column<A> | null) | undefined
}

/** Every column that can be chosen. */
export const allColumns = <A>(table: Table<A>): ReadonlyArray<Column.Column<A>> => [
  ...table.columns,
  ...table.onDemand,
]

/** The table with the named columns only, in the order of the names. Fails with `ColumnUnknown` or `ColumnsMissing`. */
export const select = <A>(
  table: Table<A>,
  names: ReadonlyArray<string>,
): Result.Result<Table<A>, ExportError> =>
  Result.map(Column.choose(allColumns(table), names, table.named), (columns) => ({
    ...table,
    columns,
    // A reader who names columns wants to see them all.
    printed: undefined,
    isChosen: true,
    json: table.json === undefined ? undefined : project(columns),
  }))
