/** Tables, pages and readers that the tests share. Refuses to know what any of them expects. */
import type { Cell, Column, Table } from "@deedkit/export"
import { TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as XLSX from "xlsx"
import type { XlsxOptions } from "../src/XlsxWriter.ts"
import { writer } from "../src/XlsxWriter.ts"

export type Row = ReadonlyArray<Cell.CellValue>

/** A table whose records are arrays of values, a column for each kind that is given. */
export const tableOf = (
  kinds: ReadonlyArray<Cell.CellKind>,
  title = "Rows",
  more: Partial<Column.Column<Row>> = {},
): Table.Table<Row> => ({
  name: "rows",
  title,
  columns: kinds.map((kind, at) => ({
    name: `column_${at}`,
    label: `Column ${at}`,
    kind,
    get: (row) => row[at] ?? null,
    ...more,
  })),
  onDemand: [],
})

/** The bytes of a workbook with one sheet. */
export const bytesOf = async (
  table: Table.Table<Row>,
  pages: ReadonlyArray<ReadonlyArray<Row>>,
  options: XlsxOptions = {},
  write: Parameters<typeof TableWriter.bytes>[3] = {},
): Promise<Buffer> =>
  Buffer.concat(
    await Effect.runPromise(
      Stream.runCollect(TableWriter.bytes(writer(options), table, Stream.fromIterable(pages), write)),
    ),
  )

/** The bytes of a workbook whose sheets are filled one after the other. */
export const workbookOf = async (
  sheets: ReadonlyArray<{
    readonly table: Table.Table<Row>
    readonly rows: ReadonlyArray<Row>
    readonly opened?: boolean
  }>,
  options: XlsxOptions = {},
): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const file = yield* writer(options).open({
          write: (chunk) => Effect.sync(() => void chunks.push(chunk)),
        })
        for (const { opened, rows, table } of sheets) {
          const sheet = yield* file.sheet(table, { opened })
          yield* sheet.add(rows)
          yield* sheet.end
        }
        yield* file.end
      }),
    ),
  )
  return Buffer.concat(chunks)
}

/** What SheetJS makes of a workbook. */
export const read = (bytes: Buffer): XLSX.WorkBook => XLSX.read(bytes, { cellFormula: true, cellNF: true })

/** The cells of a sheet as SheetJS reads them, headings left out. */
export const cellsOf = (bytes: Buffer, name?: string): ReadonlyArray<ReadonlyArray<unknown>> => {
  const workbook = read(bytes)
  const sheet = workbook.Sheets[name ?? workbook.SheetNames[0]!]!
  return XLSX.utils
    .sheet_to_json<Array<unknown>>(sheet, { header: 1, raw: true, defval: null, blankrows: true })
    .slice(1)
}

/** A cell of the first sheet. */
export const cellAt = (bytes: Buffer, address: string): XLSX.CellObject | undefined => {
  const workbook = read(bytes)
  return workbook.Sheets[workbook.SheetNames[0]!]![address] as XLSX.CellObject | undefined
}

/** The parts of the container by path. */
export const partsOf = (bytes: Buffer): { readonly [path: string]: string } => {
  const container = XLSX.CFB.read(bytes, { type: "buffer" })
  return Object.fromEntries(
    container.FullPaths.map((path: string, at: number) => [
      path.replace(/^Root Entry\//, ""),
      Buffer.from(container.FileIndex[at]?.content ?? []).toString("utf8"),
    ]),
  )
}
