/**
 * `deedkit export contracts|keys|all`: writes all records to files, each written completely or not at all. Columns, records and time zone are checked
 * before anything is opened or sent.
 */
import { apiKeysAt } from "@deedkit/export"
import type { Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import * as RecordKinds from "../records/RecordKind.ts"
import * as UnmatchedValue from "../records/UnmatchedValue.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as DataColumns from "./DataColumns.ts"
import {
  contractFlags,
  dataFlags,
  fileArgument,
  formatFlags,
  runFlags,
  tableFlags,
  withFiles,
} from "./ExportFlags.ts"
import type { ContractChoices, DataChoices, TableChoices } from "./ExportFlags.ts"
import type { Selection } from "./ExportOptions.ts"
import { contractsTable, select, withoutLink } from "./ExportOptions.ts"
import type { Choices, Planned } from "./ExportRequest.ts"
import { perform } from "./ExportRequest.ts"
import type { JobOptions } from "./ExportTables.ts"
import { contractsJob, keysJob } from "./ExportTables.ts"
import * as Formats from "./Formats.ts"
import { report } from "./Report.ts"
import { verify } from "./VerifyExport.ts"

type OneTable = Choices & TableChoices

/** A table of an export. After the run it is said, also with `--quiet`, which conditions no record met. */
const planned = <A extends { readonly id: number }>(
  { one }: RecordKinds.RecordKind<A>,
  table: Table.Table<A>,
  selection: Selection<A>,
  job: (session: SourceSession, options: JobOptions<A>) => ReturnType<Planned["job"]>,
): Planned => {
  const { filter, unmatched } = UnmatchedValue.watch(table, selection.filter)
  let kept = 0
  const counted: Selection<A>["filter"] = {
    texts: filter.texts,
    keeps: (record) => {
      const keeps = filter.keeps(record)
      if (keeps) kept += 1
      return keeps
    },
  }
  return {
    selection,
    job: (session, pageSize) => job(session, { ...selection, filter: counted, pageSize }),
    afterRun: ({ client, terminal }) => {
      const values = unmatched()
      for (const each of values)
        terminal.say(UnmatchedValue.sentence(each, `No ${one}`, client.redact), "yellow")
      if (kept === 0 && values.length === 0 && filter.texts.length > 0)
        terminal.say(`No ${one} meets the conditions.`, "yellow")
    },
  }
}

const wholeTable: TableChoices = { columns: undefined, where: [] }

const contractsOf = (
  { link, ...choices }: Choices & ContractChoices,
  tableChoices: TableChoices,
  data: boolean,
) =>
  Effect.gen(function* () {
    const table = yield* contractsTable(link)
    const { nowMillis } = yield* MirrorFlags.momentOf(choices)
    const selection = yield* select(table, tableChoices, choices.timeZone, nowMillis)
    const isWithout =
      link !== undefined &&
      (yield* withoutLink(selection.table, yield* Formats.targets(choices.out, choices.format))).length > 0
    return planned(RecordKinds.contracts, table, selection, (session, options) => {
      if (isWithout) {
        session.note(
          "JSON and NDJSON hold each record as the API gives it, without the links of --link. --columns can name them.",
        )
      }
      return contractsJob(session, { ...options, data })
    })
  })

const keysOf = (choices: Choices, tableChoices: TableChoices) =>
  Effect.gen(function* () {
    const { nowMillis } = yield* MirrorFlags.momentOf(choices)
    const table = apiKeysAt(nowMillis)
    const selection = yield* select(table, tableChoices, choices.timeZone, nowMillis)
    return planned(RecordKinds.keys, table, selection, keysJob)
  })

const exportContracts: Work<OneTable & ContractChoices & DataChoices> = Effect.fn(function* ({
  columns,
  data,
  dataColumns,
  where,
  ...choices
}) {
  if (dataColumns) return yield* DataColumns.list(choices)
  yield* perform({ choices, data, tables: [yield* contractsOf(choices, { columns, where }, data)] })
})

const exportKeys: Work<OneTable> = Effect.fn(function* ({ columns, where, ...choices }) {
  yield* perform({ choices, tables: [yield* keysOf(choices, { columns, where })] })
})

const exportAll: Work<Choices & ContractChoices> = Effect.fn(function* (choices) {
  const tables = [yield* contractsOf(choices, wholeTable, false), yield* keysOf(choices, wholeTable)]
  yield* perform({ choices, tables, summary: true })
})

const contracts = Command.make(
  "contracts",
  {
    ...tableFlags,
    ...formatFlags,
    ...contractFlags,
    ...dataFlags,
    ...runFlags,
    ...fileArgument,
  },
  (choices) => exportContracts(withFiles(choices)),
).pipe(
  Command.withDescription("Export all contracts to a file"),
  Command.withExamples([
    { command: "deedkit export contracts --out contracts.xlsx", description: "A workbook" },
    {
      command: "deedkit export contracts --for excel --out contracts.csv --overwrite",
      description: "CSV for Excel, replacing an older file",
    },
    {
      command: "deedkit export contracts --link 'https://site.example/{slug}' --out contracts.xlsx",
      description: "With links to the listings",
    },
    {
      command: "deedkit export contracts --where status=active --where city=Athens --out athens.xlsx",
      description: "Active contracts in Athens",
    },
    {
      command: "deedkit export contracts --columns id,status,listing.city --headers api --out - | head",
      description: "Three columns to another program",
    },
    {
      command: "deedkit export contracts --from mirror.sqlite --as-of 2026-10-31 --out october.csv",
      description: "From a mirror, without a request: the contracts of that day",
    },
    {
      command: "deedkit export contracts --format csv --format xlsx --out contracts",
      description: "Two files of one read",
    },
  ]),
)

const keys = Command.make(
  "keys",
  { ...tableFlags, ...formatFlags, ...runFlags, ...fileArgument },
  (choices) => exportKeys(withFiles(choices)),
).pipe(
  Command.withDescription("Export the metadata of all API keys to a file"),
  Command.withExamples([
    { command: "deedkit export keys --out keys.csv", description: "Names, scopes and use of API keys" },
    {
      command: "deedkit export keys --columns name,scopes,age_days,unused_days --out keys.xlsx",
      description: "Their age, and how long they have been unused",
    },
  ]),
)

const all = Command.make(
  "all",
  { ...formatFlags, ...contractFlags, ...runFlags, ...fileArgument },
  (choices) => exportAll(withFiles(choices)),
).pipe(
  Command.withDescription("Export contracts, API keys and a summary to a workbook, or to one file each"),
  Command.withExamples([
    { command: "deedkit export all --out everything.xlsx", description: "A workbook of three sheets" },
    {
      command: "deedkit export all --out everything.csv",
      description: "Three files: everything-contracts.csv and so on",
    },
  ]),
)

export const exportCommand: Subcommand<"export"> = Command.make("export").pipe(
  Command.withExamples([
    { command: "deedkit export contracts --out contracts.xlsx" },
    { command: "deedkit export verify contracts.xlsx" },
  ]),
  Command.withSubcommands([contracts, keys, all, report, verify]),
)
