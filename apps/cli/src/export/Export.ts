/**
 * `deedkit export contracts|keys|all|report`: writes all records to files, each written completely or not at all. `verify` checks such
 * files.
 */
import { apiKeysAt } from "@deedkit/export"
import type { Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type { Choices } from "./ExportRequest.ts"
import { perform } from "./ExportRequest.ts"
import type { ContractChoices, DataChoices, TableChoices } from "./formats/ExportFlags.ts"
import type { Selection } from "./ExportOptions.ts"
import { contractsTable, select, withoutLink } from "./ExportOptions.ts"
import type { JobOptions } from "./ExportTables.ts"
import { contractsJob, keysJob } from "./ExportTables.ts"
import * as DataColumns from "./data/DataColumns.ts"
import { ofFile } from "./formats/FormatName.ts"
import * as Formats from "./formats/Formats.ts"
import * as KeyFindings from "./report/KeyFindings.ts"
import * as Report from "./report/Report.ts"
import * as ReportChanges from "./report/ReportChanges.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import * as RecordKinds from "../records/RecordKind.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import type { Work } from "../command/Subcommand.ts"
import * as Since from "../sync/Since.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as UnmatchedValue from "../records/UnmatchedValue.ts"

type OneTable = Choices & TableChoices

type Planned = Parameters<typeof perform>[0]["tables"][number]

/** A table of a run. `tell` prints the message about conditions that no record met, once all records were read. */
interface Watched {
  readonly table: Planned
  readonly tell: () => void
}

const watched = <A extends { readonly id: number }>(
  { one }: RecordKinds.RecordKind<A>,
  table: Table.Table<A>,
  selection: Selection<A>,
  job: (session: SourceSession, options: JobOptions<A>) => ReturnType<Planned["job"]>,
): Watched => {
  const watch = UnmatchedValue.watch(table, selection.filter)
  const filter = UnmatchedValue.watched(selection.filter, watch)
  let opened: SourceSession | null = null
  return {
    table: {
      selection,
      job: (session, pageSize) => {
        opened = session
        return job(session, { ...selection, filter, pageSize })
      },
    },
    tell: () => {
      for (const each of watch.unmatched()) {
        opened?.note(UnmatchedValue.sentence(each, `No ${one}`, opened.client.redact), "yellow")
      }
    },
  }
}

/** Runs `tell` after a finished run, which has read every record even if some were rejected. */
const performThen = (spec: Parameters<typeof perform>[0], tell: () => void) =>
  perform(spec).pipe(
    Effect.tap(() => Effect.sync(tell)),
    Effect.tapError((error) =>
      error._tag === "Failure" && error.reason._tag === "NotComplete" ? Effect.sync(tell) : Effect.void,
    ),
  )

const performWatched = (spec: Omit<Parameters<typeof perform>[0], "tables">, { table, tell }: Watched) =>
  performThen({ ...spec, tables: [table] }, tell)

const wholeTable: TableChoices = { columns: undefined, where: [] }

const contractsRequest = (
  { link, ...choices }: Choices & ContractChoices,
  tableChoices: TableChoices,
  data: boolean,
) =>
  Effect.gen(function* () {
    const table = yield* contractsTable(link)
    const selection = yield* select(table, tableChoices, choices.timeZone)
    const isWithout =
      link !== undefined &&
      (yield* withoutLink(selection.table, yield* Formats.targets(choices.out, choices.format))).length > 0
    return watched(RecordKinds.contracts, table, selection, (session, options) => {
      if (isWithout) {
        session.note(
          "JSON and NDJSON hold each record as the API gives it, without the links of --link. --columns can name them.",
        )
      }
      return contractsJob(session, { ...options, data })
    })
  })

const keysTable = (choices: Choices, tableChoices: TableChoices) =>
  Effect.gen(function* () {
    const table = apiKeysAt((yield* MirrorFlags.momentOf(choices)).nowMillis)
    const selection = yield* select(table, tableChoices, choices.timeZone)
    return watched(RecordKinds.keys, table, selection, keysJob)
  })

export const contracts: Work<OneTable & ContractChoices & DataChoices> = Effect.fn(function* ({
  columns,
  data,
  dataColumns,
  where,
  ...choices
}) {
  if (dataColumns) return yield* DataColumns.list(choices)
  yield* performWatched({ choices, data }, yield* contractsRequest(choices, { columns, where }, data))
})

export const keys: Work<OneTable> = Effect.fn(function* ({ columns, where, ...choices }) {
  yield* performWatched({ choices }, yield* keysTable(choices, { columns, where }))
})

export const all: Work<Choices & ContractChoices> = Effect.fn(function* (choices) {
  const tables = [yield* contractsRequest(choices, wholeTable, false), yield* keysTable(choices, wholeTable)]
  yield* perform({ choices, tables: tables.map(({ table }) => table), summary: true })
})

/** A report has fixed headings, format and time zone. */
const reportChoices = {
  flavour: "rfc4180",
  format: ["xlsx"],
  formulaGuard: "on",
  headers: "labels",
  summary: false,
  timeZone: undefined,
} as const

/** The moment of `--since`, in ISO 8601 UTC; null without it. `nowMillis` is the moment of the report. */
const sinceOf = (
  since: string | undefined,
  from: string | undefined,
  nowMillis: number,
): Effect.Effect<string | null, Failure> => {
  if (since === undefined) return Effect.succeed(null)
  if (from === undefined) {
    return Effect.fail(
      usageError(
        "--since needs the history of a mirror, and the service has none",
        "Add --from MIRROR, such as --from mirror.sqlite.",
      ),
    )
  }
  const moment = Since.moment(since, nowMillis)
  return Date.parse(moment) > nowMillis
    ? Effect.fail(
        usageError(`--since ${since} is later than the report`, "Choose an earlier moment, or leave it out."),
      )
    : Effect.succeed(moment)
}

interface ReportChoices extends ContractChoices, DataChoices, Pick<TableChoices, "columns"> {
  readonly since: string | undefined
}

export const report: Work<Omit<Choices, keyof typeof reportChoices> & ReportChoices> = Effect.fn(function* ({
  columns,
  data,
  dataColumns,
  link,
  since,
  ...given
}) {
  if (dataColumns) return yield* DataColumns.list(given)
  const other = given.out.find((target) => target !== "-" && ofFile(target) !== "xlsx")
  if (other !== undefined) {
    return yield* usageError(
      `A report is a workbook, and ${other} is not the name of one`,
      "Name a file that ends in .xlsx: --out report.xlsx.",
    )
  }
  const choices = { ...given, ...reportChoices }
  const { madeAt } = yield* Environment
  const { asOf, nowMillis } = yield* MirrorFlags.momentOf(given)
  const from = yield* sinceOf(since, given.from, nowMillis)
  const now = madeAt === undefined || asOf !== null ? nowMillis : Date.parse(madeAt)
  const { begin, collect } = Report.make()
  const selection = yield* select(yield* contractsTable(link), { columns, where: [] })
  if (link !== undefined)
    yield* withoutLink(selection.table, yield* Formats.targets(given.out, choices.format))
  const keyTable = KeyFindings.tableAt(now)
  let tell = () => {}
  const spec: Parameters<typeof perform>[0] = {
    choices,
    data,
    tables: [
      {
        selection,
        job: (session, pageSize) => contractsJob(session, { ...selection, pageSize, collect, data }),
      },
      {
        selection: { table: keyTable, filter: { texts: [] } },
        job: (session, pageSize) => keysJob(session, { table: keyTable, pageSize }),
      },
    ],
    report: ({ client, note }) =>
      Effect.gen(function* () {
        const { changesSince } = client.contracts
        if (from === null || changesSince === undefined) return begin(null)
        const changes = ReportChanges.make(from, yield* changesSince(from))
        tell = () => note(changes.sentence)
        return begin(changes)
      }),
  }
  yield* performThen(spec, () => tell())
})
