/**
 * The user's choices, applied to the tables of `@deedkit/export`: columns in order, the zone of timestamps, a filter and a sort order. Pure.
 */
import type { Cell, ExportError } from "@deedkit/export"
import { ColumnName, Filter, Sort, Table, TimeZone } from "@deedkit/export"
import * as Result from "effect/Result"
import type { Choices } from "./ExportMessage.ts"

/** The part of a record that is needed for sorting: a few bytes instead of a thousand. */
export interface Place {
  readonly id: number
  readonly value: Cell.CellValue
}

export interface Order<in A> {
  readonly placeOf: (record: A) => Place
  readonly sort: Sort.Sort<Place>
}

export interface Choice<in A> {
  readonly table: Table.Table<A>
  readonly filter: Filter.Filter<A>
  /** Null for the order of the ids. */
  readonly order: Order<A> | null
}

const orderBy = <A extends { readonly id: number }>(
  table: Table.Table<A>,
  text: string,
): Result.Result<Order<A>, ExportError.ExportError> =>
  Result.gen(function* () {
    const { get, kind, label, name } = yield* ColumnName.resolve(table, text.replace(/^-/, ""))
    const placeOf = (record: A): Place => ({ id: record.id, value: get(record) })
    const value = { name, label, kind, get: (place: Place) => place.value }
    const places: Table.Table<Place> = {
      name: table.name,
      title: table.title,
      columns: [value],
      onDemand: [],
    }
    return { placeOf, sort: yield* Sort.parse(places, [text.startsWith("-") ? `-${name}` : name]) }
  })

/**
 * Makes the choice. Conditions and order apply to the service's values, in UTC, whatever zone the file shows. Fails with a sentence that says what
 * would be correct.
 */
export const make = <A extends { readonly id: number }>(
  table: Table.Table<A>,
  { columns, filters, order, timeZone }: Choices,
): Result.Result<Choice<A>, ExportError.ExportError> =>
  Result.gen(function* () {
    const filter = yield* Filter.parse(table, filters)
    const ordered = order === null ? null : yield* orderBy(table, order)
    const zoned = yield* TimeZone.apply(table, timeZone)
    return { table: yield* Table.select(zoned, columns), filter, order: ordered }
  })
