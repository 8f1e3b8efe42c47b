/** Tables and files for the tests. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Cell, Column, Table } from "@deedkit/export"
import { TableWriter } from "@deedkit/export"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { onTestFinished } from "vitest"
import type { ParquetOptions } from "../src/ParquetWriter.ts"
import { writer } from "../src/ParquetWriter.ts"

export type Row = ReadonlyArray<Cell.CellValue>

/** A table of one column of each kind given. */
export const tableOf = (...kinds: ReadonlyArray<Cell.CellKind>): Table.Table<Row> => ({
  name: "rows",
  title: "Rows",
  columns: kinds.map((kind, at): Column.Column<Row> => ({
    name: `c${at}`,
    label: `Column ${at}`,
    kind,
    get: (row) => row[at] ?? null,
  })),
  onDemand: [],
})

interface Written {
  readonly bytes: Buffer
  readonly path: string
  /** Bytes that were handed over at a time. */
  readonly chunks: ReadonlyArray<number>
  /** Cells that could not be written as they came, by column. */
  readonly changed: { readonly [column: string]: number }
}

export const written = async <A>(
  table: Table.Table<A>,
  pages: ReadonlyArray<ReadonlyArray<A>>,
  options: ParquetOptions & Pick<TableWriter.WriteOptions<never>, "properties"> = {},
): Promise<Written> => {
  const changed: Record<string, number> = {}
  const { properties, ...parquet } = options
  const stream = TableWriter.bytes(writer(parquet), table, Stream.fromIterable(pages), {
    properties,
    onTextsChanged: ({ cells, column }) => {
      changed[column] = (changed[column] ?? 0) + cells
    },
  })
  const chunks = await Effect.runPromise(Stream.runCollect(stream))
  const bytes = Buffer.concat(chunks)
  const folder = mkdtempSync(join(tmpdir(), "deedkit-parquet-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, "rows.parquet")
  writeFileSync(path, bytes)
  return { bytes, path, changed, chunks: chunks.map(({ byteLength }) => byteLength) }
}

/** What DuckDB answers, as JSON values: a row is an array. */
export const query = async (sql: string): Promise<ReadonlyArray<ReadonlyArray<unknown>>> => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  return (await connection.runAndReadAll(sql)).getRowsJson()
}
