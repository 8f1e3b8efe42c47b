/**
 * Selects records of a table by conditions that a person types: `status=active`, `city~athens`, `updated_at>=2026-03`.
 *
 * Pure. The service's lists take no filters (Spec: Endpoints), so records are read first and filtered here, by the cells of the table's columns.
 */
import * as Result from "effect/Result"
import * as ColumnName from "./ColumnName.ts"
import { ExportError } from "../error/ExportError.ts"
import type { Operator } from "./condition.ts"
import { condition } from "./condition.ts"
import type { Table } from "./Table.ts"

export interface Filter<in A> {
  /** Whether a record meets all conditions. */
  readonly keeps: (record: A) => boolean
  /** The conditions with the columns' full names, such as `listing.city=Athens`: equal filters have equal texts. */
  readonly texts: ReadonlyArray<string>
}

const form = /^\s*([^\s=!~<>]+)\s*(==|!=|<=|>=|[=~<>])\s*(.*?)\s*$/s

const parseOne = <A>(table: Table<A>, text: string): Result.Result<Filter<A>, ExportError> => {
  const rejected = (expected: string) =>
    Result.fail(new ExportError({ reason: { _tag: "FilterInvalid", text, expected } }))
  const [, word, sign, value] = form.exec(text) ?? []
  if (word === undefined || sign === undefined || value === undefined) {
    return rejected("a column, one of = != ~ < <= > >=, and a value")
  }
  const operator = (sign === "==" ? "=" : sign) as Operator
  return Result.flatMap(ColumnName.resolve(table, word), ({ get, kind, name }) => {
    const test = condition(kind, operator, value)
    return typeof test === "string"
      ? rejected(test)
      : Result.succeed({ keeps: (record: A) => test(get(record)), texts: [`${name}${operator}${value}`] })
  })
}

/**
 * Makes a filter of conditions, all of which must hold; without conditions it keeps every record. A condition is a column (see `ColumnName`), an
 * operator and a value; spaces around them are ignored.
 *
 * - `=` equal, case-sensitive; `!=` anything else, including an empty cell. With no value: `=` an empty cell, `!=` one that is not empty.
 * - `~` contains the value, in any case.
 * - `<` `<=` `>` `>=` for numbers and timestamps; an empty cell is neither smaller nor greater.
 *
 * A date or time is in UTC and stands for the whole period that it names: `created_at=2026-03` keeps the whole month, `created_at>2026-03`
 * everything after it. A boolean is `yes` or `no`.
 *
 * Fails with `ColumnUnknown`, or with `FilterInvalid` for a text that is not a condition, or a value that the column cannot have.
 */
export const parse = <A>(
  table: Table<A>,
  texts: ReadonlyArray<string>,
): Result.Result<Filter<A>, ExportError> =>
  Result.map(Result.all(texts.map((text) => parseOne(table, text))), (filters) => ({
    keeps: (record) => filters.every((filter) => filter.keeps(record)),
    texts: filters.flatMap((filter) => filter.texts),
  }))
