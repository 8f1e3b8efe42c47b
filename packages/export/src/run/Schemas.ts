/** The schemas beside the files of a run. Core's Schemas are loaded when one is asked for: no other run needs them. */
import * as Effect from "effect/Effect"
import * as AtomicFile from "../file/AtomicFile.ts"
import type { ExportError } from "../error/ExportError.ts"
import type { Headings } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"
import type { Output } from "./Output.ts"
import { schemaOf } from "./Sidecars.ts"

/** Writes a schema beside each regular file of a text format. `tables` are those of the run in their order. */
export const write = (
  outputs: ReadonlyArray<Output>,
  tables: ReadonlyArray<Table<never>>,
  headings: Headings,
): Effect.Effect<void, ExportError> =>
  Effect.gen(function* () {
    const { schemaFile } = yield* Effect.promise(() => import("../schema/SchemaFile.ts"))
    for (const { paths, writer } of outputs) {
      const { schema } = writer.format
      if (schema === undefined) continue
      for (const [at, path] of paths.entries()) {
        const table = tables[at]
        if (path === null || table === undefined) continue
        yield* AtomicFile.writeWhole(schemaOf(path), schemaFile(table, schema, headings))
      }
    }
  })
