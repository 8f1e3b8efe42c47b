/** The schemas beside the files of a run. Core's Schemas are loaded when one is asked for: no other run needs them. */
import * as Effect from "effect/Effect"
import * as AtomicFile from "../file/AtomicFile.ts"
import type { ExportError } from "../error/ExportError.ts"
import type { Headings } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"
import type { TableWriter } from "../write/TableWriter.ts"

/** The path of the schema of a file. */
export const pathOf = (path: string): string => `${path}.schema.json`

/** A format of a run, and its files in the order of the tables; null for one that is not a regular file. */
interface Files {
  readonly writer: Pick<TableWriter, "format">
  readonly paths: ReadonlyArray<string | null>
}

/** Writes a schema beside each regular file of a text format. `tables` are those of the run in their order. */
export const write = (
  outputs: ReadonlyArray<Files>,
  tables: ReadonlyArray<Table<never>>,
  headings: Headings,
): Effect.Effect<void, ExportError> =>
  Effect.gen(function* () {
    const { schemaFile } = yield* Effect.promise(() => import("./SchemaFile.ts"))
    for (const { paths, writer } of outputs) {
      const { schema } = writer.format
      if (schema === undefined) continue
      for (const [at, path] of paths.entries()) {
        const table = tables[at]
        if (path === null || table === undefined) continue
        yield* AtomicFile.writeWhole(pathOf(path), schemaFile(table, schema, headings))
      }
    }
  })
