/** Writes a table whose records are already available to one target, without a manifest or journal. */
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Headings } from "../table/Column.ts"
import type { ExportError } from "../error/ExportError.ts"
import { cut } from "../write/LongTexts.ts"
import * as Output from "./Output.ts"
import type { Table } from "../table/Table.ts"
import type { TableWriter } from "../write/TableWriter.ts"

export interface WriteTableOptions<A, E, R> {
  readonly table: Table<A>
  readonly pages: Stream.Stream<ReadonlyArray<A>, E, R>
  readonly writer: TableWriter
  /** A path, or `-` for standard output. */
  readonly target: string
  /** Default false. */
  readonly overwrite?: boolean | undefined
  /** Default `labels`. */
  readonly headings?: Headings | undefined
  /** The stream that `-` names. Default: the process's standard output. */
  readonly stdout?: Writable | undefined
}

/** Writes the file whole, or not at all. Texts that are too long for a cell are cut. */
export const writeTable = <A, E, R>({
  headings = "labels",
  overwrite = false,
  pages,
  stdout = process.stdout,
  table,
  target,
  writer,
}: WriteTableOptions<A, E, R>): Effect.Effect<void, E | ExportError, R> =>
  Effect.gen(function* () {
    const output = yield* Output.make({ target, writer }, [table.name], {
      headings,
      overwrite,
      stdout,
      onLongText: cut,
      properties: () => ({}),
    })
    const sheet = yield* output.begin(table)
    yield* Stream.runForEach(pages, sheet.add)
    yield* sheet.end
    yield* output.finish
    yield* output.commit
  }).pipe(Effect.scoped)
