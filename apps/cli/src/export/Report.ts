/**
 * `deedkit export report`: a workbook to send on, of one account or several, whole or split by a column. `ReportCover` has the words of its cover,
 * `ReportTables` its tables.
 */
import { Texts, TimeZone, units, Verdict } from "@deedkit/export"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { checked, examples, languageOf, text, toggle } from "../command/SharedFlags.ts"
import type { Work } from "../command/Subcommand.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as RecordList from "../records/RecordList.ts"
import * as UnmatchedValue from "../records/UnmatchedValue.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as Since from "../sync/Since.ts"
import * as ClosingLine from "../terminal/ClosingLine.ts"
import { Environment } from "../terminal/Environment.ts"
import * as DataColumns from "./DataColumns.ts"
import {
  allTableFlags,
  defaultPageSize,
  contractFlags,
  dataFlags,
  fileArgument,
  sourceFlags,
  withFiles,
  workbookFlags,
} from "./ExportFlags.ts"
import type { ContractChoices, DataChoices, TableChoices } from "./ExportFlags.ts"
import { contractsTable, select, withoutLink } from "./TableSelection.ts"
import * as ExportProfiles from "./ExportProfiles.ts"
import * as Formats from "./Formats.ts"
import * as Keep from "./Keep.ts"
import * as OutName from "./OutName.ts"
import type { Origin } from "./ExportAccount.ts"
import * as Pdf from "./Pdf.ts"
import * as ReportChanges from "./ReportChanges.ts"
import type { Look } from "./ReportCover.ts"
import { forReaders, keysWithFindingsAt, makeReport, withAccount } from "./ReportTables.ts"
import type { Choices } from "./RunExport.ts"
import { contractsJob, keysJob, originOf, perform, planned } from "./RunExport.ts"
import * as SeveralAccounts from "./SeveralAccounts.ts"
import * as SplitBy from "./SplitBy.ts"

/** A report has fixed headings and a fixed format. */
const reportChoices = {
  flavour: "rfc4180",
  format: ["xlsx"],
  formulaGuard: "on",
  headers: "labels",
  summary: false,
} as const

/** The moment of `--since`, in ISO 8601 UTC; null without it. `nowMillis` is the moment of the report. */
const sinceOf = (
  since: string | undefined,
  from: string | undefined,
  nowMillis: number,
): Effect.Effect<string | null, Failure> => {
  if (since === undefined) return Effect.succeed(null)
  if (from === undefined) {
    return usageError(
      "--since needs the history of a mirror, and the service has none",
      "Add --from MIRROR, such as --from mirror.sqlite.",
    )
  }
  const moment = Since.moment(since, nowMillis)
  return Date.parse(moment) > nowMillis
    ? usageError(`--since ${since} is later than the report`, "Choose an earlier moment, or leave it out.")
    : Effect.succeed(moment)
}

interface ReportChoices extends ContractChoices, DataChoices, TableChoices {
  readonly cover: "first" | "last" | "none"
  readonly splitBy: string | undefined
  readonly preparedFor: string | undefined
  readonly since: string | undefined
  readonly title: string | undefined
  readonly withKeys: boolean
}

/** What `--split-by` cannot be combined with; null if it can. */
const notSplit = ({
  dryRun,
  out,
  resume,
  since,
  splitBy,
  withKeys,
}: Pick<Choices, "dryRun" | "out" | "resume"> &
  Pick<ReportChoices, "since" | "splitBy" | "withKeys">): Failure | null => {
  if (splitBy === undefined) return null
  const refused = Object.entries({
    "--dry-run": dryRun,
    "--resume": resume,
    "--since": since !== undefined,
    "--with-keys": withKeys,
  }).find(([, given]) => given)
  if (refused !== undefined)
    return usageError(`--split-by and ${refused[0]} cannot be combined`, "Leave one of them out.")
  return new Set(out.map((target) => target.includes(SplitBy.placeholder))).size > 1
    ? usageError(
        `Some names of --out have ${SplitBy.placeholder}, and others do not`,
        "Choose a workbook for each value, or one for all.",
      )
    : null
}

type Given = Omit<Choices, keyof typeof reportChoices> & ReportChoices

/** Writes one workbook: of all contracts, of one part of them, of all parts, each on a sheet, or of several accounts. */
const write = Effect.fnUntraced(function* (
  {
    columns,
    cover,
    data,
    link,
    preparedFor,
    since,
    sort,
    title,
    where,
    withKeys,
    ...given
  }: Omit<Given, "splitBy">,
  parts?: {
    readonly origin: Origin
    readonly all: ReadonlyArray<SplitBy.Part>
    readonly isOne: boolean
    readonly isTold: boolean
  },
  several?: Effect.Success<ReturnType<typeof SeveralAccounts.open>>,
) {
  const choices = { ...given, ...reportChoices }
  const { madeAt } = yield* Environment
  const { asOf, nowMillis } = yield* MirrorFlags.momentOf(given)
  const from = yield* sinceOf(since, given.from, nowMillis)
  const now = madeAt === undefined || asOf !== null ? nowMillis : Date.parse(madeAt)
  const zone = given.timeZone ?? "UTC"
  const language = yield* languageOf(given.lang)
  const only = parts?.isOne === true ? parts.all[0] : undefined
  const look: Look = {
    title,
    preparedFor,
    clock: { local: yield* Effect.fromResult(TimeZone.clocks(zone)), zone, language },
    data,
    part: only?.title,
    accounts: (several?.accounts ?? []).map(({ name }) => name),
  }
  const unitTable = Texts.inLanguage(yield* Effect.fromResult(TimeZone.apply(units, zone)), language)
  const { begin, collect } = makeReport(
    several === undefined ? unitTable : withAccount(unitTable, language, ({ account }) => account),
    language,
  )
  const inOneTable =
    several === undefined
      ? undefined
      : SeveralAccounts.inOneTable(several.accounts, ({ contracts }) => contracts)
  const reader = { language, nowMillis, timeZone: zone }
  const selected = yield* select(yield* contractsTable(link), { columns, sort, where }, reader)
  const { filter, order } = selected
  const shown = forReaders(selected.table, look.clock)
  const selection = {
    table: inOneTable?.table(shown, language) ?? shown,
    filter: only === undefined ? filter : { ...filter, texts: [...filter.texts, only.condition] },
    order,
  }
  if (link !== undefined)
    yield* withoutLink(selection.table, yield* Formats.targets(given.out, choices.format, "report.xlsx"))
  const keysThen = yield* Effect.fromResult(TimeZone.apply(keysWithFindingsAt(now, language), zone))
  const keyTable = forReaders(Texts.inLanguage(keysThen, language), look.clock)
  const contracts = planned("contract", selected.table, selection, (session, options) =>
    contractsJob(session, {
      ...options,
      data,
      ...(inOneTable?.options(session, collect) ?? { collect }),
    }),
  )
  const ofAccounts = inOneTable?.planned(contracts)
  const inParts = (parts?.all ?? []).map(({ fileName, session, title: value }) => {
    const table = { ...selection.table, name: `contracts-${fileName}`, title: value }
    return planned("contract", selected.table, { ...selection, table }, (_session, options) =>
      contractsJob(session, { ...options, collect, data }),
    )
  })
  let sentence: string | null = null
  yield* perform({
    choices,
    coverAt: cover === "none" ? undefined : cover,
    data,
    part:
      several !== undefined
        ? { origin: several.origin, value: undefined, isTold: false, isAccepted: false }
        : parts === undefined
          ? undefined
          : { origin: parts.origin, value: only?.fileName, isTold: parts.isTold, isAccepted: true },
    tables: [
      ...(ofAccounts !== undefined
        ? ofAccounts
        : parts === undefined || only !== undefined
          ? [
              {
                ...contracts,
                afterRun: (session: SourceSession) => {
                  // Of a list that is split, this was said when it was read.
                  if (only === undefined) contracts.afterRun?.(session)
                  if (sentence !== null) session.note(sentence)
                },
              },
            ]
          : inParts.map(({ job, selection: own }) => ({ job, selection: own }))),
      ...(withKeys
        ? [
            {
              selection: { table: keyTable, filter: { texts: [] } },
              job: (session: SourceSession, pageSize: number) =>
                keysJob(session, { table: keyTable, pageSize }),
            },
          ]
        : []),
    ],
    report: ({ client }) =>
      Effect.gen(function* () {
        const { changesSince } = client.contracts
        const changes =
          from === null || changesSince === undefined
            ? null
            : ReportChanges.make(from, yield* changesSince(from), look.clock)
        sentence = changes?.sentence ?? null
        const made = begin(changes, look)
        return cover === "none" ? { derived: made.derived } : made
      }),
  })
})

/** Ends a report that has nothing to write, with the verdict of the list. */
const ofNothing = (
  { rejected, session, summary }: SplitBy.Split,
  { failOnEmpty }: Pick<Given, "failOnEmpty">,
): Effect.Effect<void, Failure> => {
  const { client, note, terminal } = session
  const { stored } = client.contracts
  const line = stored?.line ?? ClosingLine.reading(summary, { isLogged: terminal.isLogged, what: "export" })
  const { reasons } = Verdict.judge({
    readings: [summary],
    rejected: 0,
    failure: null,
    reasons: { unverified: stored?.problems ?? [], partial: [] },
  })
  const isComplete = reasons.length === 0 && rejected.length === 0
  note(`${line}.`, isComplete ? "green" : "yellow")
  terminal.say("No contract meets the conditions, so no workbook was written.", "yellow")
  if (!isComplete) return RecordList.rejectedFailure(rejected, reasons)
  return failOnEmpty ? new Failure({ reason: { _tag: "NothingFound" } }) : Effect.void
}

/** Reads the list once, and writes a workbook for each value of a column, or one with a sheet for each. */
const split = (given: Omit<Given, "splitBy">, column: string) =>
  Effect.gen(function* () {
    const { columns, data, link, out, overwrite, sort, timeZone, where } = given
    const { startedAt = yield* Clock.currentTimeMillis } = given
    const begun = { ...given, startedAt }
    const { nowMillis } = yield* MirrorFlags.momentOf(begun)
    const language = yield* languageOf(given.lang)
    const table = yield* contractsTable(link)
    // What is wrong with the flags is said before the list is read.
    const named = yield* Formats.targets(out, reportChoices.format, "report.xlsx")
    yield* Keep.check(given.keep, out)
    yield* select(table, { columns, sort, where }, { language, nowMillis, timeZone })
    const { filter, ...selection } = yield* select(
      table,
      { columns: undefined, sort: undefined, where },
      { language: "en", nowMillis },
    )
    const origin = yield* originOf({ ...given, ...reportChoices }, { data, names: [table.name] })
    const facts = { profile: origin.profile, nowMillis, timeZone }
    const pathsOf = (value: string) =>
      Effect.forEach(named, ({ target }) => OutName.fill(target, { ...facts, value }))
    const isOneFile = !out.some((target) => target.includes(SplitBy.placeholder))
    const filled = yield* pathsOf("value")
    const areFree = (paths: ReadonlyArray<string>) =>
      overwrite
        ? Effect.void
        : OutName.checkFree(given.pdf === true ? [...paths, ...Pdf.pathsOf(paths)] : paths)
    if (isOneFile) yield* areFree(filled)
    const { caller, session: own } = yield* origin.connect
    const watched = UnmatchedValue.watch(table, filter)
    const list = yield* SplitBy.read(own, {
      column,
      data,
      isOneFile,
      language,
      maxRejects: given.maxRejects,
      pageSize: given.pageSize ?? defaultPageSize,
      prove: !given.quick,
      selection: { ...selection, filter: watched.filter },
    })
    const { parts, session } = list
    session.terminal.live(null)
    for (const each of watched.unmatched())
      session.terminal.say(UnmatchedValue.sentence(each, "No contract", session.client.redact), "yellow")
    if (parts.length === 0) return yield* ofNothing(list, given)
    const known = yield* Effect.cached(caller)
    const of = (part: SourceSession): Origin => ({
      ...origin,
      connect: Effect.succeed({ session: part, caller: known }),
    })
    if (isOneFile) {
      if (parts.length > SplitBy.mostSheets)
        return yield* usageError(
          `${column} has ${parts.length} values, and a workbook has at most ${SplitBy.mostSheets} sheets of them`,
          `Name a workbook for each: --out 'report-${SplitBy.placeholder}.xlsx'.`,
        )
      return yield* write(begun, { origin: of(session), all: parts, isOne: false, isTold: false })
    }
    yield* areFree((yield* Effect.forEach(parts, ({ fileName }) => pathsOf(fileName))).flat())
    const failures: Array<Failure> = []
    for (const part of parts)
      yield* write(begun, {
        origin: of(part.session),
        all: [part],
        isOne: true,
        isTold: part !== parts[0],
      }).pipe(
        Effect.catchTag("Failure", (failure) => {
          // Every workbook has the verdict of the list, and is written whatever it is. One that is not printed stops no other.
          if (failure.reason._tag !== "NotComplete" && failure.reason._tag !== "StoreError") return failure
          failures.push(failure)
          return Effect.void
        }),
      )
    const first = failures.find(({ reason }) => reason._tag === "NotComplete") ?? failures[0]
    for (const each of failures)
      if (each !== first && each.reason._tag === "StoreError") session.terminal.say(each.message, "yellow")
    if (first !== undefined) return yield* first
  }).pipe(Effect.scoped)

/** Checks that the files are workbooks. */
const onlyWorkbooks = ({ out }: Pick<Choices, "out">): Failure | null => {
  const other = out.find((target) => target !== "-" && Formats.ofFile(target) !== "xlsx")
  return other === undefined
    ? null
    : usageError(
        `A report is a workbook, and ${other} is not the name of one`,
        "Name a file that ends in .xlsx: --out report.xlsx.",
      )
}

const run: Work<Given> = Effect.fn(function* ({ dataColumns, splitBy, ...given }) {
  if (dataColumns) return yield* DataColumns.list(given)
  const refusal = onlyWorkbooks(given) ?? notSplit({ ...given, splitBy })
  if (refusal !== null) return yield* refusal
  const choices = { ...given, dataColumns }
  return yield* splitBy === undefined ? write(choices) : split(choices, splitBy)
})

const reportOf: Work<Given & ExportProfiles.ProfileChoices> = Effect.fn(function* (chosen) {
  // A moment of the past is named in UTC, and gives the same file everywhere.
  const timeZone = chosen.timeZone ?? (chosen.asOf === undefined ? OutName.zoneOf() : undefined)
  const given = { ...chosen, timeZone }
  if (given.pdf && !given.dataColumns)
    yield* Pdf.check(yield* Formats.targets(given.out, ["xlsx"], "report.xlsx"), given)
  const names = yield* SeveralAccounts.namesOf(given)
  if (names === null) return yield* ExportProfiles.forEach(run)(given)
  const flags = {
    "--dry-run": given.dryRun,
    "--since": given.since !== undefined,
    "--split-by": given.splitBy !== undefined,
    "--with-keys": given.withKeys,
  }
  const refusal = onlyWorkbooks(given) ?? SeveralAccounts.refusalOf(names, flags, "workbook")
  if (refusal !== null) return yield* refusal
  yield* Effect.scoped(
    Effect.flatMap(
      SeveralAccounts.open({ ...given, ...reportChoices }, names, given.data, ["contracts"]),
      (several) => write(given, undefined, several),
    ),
  )
})

export const report = Command.make(
  "report",
  {
    ...workbookFlags,
    title: text("title", "TEXT", "Title of the cover; default: Contracts of the account"),
    preparedFor: text("prepared-for", "NAME", "Say on the cover for whom the report is"),
    cover: Flag.Literals("cover", ["first", "last", "none"]).pipe(
      Flag.withMetavar("PLACE"),
      Flag.withDescription("Where the cover is: the first sheet, the last, or none; default first"),
      Flag.withDefault("first"),
    ),
    pdf: Pdf.pdf,
    since: checked(
      "since",
      "DATE",
      Since.shape,
      (value) => Since.isSince(value),
      "With --from: add the contracts that were added, changed or removed since a date, a UTC time, or a span such as 7d",
    ),
    splitBy: text(
      "split-by",
      "COLUMN",
      "A workbook for each value of a column, such as city, by {value} in --out; without {value}, a sheet for each",
    ),
    timeZone: text(
      "time-zone",
      "ZONE",
      "Time zone of all times, such as Europe/Athens; default: that of this machine, or UTC with --as-of",
    ),
    withKeys: toggle("with-keys", "Add the sheet of API keys with what keys audit finds"),
    ...allTableFlags,
    ...contractFlags,
    ...dataFlags,
    ...sourceFlags,
    ...fileArgument,
  },
  (choices) => reportOf(withFiles(choices)),
).pipe(
  Command.withDescription("Export a workbook to send on: cover, contracts, units, cities, months, changes"),
  examples(`
    deedkit export report --out march.xlsx
    deedkit export report --pdf --out march.xlsx  # And march.pdf, printed by LibreOffice
    # Contracts of one city, with a title of your own
    deedkit export report --title 'Sea View, March' --prepared-for 'A. Papadaki' --where city=Chania march.xlsx
    # Of a mirror, as it was then; the same file whenever it is made
    deedkit export report --from mirror.sqlite --as-of 2026-10-31 --out october.xlsx
    # For US Letter, with links to the listings
    deedkit export report --paper letter --link 'https://site.example/{slug}' --out march.xlsx
    # With what was added, changed and removed in the last 30 days
    deedkit export report --from mirror.sqlite --since 30d --out march.xlsx
    # With a member of the data payload; --data-columns lists them
    deedkit export report --data --columns id,unit_label,status,extra.data.rent --out march.xlsx
  `),
)
