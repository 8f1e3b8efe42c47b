/**
 * `deedkit export contracts|keys|all`: writes all records to files, each written completely or not at all. Columns, records and time zone are checked
 * before anything is opened or sent.
 */
import { ClientError } from "@deedkit/core"
import { apiKeysAt } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "effect/cli/Command"
import { examples, languageOf } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as DataColumns from "./DataColumns.ts"
import {
  allTableFlags,
  contractFlags,
  dataFlags,
  fileArgument,
  formatFlags,
  runFlags,
  tableFlags,
  withFiles,
} from "./ExportFlags.ts"
import type { ContractChoices, DataChoices, TableChoices } from "./ExportFlags.ts"
import * as ExportProfiles from "./ExportProfiles.ts"
import { contractsTable, select, withoutLink } from "./TableSelection.ts"
import * as Formats from "./Formats.ts"
import { report } from "./Report.ts"
import type { Choices, Planned } from "./RunExport.ts"
import { contractsJob, keysJob, perform, planned } from "./RunExport.ts"
import { verify } from "./VerifyExport.ts"

type OneTable = Choices & TableChoices

const wholeTable: TableChoices = { columns: undefined, sort: undefined, where: [] }

/** The table of keys, where the key in use may read it. A mirror says itself what it holds. */
const ifAllowed = (keys: Planned): Planned => ({
  ...keys,
  isLeftOut: ({ client, terminal }) =>
    client.config === undefined
      ? Effect.succeed(false)
      : Effect.matchEffect(Stream.runHead(client.apiKeys.pages({ limit: 1, onRejected: "collect" })), {
          onSuccess: () => Effect.succeed(false),
          onFailure: (error) => {
            if (!(error instanceof ClientError.ClientError) || error.reason._tag !== "Forbidden")
              return Effect.succeed(false)
            terminal.say("API keys are left out: the key lacks the scope read:api_keys.", "yellow")
            return Effect.succeed(true)
          },
        }),
})

const contractsOf = (
  { link, ...choices }: Choices & ContractChoices,
  tableChoices: TableChoices,
  data: boolean,
) =>
  Effect.gen(function* () {
    const table = yield* contractsTable(link)
    const { nowMillis } = yield* MirrorFlags.momentOf(choices)
    const selection = yield* select(table, tableChoices, {
      language: yield* languageOf(choices.lang),
      nowMillis,
      timeZone: choices.timeZone,
    })
    const isWithout =
      link !== undefined &&
      (yield* withoutLink(selection.table, yield* Formats.targets(choices.out, choices.format))).length > 0
    return planned("contract", table, selection, (session, options) => {
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
    const selection = yield* select(table, tableChoices, {
      language: yield* languageOf(choices.lang),
      nowMillis,
      timeZone: choices.timeZone,
    })
    return planned("API key", table, selection, keysJob)
  })

const exportContracts: Work<OneTable & ContractChoices & DataChoices> = Effect.fn(function* ({
  columns,
  data,
  dataColumns,
  sort,
  where,
  ...choices
}) {
  if (dataColumns) return yield* DataColumns.list(choices)
  yield* perform({ choices, data, tables: [yield* contractsOf(choices, { columns, sort, where }, data)] })
})

const exportKeys: Work<OneTable> = Effect.fn(function* ({ columns, sort, where, ...choices }) {
  yield* perform({ choices, tables: [yield* keysOf(choices, { columns, sort, where })] })
})

const exportAll: Work<OneTable & ContractChoices> = Effect.fn(function* ({
  columns,
  sort,
  where,
  ...choices
}) {
  const tables = [
    yield* contractsOf(choices, { columns, sort, where }, false),
    ifAllowed(yield* keysOf(choices, wholeTable)),
  ]
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
  (choices) => ExportProfiles.forEach(exportContracts)(withFiles(choices)),
).pipe(
  Command.withDescription("Export all contracts to a file"),
  examples(`
    deedkit export contracts --out contracts.xlsx  # A workbook
    # CSV for Excel, replacing an older file
    deedkit export contracts --for excel --out contracts.csv --overwrite
    # With links to the listings
    deedkit export contracts --link 'https://site.example/{slug}' --out contracts.xlsx
    # Active contracts in Athens
    deedkit export contracts --where status=active --where city=Athens --out athens.xlsx
    # Three columns to another program
    deedkit export contracts --columns id,status,listing.city --headers api --out - | head
    # From a mirror, without a request: the contracts of that day
    deedkit export contracts --from mirror.sqlite --as-of 2026-10-31 --out october.csv
    deedkit export contracts --format csv --format xlsx --out contracts  # Two files of one read
  `),
)

const keys = Command.make(
  "keys",
  { ...tableFlags, ...formatFlags, ...runFlags, ...fileArgument },
  (choices) => ExportProfiles.forEach(exportKeys)(withFiles(choices)),
).pipe(
  Command.withDescription("Export the metadata of all API keys to a file"),
  examples(`
    deedkit export keys --out keys.csv  # Names, scopes and use of API keys
    # Their age, and how long they have been unused
    deedkit export keys --columns name,scopes,age_days,unused_days --out keys.xlsx
  `),
)

const all = Command.make(
  "all",
  { ...allTableFlags, ...formatFlags, ...contractFlags, ...runFlags, ...fileArgument },
  (choices) => ExportProfiles.forEach(exportAll)(withFiles(choices)),
).pipe(
  Command.withDescription("Export contracts, API keys and a summary to a workbook, or to one file each"),
  examples(`
    deedkit export all --out everything.xlsx  # A workbook of three sheets
    # Contracts of one city, times as in Athens
    deedkit export all --where city=Athens --time-zone Europe/Athens --out athens.xlsx
    deedkit export all --out everything.csv  # Three files: everything-contracts.csv and so on
  `),
)

export const exportCommand: Subcommand<"export"> = Command.make("export").pipe(
  examples(`
    deedkit export contracts --out contracts.xlsx
    deedkit export verify contracts.xlsx
  `),
  Command.withSubcommands([contracts, keys, all, report, verify]),
)
