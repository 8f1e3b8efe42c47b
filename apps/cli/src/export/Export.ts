/**
 * `deedkit export contracts|keys|all`: writes all records to files, each written completely or not at all. Columns, records and time zone are checked
 * before anything is opened or sent.
 */
import { ClientError } from "@deedkit/core"
import { apiKeysAt } from "@deedkit/export"
import type { Table, Texts } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "effect/cli/Command"
import { examples, languageOf } from "../command/SharedFlags.ts"
import type { CommandError, Needs, Subcommand, Work } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import { clean } from "../terminal/TerminalText.ts"
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
import * as Pdf from "./Pdf.ts"
import { report } from "./Report.ts"
import * as SeveralAccounts from "./SeveralAccounts.ts"
import type { Choices, Planned } from "./RunExport.ts"
import { contractsJob, keysJob, perform, planned } from "./RunExport.ts"
import { verify } from "./VerifyExport.ts"

const wholeTable: TableChoices = { columns: undefined, sort: undefined, where: [] }

/** The table of keys, where the key in use may read it. A mirror says itself what it holds. */
const ifAllowed = (keys: Planned): Planned => ({
  ...keys,
  isLeftOut: ({ client, terminal }, account) =>
    client.config === undefined
      ? Effect.succeed(false)
      : Effect.matchEffect(Stream.runHead(client.apiKeys.pages({ limit: 1, onRejected: "collect" })), {
          onSuccess: () => Effect.succeed(false),
          onFailure: (error) => {
            if (!(error instanceof ClientError.ClientError) || error.reason._tag !== "Forbidden")
              return Effect.succeed(false)
            const whose = account === undefined ? "" : ` of ${clean(account)}`
            terminal.say(`API keys${whose} are left out: the key lacks the scope read:api_keys.`, "yellow")
            return Effect.succeed(true)
          },
        }),
})

type Accounts = ReadonlyArray<SeveralAccounts.SourceAccount>

/** The chosen columns and records of a table; of several accounts, it has a column for the account. */
const selectionOf = Effect.fnUntraced(function* <A>(
  choices: Choices,
  tableChoices: TableChoices,
  table: Table.Table<A>,
  inOne: { readonly table: (table: Table.Table<A>, language: Texts.Language) => Table.Table<A> } | undefined,
) {
  const { nowMillis } = yield* MirrorFlags.momentOf(choices)
  const language = yield* languageOf(choices.lang)
  const selected = yield* select(table, tableChoices, { language, nowMillis, timeZone: choices.timeZone })
  return { ...selected, table: inOne?.table(selected.table, language) ?? selected.table }
})

/** The table of contracts, of the account that is read or of each of several. */
const contractsOf = Effect.fnUntraced(function* (
  { link, ...choices }: Choices & Partial<ContractChoices>,
  tableChoices: TableChoices,
  data: boolean,
  several: Accounts | undefined,
) {
  const table = yield* contractsTable(link)
  const inOne = several && SeveralAccounts.inOneTable(several, (client) => client.contracts)
  const selection = yield* selectionOf(choices, tableChoices, table, inOne)
  const isWithout =
    link !== undefined &&
    (yield* withoutLink(selection.table, yield* Formats.targets(choices.out, choices.format))).length > 0
  const own = planned("contract", table, selection, (session, options) => {
    if (isWithout) {
      session.note(
        "JSON and NDJSON hold each record as the API gives it, without the links of --link. --columns can name them.",
      )
    }
    return contractsJob(session, { ...options, data, ...inOne?.options(session) })
  })
  return inOne?.planned(own) ?? [own]
})

/** The same for API keys; `isOptional` where they are left out if the key in use may not read them. */
const keysOf = Effect.fnUntraced(function* (
  choices: Choices,
  tableChoices: TableChoices,
  isOptional: boolean,
  several: Accounts | undefined,
) {
  const { nowMillis } = yield* MirrorFlags.momentOf(choices)
  const table = apiKeysAt(nowMillis)
  const inOne = several && SeveralAccounts.inOneTable(several, (client) => client.apiKeys)
  const selection = yield* selectionOf(choices, tableChoices, table, inOne)
  const own = planned("API key", table, selection, (session, options) =>
    keysJob(session, { ...options, ...inOne?.options(session) }),
  )
  const each = isOptional ? ifAllowed(own) : own
  return inOne?.planned(each) ?? [each]
})

type Given = Choices & TableChoices & Partial<ContractChoices & DataChoices>
type TablesOf = (
  given: Given,
  several?: Accounts,
) => Effect.Effect<ReadonlyArray<Planned>, CommandError, Needs>

/** The tables of an export; `names` are those of a mirror that it reads. */
interface Kind {
  readonly names: ReadonlyArray<string>
  readonly tables: TablesOf
  readonly summary?: true
}

const contractsOnly: Kind = {
  names: ["contracts"],
  tables: ({ columns, data = false, sort, where, ...choices }, several) =>
    contractsOf(choices, { columns, sort, where }, data, several),
}

const keysOnly: Kind = {
  names: ["keys"],
  tables: ({ columns, sort, where, ...choices }, several) =>
    keysOf(choices, { columns, sort, where }, false, several),
}

const everything: Kind = {
  names: ["contracts", "keys"],
  tables: ({ columns, sort, where, ...choices }, several) =>
    Effect.map(
      Effect.all([
        contractsOf(choices, { columns, sort, where }, false, several),
        keysOf(choices, wholeTable, true, several),
      ]),
      (tables) => tables.flat(),
    ),
  summary: true,
}

const exportOne =
  ({ summary, tables }: Kind): Work<Given> =>
  (given) =>
    given.dataColumns === true
      ? DataColumns.list(given)
      : Effect.flatMap(tables(given), (each) =>
          perform({ choices: given, data: given.data, summary, tables: each }),
        )

/** Exports one account, a file for each of several, or one file for all with a column for the account. */
const exporting = (kind: Kind): Work<Given & ExportProfiles.Several> =>
  Effect.fn(function* (given) {
    const isTogether = given.combine || (given.from !== undefined && kind === contractsOnly)
    const names = isTogether ? yield* SeveralAccounts.namesOf(given) : null
    if (names === null) return yield* ExportProfiles.forEach(exportOne(kind))(given)
    const { columns, data = false } = given
    const targets = yield* Formats.targets(given.out, given.format)
    // The columns of an export of everything are those of contracts.
    if ((columns === undefined || kind === everything) && targets.some(Formats.holdsRecords)) {
      return yield* usageError(
        "JSON and NDJSON hold each record as the API gives it, without its account",
        kind === everything
          ? "Choose another format, or write a file for each account: --out 'all-{profile}.json'."
          : `Write a file for each account, --out '${kind.names[0]}-{profile}.json', or name the columns: --columns id,${kind === keysOnly ? "name" : "status"}.`,
      )
    }
    const refusal = SeveralAccounts.refusalOf(names, { "--dry-run": given.dryRun }, "file")
    if (refusal !== null) return yield* refusal
    if (given.pdf === true) yield* Pdf.check(targets, given)
    const { accounts, origin } = yield* SeveralAccounts.open(given, names, data, kind.names)
    const tables = yield* kind.tables(given, accounts)
    const part = { origin, value: undefined, isTold: false, isAccepted: false }
    yield* perform({ choices: given, data, part, summary: kind.summary, tables })
  }, Effect.scoped)

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
  (choices) => exporting(contractsOnly)(withFiles(choices)),
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
    deedkit export contracts --from mirror.sqlite --tag athens --out athens.csv  # Of all accounts with a tag
    deedkit export contracts --all --combine --out offices.xlsx  # All profiles in one file
    deedkit export contracts --format csv --format xlsx --out contracts  # Two files of one read
  `),
)

const keys = Command.make(
  "keys",
  { ...tableFlags, ...formatFlags, ...runFlags, ...fileArgument },
  (choices) => exporting(keysOnly)(withFiles(choices)),
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
  { ...allTableFlags, ...formatFlags, ...contractFlags, ...runFlags, ...fileArgument, pdf: Pdf.pdf },
  (choices) => exporting(everything)(withFiles(choices)),
).pipe(
  Command.withDescription("Export contracts, API keys and a summary to a workbook, or to one file each"),
  examples(`
    deedkit export all --out everything.xlsx  # A workbook of three sheets
    # Contracts of one city, times as in Athens
    deedkit export all --where city=Athens --time-zone Europe/Athens --out athens.xlsx
    deedkit export all --out everything.csv  # Three files: everything-contracts.csv and so on
  `),
)

const exportCommand: Subcommand<"export"> = Command.make("export").pipe(
  examples(`
    deedkit export contracts --out contracts.xlsx
    deedkit export verify contracts.xlsx
  `),
  Command.withSubcommands([contracts, keys, all, report, verify]),
)

export { exportCommand as export }
