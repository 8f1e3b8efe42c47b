/**
 * `deedkit export contracts|keys|all`: all records in files that are whole or not there at all. `verify` and `diff` look at such files
 * afterwards.
 */
import { apiKeysAt, Table } from "@deedkit/export"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import type { Choices } from "../ExportCommand.ts"
import { perform } from "../ExportCommand.ts"
import { formatFlags, runFlags, select, tableFlags } from "../ExportOptions.ts"
import type { TableChoices } from "../ExportOptions.ts"
import { contractsJob, keysJob } from "../ExportTables.ts"
import * as RecordKinds from "../RecordKind.ts"
import { toggle } from "../SharedFlags.ts"
import type { Subcommand } from "../Subcommand.ts"
import { diff } from "./ExportDiff.ts"
import { verify } from "./ExportVerify.ts"

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

const contracts = Command.make(
  "contracts",
  {
    ...formatFlags,
    ...tableFlags,
    ...runFlags,
    data: toggle(
      "data",
      "Ask for each contract's data payload too (include_data), a request each, as a JSON column",
    ),
  },
  Effect.fn(function* ({ columns, data, where, ...choices }) {
    yield* perform({ choices, data, tables: [yield* contractsTable(choices, { columns, where }, data)] })
  }),
).pipe(
  Command.withDescription("Write all contracts to a file"),
  Command.withExamples([
    { command: "deedkit export contracts --out contracts.xlsx", description: "A workbook" },
    {
      command: "deedkit export contracts --for excel --out contracts.csv --overwrite",
      description: "CSV for Excel, in place of an older file",
    },
    {
      command: "deedkit export contracts --where status=active --where city=Athens --out athens.xlsx",
      description: "Only the active ones in Athens",
    },
    {
      command: "deedkit export contracts --columns id,status,listing.city --headers api --out - | head",
      description: "Three columns to another program",
    },
    {
      command: "deedkit export contracts --format csv --format xlsx --out contracts",
      description: "Two files of one walk",
    },
  ]),
)

const keys = Command.make(
  "keys",
  { ...formatFlags, ...tableFlags, ...runFlags },
  Effect.fn(function* ({ columns, where, ...choices }) {
    yield* perform({ choices, tables: [yield* keysTable(choices, { columns, where })] })
  }),
).pipe(
  Command.withDescription("Write the metadata of all API keys to a file"),
  Command.withExamples([
    { command: "deedkit export keys --out keys.csv", description: "Names, scopes and use of API keys" },
    {
      command: "deedkit export keys --columns name,scopes,age_days,unused_days --out keys.xlsx",
      description: "How old they are and for how long they were not used",
    },
  ]),
)

const all = Command.make(
  "all",
  { ...formatFlags, ...runFlags },
  Effect.fn(function* (choices) {
    const tables = [yield* contractsTable(choices, wholeTable, false), yield* keysTable(choices, wholeTable)]
    yield* perform({ choices, tables, summary: true })
  }),
).pipe(
  Command.withDescription("Write contracts, API keys and a summary to a workbook, or to a file each"),
  Command.withExamples([
    { command: "deedkit export all --out everything.xlsx", description: "A workbook of three sheets" },
    {
      command: "deedkit export all --out everything.csv",
      description: "Three files, everything-contracts.csv and so on",
    },
  ]),
)

export const exportCommand: Subcommand<"export"> = Command.make("export").pipe(
  Command.withDescription("Write all contracts or API keys to files, and check such files"),
  Command.withExamples([
    { command: "deedkit export contracts --out contracts.xlsx" },
    { command: "deedkit export verify contracts.xlsx" },
    { command: "deedkit export diff march.csv april.csv" },
  ]),
  Command.withSubcommands([contracts, keys, all, verify, diff]),
)
