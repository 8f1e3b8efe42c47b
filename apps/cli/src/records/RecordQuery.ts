/**
 * Which records a list shows, in which order and with which columns: from flags to a value that is checked before anything is sent.
 *
 * The service neither filters nor sorts (Spec: Endpoints), so a condition or an order is about all pages: anything less would be an answer
 * to another question. That is why they imply `--all`.
 */
import type { ExportError } from "@deedkit/export"
import { ColumnName, Filter, Sort } from "@deedkit/export"
import type { Column, Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { QueryFlags } from "./RecordFlags.ts"
import { limitOfAll, words } from "./RecordFlags.ts"
import type { UsageError } from "../failure/UsageError.ts"
import { usageError } from "../failure/UsageError.ts"

export interface Query<A> {
  readonly filter: Filter.Filter<A>
  /** Null for the service's own order, which is not specified (Spec: Endpoints 6). */
  readonly sort: Sort.Sort<A> | null
  /** Records to show at most. */
  readonly max: number
  /** Whether more than the first page may be read. */
  readonly readings: boolean
  /** Records a page; undefined leaves it to the service. */
  readonly limit: number | undefined
  /** The columns that were asked for; null when none were. */
  readonly columns: ReadonlyArray<Column.Column<A>> | null
}

/** The columns of a choice of names. Fails with the nearest name, or when no name is given. */
export const columnsOf = <A>(
  table: Table.Table<A>,
  chosen: ReadonlyArray<string> | undefined,
): Effect.Effect<ReadonlyArray<Column.Column<A>> | null, ExportError.ExportError | UsageError> => {
  if (chosen === undefined) return Effect.succeed(null)
  return chosen.length === 0
    ? Effect.fail(
        usageError("No column is named", `There are: ${table.columns.map(({ name }) => name).join(", ")}.`),
      )
    : Effect.fromResult(Result.all([...new Set(chosen)].map((word) => ColumnName.resolve(table, word))))
}

/** JSON goes out as one document or as many, not both. */
export const checkForm = (json: boolean, ndjson: boolean): Effect.Effect<void, UsageError> =>
  json && ndjson
    ? Effect.fail(usageError("--json is one document, --ndjson is many", "Leave one of them out."))
    : Effect.void

/** What the flags ask for. */
export const resolve = <A>(
  table: Table.Table<A>,
  flags: QueryFlags,
): Effect.Effect<Query<A>, ExportError.ExportError | UsageError> =>
  Effect.gen(function* () {
    const { all, limit, max = Infinity } = flags
    const filter = yield* Effect.fromResult(Filter.parse(table, flags.where))
    const order = flags.sort === undefined ? [] : words(flags.sort)
    const sort = order.length === 0 ? null : yield* Effect.fromResult(Sort.parse(table, order))
    const isWhole = all || filter.texts.length > 0 || sort !== null
    const readings = isWhole || max < Infinity
    return {
      filter,
      sort,
      max,
      readings,
      limit: limit ?? (isWhole ? limitOfAll : readings ? Math.min(limitOfAll, max) : undefined),
      columns: yield* columnsOf(table, flags.jsonFields ?? flags.columns),
    }
  })
