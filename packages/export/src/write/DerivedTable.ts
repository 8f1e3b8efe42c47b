/**
 * A table whose rows are derived from the records of a run, such as counts by month. They are collected while the run writes its tables, and
 * written after them.
 */
import * as Effect from "effect/Effect"
import type { ExportError } from "../error/ExportError.ts"
import type { Manifest } from "../proof/Manifest.ts"
import type { Table } from "../table/Table.ts"
import type { Sheet } from "./TableWriter.ts"

/** A derived table, with the type of its rows hidden. */
export interface DerivedTable {
  readonly name: string
  /** Writes the rows to the sheets that `begin` gives. `soFar` is the manifest of the run whose files are not finished. */
  readonly write: <R>(
    begin: <A>(table: Table<A>) => Effect.Effect<ReadonlyArray<Sheet<A, ExportError>>, ExportError, R>,
    soFar: () => Manifest,
  ) => Effect.Effect<void, ExportError, R>
}

/** Makes a derived table. `pages` runs once, after the last record, and need not hold all rows at once. */
export const make = <A>(
  table: Table<A>,
  pages: (soFar: () => Manifest) => Iterable<ReadonlyArray<A>>,
): DerivedTable => ({
  name: table.name,
  write: (begin, soFar) =>
    Effect.gen(function* () {
      const sheets = yield* begin(table)
      for (const page of pages(soFar)) {
        for (const sheet of sheets) yield* sheet.add(page)
      }
      for (const sheet of sheets) yield* sheet.end
    }),
})
