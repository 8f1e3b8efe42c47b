/**
 * One walk into one file: what the commands `export` and `demo` share. Tells the truth at the end, and says at once when a run was
 * interrupted that there is no file of it.
 */
import type { ClientError, Page } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import { Table } from "@deedkit/export"
import type { CsvOptions } from "@deedkit/export-csv"
import type { ExportResult, RunOptions } from "@deedkit/export/run"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ClosingLine from "./ClosingLine.ts"
import type { RecordKind } from "./RecordKind.ts"
import type { Session } from "./Session.ts"
import { SetAside } from "./SetAside.ts"

export interface ExportTableOptions<A extends { readonly id: number }> {
  readonly kind: RecordKind<A>
  readonly table: Table.Table<A>
  readonly csv: CsvOptions
  readonly headings: RunOptions<A, never, never>["headings"]
  /** A path, or `-` for standard output. */
  readonly target: string
  readonly overwrite: boolean
  /** Records a page. */
  readonly limit: number
  /** Sees each page on its way to the file. */
  readonly onPage?: ((page: Page<A>) => void) | undefined
}

/** Writes the file and says how it went. */
export const exportTable = <A extends { readonly id: number }>(
  { client, note, terminal }: Session,
  options: ExportTableOptions<A>,
): Effect.Effect<ExportResult, ClientError.ClientError | ExportError.ExportError> =>
  Effect.gen(function* () {
    const { csv, headings, kind, limit, onPage, overwrite, table, target } = options
    const [{ writer }, { run }] = yield* Effect.promise(() =>
      Promise.all([import("@deedkit/export-csv"), import("@deedkit/export/run")]),
    )
    const pages = kind.records(client).pages({ limit, onInvalid: "collect" })
    const result = yield* run({
      table,
      pages: onPage === undefined ? pages : Stream.tap(pages, (page) => Effect.sync(() => onPage(page))),
      writer: writer(csv),
      target,
      overwrite,
      headings,
      stdout: terminal.bytes,
    })
    terminal.live(null)
    note(`${ClosingLine.walk(result.summary)}.`, "green")
    note(`${ClosingLine.file(result)}.`)
    return result
  })

/** The end of a run whose result is not the whole: some records were set aside. */
export const setAside = ({ rejects }: ExportResult): Effect.Effect<void, SetAside> =>
  rejects === null
    ? Effect.void
    : Effect.fail(
        new SetAside({
          records: rejects.records,
          path: rejects.path,
          problems: rejects.members.map(
            ({ expected, found, path }) =>
              `${path === "" ? "the record" : path} should be ${expected} and is ${found}`,
          ),
        }),
      )
