/**
 * The flags of `list` and `get`, and the records that a list shows, with their order and columns: a value made from flags and checked before anything is
 * sent.
 *
 * The service neither filters nor sorts (Spec: Endpoints), so a condition or an order needs all pages and implies `--all`.
 */
import type { Column, ExportError } from "@deedkit/export"
import { Filter, Sort, Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import {
  choice,
  conditions,
  failOnEmpty,
  optional,
  sortBy,
  toggle,
  wholeNumber,
} from "../command/SharedFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import { mirrorFlags } from "../sync/MirrorFlags.ts"

/** Records per page if more than the first page is read. */
const defaultPageSize = 100

const words = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")

const names = (flag: Flag.Flag<string>): Flag.Flag<ReadonlyArray<string> | undefined> =>
  flag.pipe(Flag.map(words), optional)

export const columnNames = (
  name: string,
  description: string,
): Flag.Flag<ReadonlyArray<string> | undefined> =>
  names(Flag.String(name).pipe(Flag.withMetavar("A,B"), Flag.withDescription(description)))

/** How records are written: flags of `list` and `get`. */
export const formFlags = {
  ndjson: toggle("ndjson", "Print one JSON record a line, as soon as it is read"),
  jsonFields: names(Flag.String("json-fields").pipe(Flag.withHidden)),
} as const

export const queryFlags = {
  format: choice(
    "format",
    "FORM",
    ["table", "csv", "tsv", "json", "ndjson"],
    "Form of the output; default table",
  ),
  where: conditions(
    "Select records, such as status=active, city!=Athens, title~sea, updated_at>=2026-03. Repeat to combine conditions. Reads all pages",
  ),
  sort: sortBy("Reads all pages"),
  limit: wholeNumber("limit", "Show at most N records; reads as many pages as needed"),
  all: toggle("all", "Read all pages, not only the first"),
  pageSize: wholeNumber(
    "page-size",
    `Records per page; default: that of the service for one page, else ${defaultPageSize}`,
  ),
  columns: columnNames("columns", "Columns, in this order, such as id,status,city (for JSON: --json=A,B)"),
  failOnEmpty,
  ...formFlags,
  ...mirrorFlags,
} as const

export type QueryFlags = Command.Command.Config.Infer<typeof queryFlags>

export interface Query<A> {
  readonly filter: Filter.Filter<A>
  /** The sort order; null for the service's own, which is not specified (Spec: Endpoints 6). */
  readonly sort: Sort.Sort<A> | null
  readonly limit: number
  /** Whether more than the first page may be read. */
  readonly readsAll: boolean
  /** Records per page; undefined leaves it to the service. */
  readonly pageSize: number | undefined
  /** The requested columns; null if none were requested. */
  readonly columns: ReadonlyArray<Column.Column<A>> | null
}

/** The columns with these names. Fails for an unknown name, suggesting the nearest one, and for an empty list. */
export const columnsOf = <A>(
  table: Table.Table<A>,
  chosen: ReadonlyArray<string> | undefined,
): Effect.Effect<ReadonlyArray<Column.Column<A>> | null, ExportError.ExportError | Failure> => {
  if (chosen === undefined) return Effect.succeed(null)
  return chosen.length === 0
    ? usageError(
        "Missing column names",
        `There are: ${Table.allColumns(table)
          .map(({ name }) => name)
          .join(", ")}.`,
      )
    : Effect.fromResult(Result.all([...new Set(chosen)].map((word) => Table.resolveColumn(table, word))))
}

/** Rejects `--json` with `--ndjson`: the output is one document or many, not both. */
export const checkForm = (json: boolean, ndjson: boolean): Effect.Effect<void, Failure> =>
  json && ndjson ? usageError("--json and --ndjson cannot be combined", "Use one of them.") : Effect.void

/** The form of a list. Rejects flags that name two. */
export const formOf = Effect.fnUntraced(function* (
  json: boolean,
  { format, ndjson }: Pick<QueryFlags, "format" | "ndjson">,
): Effect.fn.Return<NonNullable<QueryFlags["format"]>, Failure> {
  yield* checkForm(json, ndjson)
  const short = json ? "json" : ndjson ? "ndjson" : undefined
  if (format !== undefined && short !== undefined && format !== short) {
    return yield* usageError(`--format ${format} and --${short} cannot be combined`, "Use one of them.")
  }
  return format ?? short ?? "table"
})

/** The query of these flags. */
export const resolve = Effect.fnUntraced(function* <A>(
  table: Table.Table<A>,
  flags: Partial<QueryFlags>,
  nowMillis: number,
): Effect.fn.Return<Query<A>, ExportError.ExportError | Failure> {
  const { all = false, limit = Infinity, pageSize } = flags
  const filter = yield* Effect.fromResult(Filter.parse(table, flags.where ?? [], nowMillis))
  const order = Sort.columnsIn(flags.sort ?? "")
  const sort = order.length === 0 ? null : yield* Effect.fromResult(Sort.parse(table, order))
  const isWhole = all || filter.texts.length > 0 || sort !== null
  const readsAll = isWhole || limit < Infinity
  return {
    filter,
    sort,
    limit,
    readsAll,
    pageSize:
      pageSize ?? (isWhole ? defaultPageSize : readsAll ? Math.min(defaultPageSize, limit) : undefined),
    columns: yield* columnsOf(table, flags.jsonFields ?? flags.columns),
  }
})
