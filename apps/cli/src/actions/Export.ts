/**
 * `deedkit export contracts|keys|all`: all records in files that are whole or not there at all. `verify` and `diff` look at such files
 * afterwards.
 */
import { apiKeysAt, Table } from "@deedkit/export"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Choices } from "../ExportCommand.ts"
import { perform } from "../ExportCommand.ts"
import type { TableChoices } from "../ExportFlags.ts"
import { select } from "../ExportOptions.ts"
import { contractsJob, keysJob } from "../ExportTables.ts"
import * as RecordKinds from "../RecordKind.ts"
import type { Work } from "../Subcommand.ts"

type OneTable = Choices & TableChoices

const wholeTable: TableChoices = { columns: undefined, where: [] }

const contractsTable = (choices: Choices, tableChoices: TableChoices, data: boolean) =>
  Effect.gen(function* () {
    const { table } = RecordKinds.contracts
    const withData =
      data && tableChoices.columns === undefined
        ? yield* Effect.fromResult(Table.add(table, ["extra"]))
        : table
    const selection = yield* select(withData, tableChoices, choices.timeZone)
    return {
      selection,
      job: (session, limit) => contractsJob(session, { ...selection, data, limit }),
    } satisfies Parameters<typeof perform>[0]["tables"][number]
  })

const keysTable = (choices: Choices, tableChoices: TableChoices) =>
  Effect.gen(function* () {
    const table = apiKeysAt(yield* Clock.currentTimeMillis)
    const selection = yield* select(table, tableChoices, choices.timeZone)
    return {
      selection,
      job: (session, limit) => keysJob(session, { ...selection, limit }),
    } satisfies Parameters<typeof perform>[0]["tables"][number]
  })

export const contracts: Work<OneTable & { readonly data: boolean }> = Effect.fn(function* ({
  columns,
  data,
  where,
  ...choices
}) {
  yield* perform({ choices, data, tables: [yield* contractsTable(choices, { columns, where }, data)] })
})

export const keys: Work<OneTable> = Effect.fn(function* ({ columns, where, ...choices }) {
  yield* perform({ choices, tables: [yield* keysTable(choices, { columns, where })] })
})

export const all: Work<Choices> = Effect.fn(function* (choices) {
  const tables = [yield* contractsTable(choices, wholeTable, false), yield* keysTable(choices, wholeTable)]
  yield* perform({ choices, tables, summary: true })
})
