/**
 * The flags of exports, and what they mean to the table and the writer. Checked before anything is opened or sent.
 */
import type { ExportError } from "@deedkit/export"
import { Table } from "@deedkit/export"
import type { CsvOptions } from "@deedkit/export-csv"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"

const flavours = ["rfc4180", "excel", "excel-eu", "tsv"] as const satisfies ReadonlyArray<
  CsvOptions["flavour"]
>

export const formatFlags = {
  format: Flag.Literals("format", ["csv"]).pipe(
    Flag.withDescription("The file's format; default csv"),
    Flag.withDefault("csv"),
  ),
  flavour: Flag.Literals("for", flavours).pipe(
    Flag.withDescription(
      "Who reads the CSV: programs, Excel, Excel where the comma is decimal, tabs; default rfc4180",
    ),
    Flag.withDefault("rfc4180"),
  ),
  columns: Flag.String("columns").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription("Only these columns, in this order, by the service's names such as id,listing.city"),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  ),
  headers: Flag.Literals("headers", ["labels", "api"]).pipe(
    Flag.withDescription("Headings for people or the service's names; default labels"),
    Flag.withDefault("labels"),
  ),
  formulaGuard: Flag.Literals("formula-guard", ["on", "off"]).pipe(
    Flag.withDescription(
      "Keep texts from being evaluated by a spreadsheet; off for programs only; default on",
    ),
    Flag.withDefault("on"),
  ),
} as const

/** The table with the columns of `--columns`, or as it is. Fails with the nearest name. */
export const select = <A>(
  table: Table.Table<A>,
  columns: string | undefined,
): Effect.Effect<Table.Table<A>, ExportError.ExportError> =>
  columns === undefined
    ? Effect.succeed(table)
    : Effect.fromResult(
        Table.select(
          table,
          columns
            .split(",")
            .map((name) => name.trim())
            .filter((name) => name !== ""),
        ),
      )
