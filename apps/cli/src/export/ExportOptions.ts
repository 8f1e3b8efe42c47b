/**
 * The columns, records and time zone of an export, from its flags. Checked before anything is opened or sent.
 */
import type { ExportError } from "@deedkit/export"
import { ColumnName, Filter, Table, TimeZone } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type { TableChoices } from "./formats/ExportFlags.ts"

const list = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** A table as it was asked for, and which of its records. */
export interface Selection<A> {
  readonly table: Table.Table<A>
  readonly filter: Filter.Filter<A>
}

/** The columns, records and zone of the flags. Fails with the nearest name. */
export const select = <A>(
  table: Table.Table<A>,
  { columns, where }: TableChoices,
  timeZone = "UTC",
): Effect.Effect<Selection<A>, ExportError.ExportError> =>
  Effect.gen(function* () {
    const filter = yield* Effect.fromResult(Filter.parse(table, where))
    const zoned = yield* Effect.fromResult(TimeZone.apply(table, timeZone))
    if (columns === undefined) return { table: zoned, filter }
    const names = yield* Effect.forEach(list(columns), (word) =>
      Effect.map(Effect.fromResult(ColumnName.resolve(zoned, word)), ({ name }) => name),
    )
    return { table: yield* Effect.fromResult(Table.select(zoned, names)), filter }
  })
