/**
 * The columns, records and time zone of an export, from its flags. Checked before anything is opened or sent.
 */
import type { Contract } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import { ColumnName, contracts, Filter, Table, TimeZone, withListingLink } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
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

/** The table of contracts with the column of `--link`, or without. Fails where that is no address of a public page. */
export const contractsTable = (
  link: string | undefined,
): Effect.Effect<Table.Table<Contract.Contract>, Failure> => {
  const table = link === undefined ? contracts : withListingLink(contracts, link)
  return table === null
    ? Effect.fail(
        usageError(
          `--link ${link} is not the address of a public page`,
          "Give an https address with {slug} in its path: --link 'https://site.example/{slug}'.",
        ),
      )
    : Effect.succeed(table)
}
