/**
 * An export from its flags to its files, for `export contracts`, `export keys`, `export all` and `export report`: turns the flags into a run or into the
 * plan of a dry run, reports completeness, and says how to resume an interrupted run. `demo` writes its files by `writeTables`.
 */
import { ClientError } from "@deedkit/core"
import type { ApiKey, Contract, Page } from "@deedkit/core"
import { apiKeyGroupings, apiKeys, contractGroupings, contracts, ExportError, Verdict } from "@deedkit/export"
import type { Overview, Table } from "@deedkit/export"
import type { ExportResult, FileState, Job, OutputSpec, RunOptions } from "@deedkit/export/run"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { languageOf, root } from "../command/SharedFlags.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import { AfterError, commandLine, Invocation } from "../command/Subcommand.ts"
import { version } from "../command/Version.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as UnmatchedValue from "../records/UnmatchedValue.ts"
import type { SourceList, SourceSession } from "../session/RecordSource.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as ClosingLine from "../terminal/ClosingLine.ts"
import { Environment } from "../terminal/Environment.ts"
import { count, listed } from "../terminal/Figures.ts"
import { fromHere } from "../terminal/HomePath.ts"
import { clean } from "../terminal/TerminalText.ts"
import { completing } from "./DataPayload.ts"
import * as ExportAccount from "./ExportAccount.ts"
import type { FormatChoices, RunChoices } from "./ExportFlags.ts"
import { defaultPageSize } from "./ExportFlags.ts"
import * as ExportPlan from "./ExportPlan.ts"
import * as Formats from "./Formats.ts"
import * as Keep from "./Keep.ts"
import type { FormatOptions, FormatTarget } from "./Formats.ts"
import * as OutName from "./OutName.ts"
import * as Pdf from "./Pdf.ts"
import type { Selection } from "./TableSelection.ts"

export type ExportJob = Job<ClientError.ClientError | Failure, never>

export interface JobOptions<A> extends Partial<Selection<A>> {
  /** Records per page. */
  readonly pageSize: number
  /** Whether to request the data payload of each contract. */
  readonly data?: boolean | undefined
  /** Receives the records that go into the table. */
  readonly collect?: ((records: ReadonlyArray<A>) => void) | undefined
  /** Whose contracts they are, where those of several accounts go into one table. */
  readonly account?: string | undefined
  /** Receives each page before it is written to the files. */
  readonly onPage?: ((page: Page<A>) => void) | undefined
}

const loadRun = Effect.promise(() => import("@deedkit/export/run"))

/** The export job of a list. */
const makeJob = <A extends { readonly id: number }>(
  { get, pages, stored }: SourceList<A>,
  groupings: ReadonlyArray<Overview.Grouping<A>>,
  {
    account,
    collect,
    data = false,
    filter,
    onPage,
    order,
    pageSize,
    table,
  }: JobOptions<A> & { readonly table: Table.Table<A> },
): Effect.Effect<ExportJob> =>
  Effect.map(loadRun, ({ job }) =>
    job({
      table,
      account,
      filter,
      order,
      collect,
      groupings,
      stored,
      completePage: data && get !== undefined ? completing({ get }) : undefined,
      pages: (options) => {
        const read = pages({ limit: pageSize, onRejected: "collect", ...options })
        return onPage === undefined ? read : Stream.tap(read, (page) => Effect.sync(() => onPage(page)))
      },
    }),
  )

export const contractsJob = (
  { client }: SourceSession,
  options: JobOptions<Contract.Contract>,
): Effect.Effect<ExportJob> => makeJob(client.contracts, contractGroupings, { table: contracts, ...options })

export const keysJob = (
  { client }: SourceSession,
  options: JobOptions<ApiKey.ApiKey>,
): Effect.Effect<ExportJob> => makeJob(client.apiKeys, apiKeyGroupings, { table: apiKeys, ...options })

/** `profile` is the one of several that is exported: a profile, or an account of a mirror. `startedAt` is then when the first one was begun. */
export type Choices = FormatChoices &
  RunChoices & { readonly profile?: string; readonly startedAt?: number; readonly pdf?: boolean }

/** A table to export. */
export interface Planned {
  readonly selection: {
    readonly table: { readonly name: string; readonly columns: ReadonlyArray<{ readonly name: string }> }
    readonly filter: Pick<Selection<never>["filter"], "texts">
  }
  readonly job: (session: SourceSession, pageSize: number) => Effect.Effect<ExportJob>
  /** One of several accounts, and what is known of its list if a mirror holds it. */
  readonly of?: { readonly account: string; readonly list: Pick<SourceList<never>, "stored"> }
  /** Whether this source does not give the table, which is said. Default: every source does. */
  readonly isLeftOut?: (session: SourceSession, account?: string) => Effect.Effect<boolean>
  /** Runs after a finished run, which has read every record even if some were rejected. */
  readonly afterRun?: (session: SourceSession) => void
}

/** A table of an export; `one` is the noun of its records. After the run it is said, also with `--quiet`, which conditions no record met. */
export const planned = <A extends { readonly id: number }>(
  one: string,
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

/** A part of an export whose list was read before: its source, and the value that `{value}` stands for. */
interface ExportPart {
  readonly origin: ExportAccount.Origin
  readonly value: string | undefined
  /** Whether the closing lines about the list were printed with an earlier part. */
  readonly isTold: boolean
  /** Whether the whole list was read without too many rejected records. */
  readonly isAccepted: boolean
}

export interface ExportSpec {
  readonly tables: ReadonlyArray<Planned>
  readonly choices: Choices
  readonly data?: boolean | undefined
  readonly summary?: boolean | undefined
  readonly part?: ExportPart | undefined
  /** Which sheet of the workbook the cover of a report is. Default: the first. */
  readonly coverAt?: "first" | "last" | undefined
  /** Makes the tables and cover of a report. Runs before anything is sent. */
  readonly report?: (
    session: SourceSession,
  ) => Effect.Effect<Pick<FilesOptions, "cover" | "derived">, CommandError>
}

export interface FilesOptions extends Omit<
  RunOptions<never, never>,
  "jobs" | "madeBy" | "mirror" | "newValues" | "outputs" | "redact" | "stdout"
> {
  readonly targets: ReadonlyArray<FormatTarget>
  readonly format: FormatOptions
  /** Whether the closing lines about the lists are left out. Default false. */
  readonly isTold?: boolean | undefined
  /** Of several accounts: the list of each table. */
  readonly lists?: ReadonlyArray<Planned["of"]> | undefined
}

/** Writes the files and prints the closing lines. */
export const writeTables = Effect.fnUntraced(function* (
  { client, mirror, note, terminal }: SourceSession,
  jobs: ReadonlyArray<ExportJob>,
  { format, isTold = false, lists = [], targets, ...options }: FilesOptions,
): Effect.fn.Return<ExportResult, ClientError.ClientError | ExportError.ExportError | Failure> {
  const { run } = yield* loadRun
  const outputs = yield* Effect.forEach(targets, (each) =>
    Effect.map(Formats.writer(each, format), (writer): OutputSpec => ({ writer, target: each.target })),
  )
  const seen = new Set<string>()
  const unlisten = client.listen((event) => {
    if (event._tag === "SchemaDrift") seen.add(`${event.path} (${event.found})`)
  })
  const result = yield* run({
    ...options,
    mirror,
    jobs,
    outputs,
    stdout: terminal.bytes,
    madeBy: `deedkit ${version}`,
    newValues: () => [...seen].toSorted(),
    redact: client.redact,
  }).pipe(Effect.ensuring(Effect.sync(unlisten)))
  terminal.live(null)
  const told = new Set<string>()
  for (const [at, { reading, withoutData }] of result.manifest.tables.entries()) {
    const of = lists[at]
    const { stored } = of?.list ?? (reading.collection === "contracts" ? client.contracts : client.apiKeys)
    const isComplete = Verdict.isComplete(reading) && (stored === undefined || stored.problems.length === 0)
    const whose = of === undefined ? "" : `${clean(of.account)}: `
    const line = `${stored?.line ?? whose + ClosingLine.reading(reading, { isLogged: terminal.isLogged, withoutData, what: "export" })}.`
    if (!isTold && !told.has(line)) note(line, isComplete ? "green" : "yellow")
    told.add(line)
  }
  for (const line of ClosingLine.files(result)) note(line)
  if (!isTold) for (const line of ClosingLine.undocumented(result.manifest.tables)) note(line)
  return result
})

/** Fails with `NotComplete` if the result is not known to be complete. */
const notComplete = ({ manifest, rejected }: ExportResult): Effect.Effect<void, Failure> => {
  if (manifest.verdict === "complete") return Effect.void
  return new Failure({
    reason: {
      _tag: "NotComplete",
      records: rejected?.records ?? 0,
      withoutData: manifest.tables.reduce((sum, table) => sum + (table.withoutData ?? 0), 0),
      path: rejected?.path ?? null,
      // For a mirror, its proof says more than its readings.
      reasons:
        manifest.mirror === undefined
          ? Verdict.judge({
              readings: manifest.tables.map(({ reading }) => reading),
              rejected: 0,
              failure: null,
            }).reasons
          : manifest.reasons,
      problems: (rejected?.members ?? []).map(
        ({ expected, found, path }) =>
          `${path === "" ? "the record" : path} should be ${expected} and is ${found}`,
      ),
    },
  })
}

/** The paths of all files. A format without sheets has one file per table. */
const pathsOfAll = (
  targets: ReadonlyArray<FormatTarget>,
  tables: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(loadRun, ({ pathsOf }) =>
    targets.flatMap(({ format, target }) => pathsOf(target, Formats.factsOf({ format, target }), tables)),
  )

/** Reports that the saved pages of an interrupted export are discarded, because `--resume` is not set. */
const reportLeftover = Effect.fnUntraced(function* ({ note }: SourceSession, [first]: ReadonlyArray<string>) {
  if (first === undefined || first === "-") return
  const { findLeftover } = yield* loadRun
  const left = yield* Effect.orElseSucceed(findLeftover(first), () => null)
  if (left === null || left.pages === 0 || left.isRunning) return
  note(
    `Not using the saved pages of an interrupted export: ${count(left.pages, "page", "pages")} of ${left.startedAt}. Use --resume to resume it instead.`,
  )
})

/** Errors that would occur again: the list cannot be trusted, the service refuses to go on where it was left, or a table is rejected or cannot be written. */
const permanent: ReadonlySet<string> = new Set([
  "CheckpointRefused",
  "CursorIgnored",
  "CursorRejected",
  "TooManyRejected",
  "TooManyRows",
  "NameTooLong",
])

/** Whether a run can be resumed after this error. A bug would occur again. */
export const isWorthResuming = (error: unknown): boolean =>
  (error instanceof ClientError.ClientError || error instanceof ExportError.ExportError) &&
  !permanent.has(error.reason._tag)

interface Unfinished {
  readonly files: ReadonlyArray<FileState>
  /** Whether part of the export went to standard output. */
  readonly isPiped: boolean
  /** Number of pages that are saved for resuming. */
  readonly pages: number
  /** The command that resumes the export. */
  readonly resume: string
}

const ends: { readonly [State in FileState["state"]]: (names: string, isOne: boolean) => string } = {
  absent: (names, isOne) => `${names} ${isOne ? "was" : "were"} not written.`,
  kept: (names, isOne) => `${names} ${isOne ? "was" : "were"} not replaced.`,
  written: (names, isOne) => `${names} ${isOne ? "is" : "are"} written.`,
}

const fileWords = (files: ReadonlyArray<FileState>): ReadonlyArray<string> =>
  (["written", "kept", "absent"] as const).flatMap((state) => {
    const names = files.filter((file) => file.state === state).map(({ path }) => clean(fromHere(path)))
    return names.length === 0 ? [] : [ends[state](listed(names), names.length === 1)]
  })

/** The message of an unfinished export: the state of its files, and how to resume it. Two lines if the export can be resumed, otherwise one. */
export const unfinished = ({ files, isPiped, pages, resume }: Unfinished): string =>
  [
    ...(isPiped ? ["The output is not complete."] : []),
    ...fileWords(files),
    ...(pages === 0 ? [] : [`${count(pages, "page is", "pages are")} saved. To resume:\n  ${resume}`]),
  ].join(" ")

/** The service or the mirror that the flags name. */
export const originOf = Effect.fnUntraced(function* (
  choices: Choices,
  { data, names }: { readonly data: boolean; readonly names: ReadonlyArray<string> },
): Effect.fn.Return<ExportAccount.Origin, CommandError, Needs | Scope.Scope> {
  const flags = yield* root
  return choices.from === undefined
    ? yield* ExportAccount.ofService({ ...flags, profile: choices.profile ?? flags.profile })
    : yield* ExportAccount.ofMirror(
        flags,
        { ...choices, from: choices.from },
        yield* MirrorFlags.momentOf(choices),
        { data, names },
      )
})

/** What an export is going to do: its flags are checked and its source is connected, and no file was touched. */
interface Prepared {
  readonly session: SourceSession
  readonly caller: FilesOptions["caller"]
  readonly tables: ReadonlyArray<Planned>
  readonly made: Pick<FilesOptions, "cover" | "derived">
  readonly summary: boolean
  readonly facts: OutName.Facts
  readonly targets: ReadonlyArray<FormatTarget>
  /** The paths of all files. */
  readonly paths: ReadonlyArray<string>
  /** The paths of the same files of any day. */
  readonly patterns: Effect.Effect<ReadonlyArray<string>, CommandError>
}

const prepare = Effect.fnUntraced(function* ({
  choices,
  data = false,
  part,
  report,
  summary,
  tables: planned,
}: ExportSpec) {
  const example = report !== undefined ? "report.xlsx" : summary === true ? "everything.xlsx" : undefined
  const named = yield* Formats.targets(choices.out, choices.format, example)
  yield* Formats.checkFlavour(named, choices.flavour)
  if (choices.resume && !choices.manifest) {
    return yield* usageError("--resume needs the pages that --no-manifest does not save", "Use one of them.")
  }
  yield* Keep.check(choices.keep, choices.out)
  const { asOf, nowMillis } = yield* MirrorFlags.momentOf(choices)
  const names = planned.map(({ selection }) => selection.table.name)
  const { connect, profile } = part?.origin ?? (yield* originOf(choices, { data, names }))
  // A day of --as-of begins at 00:00 UTC, which is another day elsewhere.
  const timeZone = choices.timeZone ?? (asOf === null ? undefined : "UTC")
  const facts = { profile, nowMillis, timeZone, value: part?.value }
  const targetsOn = (date?: string) =>
    Effect.forEach(named, ({ format, target }) =>
      Effect.map(OutName.fill(target, facts, date), (path): FormatTarget => ({ format, target: path })),
    )
  const targets = yield* targetsOn()
  if (choices.pdf === true) yield* Pdf.check(targets, choices)
  const { caller, session } = yield* connect
  const date = part?.value === undefined ? OutName.dateSentence(choices.out, facts) : null
  if (date !== null) session.note(date)
  const tables = yield* Effect.filter(planned, ({ isLeftOut }) =>
    isLeftOut === undefined || choices.dryRun
      ? Effect.succeed(true)
      : Effect.map(isLeftOut(session), (isOut) => !isOut),
  )
  const made = report === undefined ? {} : yield* report(session)
  const hasSummary = summary ?? choices.summary
  const tableNames = [
    ...new Set(tables.map(({ selection }) => selection.table.name)),
    ...(made.derived ?? []).map(({ name }) => name),
    ...(hasSummary ? ["summary"] : []),
  ]
  const pathsIn = (all: ReadonlyArray<FormatTarget>) =>
    Effect.map(pathsOfAll(all, tableNames), (files) =>
      choices.pdf === true ? [...files, ...Pdf.pathsOf(files)] : files,
    )
  const paths = yield* pathsIn(targets)
  // Only here `{table}` has its name.
  if (choices.pdf === true) yield* Pdf.checkFree(paths, choices)
  const patterns = Effect.flatMap(targetsOn("{date}"), pathsIn)
  return { session, caller, tables, made, summary: hasSummary, facts, targets, paths, patterns }
})

/** Reads the lists and writes the files. If it ends before they are whole, it says what is left and how to resume. */
const write = Effect.fnUntraced(function* (
  { choices, coverAt, part }: ExportSpec,
  { caller, facts, made, session, summary, tables, targets }: Prepared,
) {
  const { args } = yield* Invocation
  const { invocation, madeAt } = yield* Environment
  const { maxRejects, pageSize = defaultPageSize } = choices
  const jobs = yield* Effect.forEach(tables, ({ job }) => job(session, pageSize))
  // The command that resumes names all profiles again, and each keeps its own file.
  const filledOuts = yield* Effect.forEach(choices.out, (name) =>
    OutName.fill(name, choices.profile === undefined ? facts : { ...facts, profile: "{profile}" }),
  )
  let left: Pick<Unfinished, "files" | "pages"> = { files: [], pages: 0 }
  const afterError = yield* AfterError
  const reportEnd = () => {
    const resume = commandLine(invocation, OutName.inArguments(args, choices.out, filledOuts), "--resume")
    const text = unfinished({ ...left, isPiped: isPiped(targets), resume })
    if (text !== "") session.note(text)
  }
  return yield* writeTables(session, jobs, {
    ...made,
    targets,
    isTold: part?.isTold,
    lists: tables.map(({ of }) => of),
    format: { ...choices, coverAt },
    createdAt: madeAt,
    headings: choices.headers,
    language: yield* languageOf(choices.lang),
    keepsRecords: choices.manifest,
    overwrite: choices.overwrite,
    prove: !choices.quick,
    resume: choices.resume,
    summary,
    timeZone: choices.timeZone,
    caller,
    isWorthResuming,
    rejectionLimits:
      part?.isAccepted === true
        ? { records: Infinity, share: 1 }
        : maxRejects === undefined
          ? undefined
          : { records: maxRejects, share: 1 },
    onLeftover: ({ pages }) => (left = { ...left, pages }),
    onFailure: (files) => (left = { ...left, files }),
  }).pipe(
    Effect.onInterrupt(() => Effect.sync(reportEnd)),
    Effect.tapError(() =>
      Effect.sync(() => {
        // The error says that nothing was written.
        const isNothing = left.pages === 0 && left.files.every(({ state }) => state === "absent")
        if (!isNothing) afterError.push(reportEnd)
      }),
    ),
  )
})

const isPiped = (targets: ReadonlyArray<FormatTarget>): boolean =>
  targets.some(({ target }) => target === "-")

/** Exports, or prints the plan of a dry run. */
export const perform = (spec: ExportSpec): Effect.Effect<void, CommandError, Needs> =>
  Effect.gen(function* () {
    const { choices } = spec
    const flags = yield* root
    const prepared = yield* prepare(spec)
    const { facts, paths, patterns, session, tables, targets } = prepared
    const { client, note, terminal } = session
    // One of several documents is a line.
    const indent = choices.profile === undefined && spec.part?.value === undefined ? 2 : 0
    if (choices.dryRun && client.config !== undefined) {
      const pdfs = choices.pdf === true ? Pdf.pathsOf(paths) : []
      const files = [...targets, ...pdfs.map((target) => ({ format: "pdf", target }))]
      const plan = yield* ExportPlan.make(client.config, spec, files, paths)
      return yield* flags.json
        ? terminal.json(JSON.stringify(plan, null, indent))
        : terminal.lines(ExportPlan.lines(plan))
    }
    if (!choices.resume) yield* reportLeftover(session, paths)
    yield* OutName.makeFolders(paths.filter((path) => path !== "-"))
    const result = yield* write(spec, prepared)
    if (flags.json) {
      const document = JSON.stringify(result, null, isPiped(targets) ? 0 : indent)
      // Standard output holds the rows already.
      if (isPiped(targets)) terminal.say(document)
      else yield* terminal.json(document)
    }
    const printed = yield* choices.pdf === true
      ? Effect.exit(Pdf.printAll(paths, choices, session))
      : Effect.succeed(Exit.void)
    const isForPrograms = choices.flavour === "rfc4180" && choices.headers === "labels"
    if (!terminal.isLogged && isForPrograms && targets.some(({ format }) => format === "csv"))
      note("To open it in Excel: --for excel, or --for excel-eu where the decimal mark is a comma.", "dim")
    for (const { afterRun } of tables) afterRun?.(session)
    const isEmpty = result.manifest.tables.every(({ rows }) => rows === 0)
    yield* Effect.andThen(
      notComplete(result),
      choices.failOnEmpty && isEmpty ? new Failure({ reason: { _tag: "NothingFound" } }) : Effect.void,
    ).pipe(
      // The verdict has the exit code, whatever the printer says.
      Effect.tapError(() =>
        Exit.isSuccess(printed)
          ? Effect.void
          : Effect.sync(() => terminal.say((Cause.squash(printed.cause) as Error).message, "yellow")),
      ),
    )
    yield* printed
    if (choices.keep !== undefined) {
      const { filesOf } = yield* loadRun
      const removed = yield* Keep.removeOlder(yield* patterns, filesOf, choices.keep, facts)
      if (removed !== null) note(removed)
    }
  }).pipe(Effect.scoped)
