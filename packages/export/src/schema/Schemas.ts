/** The schemas beside the files of a run. Core's Schemas are loaded only when a schema is requested: no other run needs them. */
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import * as AtomicFile from "../file/AtomicFile.ts"
import type { ExportError } from "../error/ExportError.ts"
import type { ManifestSidecar } from "../proof/Manifest.ts"
import { sha256 } from "../proof/manifestFile.ts"
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

/** The file of a schema. */
export interface SchemaFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** A schema for each regular file of a text format. `tables` are those of the run in their order. */
export const make = (
  outputs: ReadonlyArray<Files>,
  tables: ReadonlyArray<Table<never>>,
  headings: Headings,
): Effect.Effect<ReadonlyArray<SchemaFile>> =>
  Effect.promise(async () => {
    const { schemaFile } = await import("./SchemaFile.ts")
    return outputs.flatMap(({ paths, writer: { format } }) =>
      paths.flatMap((path, at) => {
        const [{ schema }, table] = [format, tables[at]]
        if (schema === undefined || path === null || table === undefined) return []
        return [{ path: pathOf(path), bytes: schemaFile(table, schema, headings) }]
      }),
    )
  })

/** Writes the schema files. */
export const write = (files: ReadonlyArray<SchemaFile>): Effect.Effect<void, ExportError> =>
  Effect.forEach(files, ({ bytes, path }) => AtomicFile.writeWhole(path, bytes), { discard: true })

/** The entry of a schema file in a manifest. */
export const described = ({ bytes, path }: SchemaFile): ManifestSidecar => ({
  name: basename(path),
  bytes: bytes.byteLength,
  sha256: sha256(bytes),
})
