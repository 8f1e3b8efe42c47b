/**
 * The records that a list shows, with their order and columns: a value made from flags and checked before anything is sent.
 *
 * The service neither filters nor sorts (Spec: Endpoints), so a condition or an order needs all pages and implies `--all`.
 */
import type { ExportError } from "@deedkit/export"
import { ColumnName, Filter, Sort } from "@deedkit/export"
import type { Column, Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { QueryFlags } from "./RecordFlags.ts"
import { defaultPageSize, words } from "./RecordFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

export interface Query<A> {
  readonly filter: Filter.Filter<A>
  /** The sort order; null for the service's own, which is not specified (Spec: Endpoints 6). */
  readonly sort: Sort.Sort<A> | null
  /** Maximum number of records to show. */
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
    ? Effect.fail(
        usageError("Missing column names", `There are: ${table.columns.map(({ name }) => name).join(", ")}.`),
      )
    : Effect.fromResult(Result.all([...new Set(chosen)].map((word) => ColumnName.resolve(table, word))))
}

/** Rejects `--json` with `--ndjson`: the output is one document or many, not both. */
export const checkForm = (json: boolean, ndjson: boolean): Effect.Effect<void, Failure> =>
  json && ndjson
    ? Effect.fail(usageError("--json and --ndjson cannot be combined", "Use one of them."))
    : Effect.void

/** The query of these flags. */
export const resolve = <A>(
  table: Table.Table<A>,
  flags: QueryFlags,
): Effect.Effect<Query<A>, ExportError.ExportError | Failure> =>
  Effect.gen(function* () {
    const { all, limit = Infinity, pageSize } = flags
    const filter = yield* Effect.fromResult(Filter.parse(table, flags.where))
    const order = flags.sort === undefined ? [] : words(flags.sort)
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
