/**
 * The columns, records and time zone of an export, from its flags. Checked before anything is opened or sent.
 */
import type { Contract } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import { contracts, Filter, Sort, Table, Texts, TimeZone, withListingLink } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import type { RunChoices, TableChoices } from "./ExportFlags.ts"
import type { FormatTarget } from "./Formats.ts"
import * as Formats from "./Formats.ts"

const list = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** A table with the requested columns, the filter of its records, and their order; undefined for that of the service. */
export interface Selection<A> {
  readonly table: Table.Table<A>
  readonly filter: Filter.Filter<A>
  readonly order: Sort.Sort<A>["order"] | undefined
}

/** What applies to the tables of an export: the zone of times, the language of headings, and the moment for ages. */
export interface Reader extends Partial<Pick<RunChoices, "timeZone">> {
  readonly language: Texts.Language
  readonly nowMillis: number
}

/** Applies the flags for columns and records, and what the reader needs. An unknown name fails with the nearest one. */
export const select = Effect.fnUntraced(function* <A>(
  table: Table.Table<A>,
  { columns, sort = "", where }: TableChoices,
  { language, nowMillis, timeZone = "UTC" }: Reader,
): Effect.fn.Return<Selection<A>, ExportError.ExportError> {
  const filter = yield* Effect.fromResult(Filter.parse(table, where, nowMillis))
  const by = Sort.columnsIn(sort)
  const order = by.length === 0 ? undefined : (yield* Effect.fromResult(Sort.parse(table, by))).order
  const zoned = yield* Effect.fromResult(TimeZone.apply(table, timeZone))
  const selected =
    columns === undefined ? zoned : yield* Effect.fromResult(Table.select(zoned, list(columns)))
  return { table: Texts.inLanguage(selected, language), filter, order }
})

/** The table of contracts, with the column of `--link` if it is given. Fails if its value is not the address of a public page. */
export const contractsTable = (
  link: string | undefined,
): Effect.Effect<Table.Table<Contract.Contract>, Failure> => {
  const table = link === undefined ? contracts : withListingLink(contracts, link)
  return table === null
    ? usageError(
        `--link ${link} is not the address of a public page`,
        "Give an https address with {slug} in its path: --link 'https://site.example/{slug}'.",
      )
    : Effect.succeed(table)
}

const naming = "--columns id,listing.slug,link"

/**
 * The targets without the column of `--link`: JSON and NDJSON hold whole records as the API returns them, which have no such member. Fails if no
 * target would get the column.
 */
export const withoutLink = (
  { columns, isChosen = false }: Table.Table<Contract.Contract>,
  targets: ReadonlyArray<FormatTarget>,
): Effect.Effect<ReadonlyArray<FormatTarget>, Failure> => {
  if (!columns.some(({ name }) => name === "link")) {
    return usageError(
      "--link adds the column link, and --columns does not name it",
      `Name it too: ${naming}.`,
    )
  }
  const without = isChosen ? [] : targets.filter(Formats.holdsRecords)
  return without.length < targets.length
    ? Effect.succeed(without)
    : usageError(
        "--link adds a column, and JSON and NDJSON hold each record as the API gives it",
        `Choose another format, or name the columns: \`deedkit export contracts ${naming}\`.`,
      )
}
