/**
 * A table whose rows are derived from the records of a run, such as counts by month. They are collected while the run writes its tables, and
 * written after them.
 */
import type { Manifest } from "../proof/Manifest.ts"
import type { Table } from "../table/Table.ts"

/** A derived table, with the type of its rows hidden. */
export interface DerivedTable {
  readonly name: string
  /** Gives the table and its rows; null if the table is left out. `soFar` is the manifest of the run whose files are not finished. */
  readonly use: <X>(
    soFar: () => Manifest,
    take: <A>(table: Table<A>, pages: Iterable<ReadonlyArray<A>>) => X,
  ) => X | null
}

/**
 * Makes a derived table. `pages` runs once, after the last record, and need not hold all rows at once; if it gives null, the workbook has no such
 * table.
 */
export const make = <A>(
  table: Table<A>,
  pages: (soFar: () => Manifest) => Iterable<ReadonlyArray<A>> | null,
): DerivedTable => ({
  name: table.name,
  use: (soFar, take) => {
    const rows = pages(soFar)
    return rows === null ? null : take(table, rows)
  },
})
