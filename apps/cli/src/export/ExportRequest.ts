/**
 * Shared by `export contracts`, `export keys` and `export all`: turns flags into files or into the plan of a dry run, and says how to resume an
 * interrupted run.
 */
import { ClientError } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
import * as Effect from "effect/Effect"
import { Environment } from "../terminal/Environment.ts"
import * as ExportAccount from "./ExportAccount.ts"
import type { FormatChoices, RunChoices } from "./formats/ExportFlags.ts"
import { defaultPageSize } from "./formats/ExportFlags.ts"
import type { Selection } from "./ExportOptions.ts"
import * as ExportFailure from "./ExportFailure.ts"
import * as ExportPlan from "./ExportPlan.ts"
import type { ExportJob, FilesOptions } from "./ExportTables.ts"
import { exportTables, notComplete } from "./ExportTables.ts"
import { count } from "../terminal/Figures.ts"
import type { FormatTarget } from "./formats/Formats.ts"
import * as Formats from "./formats/Formats.ts"
import { commandLine, Invocation } from "../command/Subcommand.ts"
import * as OutName from "./formats/OutName.ts"
import { root } from "../command/Root.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import { usageError } from "../failure/Failure.ts"

export type Choices = FormatChoices & RunChoices

/** A table to export. */
interface Planned {
  readonly selection: {
    readonly table: { readonly name: string; readonly columns: ReadonlyArray<{ readonly name: string }> }
    readonly filter: Pick<Selection<never>["filter"], "texts">
  }
  readonly job: (session: SourceSession, pageSize: number) => Effect.Effect<ExportJob>
}

export interface ExportSpec {
  readonly tables: ReadonlyArray<Planned>
  readonly choices: Choices
  readonly data?: boolean
  readonly summary?: boolean
  /** Makes the tables and cover of a report. Runs before anything is sent. */
  readonly report?: (
    session: SourceSession,
  ) => Effect.Effect<Pick<FilesOptions, "cover" | "derived">, CommandError>
}

/** The paths of all files. A format without sheets has one file per table. */
const pathsOfAll = (
  targets: ReadonlyArray<FormatTarget>,
  tables: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    Effect.promise(() => import("@deedkit/export/run")),
    ({ pathsOf }) =>
      targets.flatMap(({ format, target }) => pathsOf(target, Formats.factsOf({ format, target }), tables)),
  )

/** Reports that the saved pages of an interrupted export are discarded, because `--resume` is not set. */
const reportLeftover = ({ note }: SourceSession, [first]: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (first === undefined || first === "-") return
    const { findLeftover } = yield* Effect.promise(() => import("@deedkit/export/run"))
    const left = yield* Effect.orElseSucceed(findLeftover(first), () => null)
    if (left === null || left.pages === 0 || left.isRunning) return
    note(
      `Discarding the saved pages of an interrupted export: ${count(left.pages, "page", "pages")} of ${left.startedAt}. Use --resume to resume it instead.`,
    )
  })

/** Errors that would occur again: the list cannot be trusted, or a table is rejected or cannot be written. */
const permanent: ReadonlySet<string> = new Set([
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

/** Exports, or prints the plan of a dry run. */
export const perform = (spec: ExportSpec): Effect.Effect<void, CommandError, Needs> =>
  Effect.gen(function* () {
    const { choices, report, summary = choices.summary, tables } = spec
    const {
      flavour,
      formulaGuard,
      headers,
      overwrite,
      pageSize = defaultPageSize,
      resume,
      timeZone,
    } = choices
    const flags = yield* root
    const named = yield* Formats.targets(choices.out, choices.format)
    if (named.some(({ target }) => target.trim() === "")) {
      return yield* new ExportError.ExportError({ reason: { _tag: "TargetFolderMissing", folder: "" } })
    }
    if (resume && !choices.manifest) {
      return yield* usageError(
        "--resume needs the pages that --no-manifest does not save",
        "Use one of them.",
      )
    }
    const environment = yield* Environment
    const moment = yield* MirrorFlags.momentOf(choices)
    const { connect, profile } =
      choices.from === undefined
        ? yield* ExportAccount.ofService(flags)
        : yield* ExportAccount.ofMirror(flags, { ...choices, from: choices.from }, moment, {
            data: spec.data === true,
            names: tables.map(({ selection }) => selection.table.name),
          })
    const { nowMillis } = moment
    const fill = (name: string) => OutName.fill(name, { profile, nowMillis, timeZone })
    const targets = yield* Effect.forEach(named, ({ format, target }) =>
      Effect.map(fill(target), (path): FormatTarget => ({ format, target: path })),
    )
    const { caller, session } = yield* connect
    const { cover, derived } = report === undefined ? {} : yield* report(session)
    const tableNames = [
      ...tables.map(({ selection }) => selection.table.name),
      ...(derived ?? []).map(({ name }) => name),
      ...(summary ? ["summary"] : []),
    ]
    const paths = yield* pathsOfAll(targets, tableNames)
    const { config } = session.client
    if (choices.dryRun && config !== undefined) {
      const planned = yield* ExportPlan.make(config, spec, targets, paths)
      return yield* flags.json
        ? session.terminal.json(JSON.stringify(planned, null, 2))
        : session.terminal.lines(ExportPlan.lines(planned))
    }
    if (!resume) yield* reportLeftover(session, paths)
    yield* OutName.makeFolders(paths.filter((path) => path !== "-"))
    const jobs = yield* Effect.forEach(tables, ({ job }) => job(session, pageSize))
    const files: FilesOptions = {
      targets,
      format: { flavour, formulaGuard, compression: choices.compression, paper: choices.paper },
      createdAt: environment.madeAt,
      headings: headers,
      keepsRecords: choices.manifest,
      overwrite,
      prove: !choices.quick,
      resume,
      summary,
      derived,
      cover,
      timeZone,
      caller,
      isWorthResuming,
      rejectionLimits:
        choices.maxRejects === undefined ? undefined : { records: choices.maxRejects, share: 1 },
    }
    const filledOuts = yield* Effect.forEach(choices.out, fill)
    const isPiped = targets.some(({ target }) => target === "-")
    const { invocation } = environment
    const { args } = yield* Invocation
    let left: Pick<ExportFailure.Unfinished, "files" | "pages"> = { files: [], pages: 0 }
    const reportEnd = (isInterrupted: boolean) =>
      Effect.sync(() => {
        const { files: ended, pages } = left
        // The error says that nothing was written.
        if (!isInterrupted && pages === 0 && ended.every(({ state }) => state === "absent")) return
        const resumed = commandLine(
          invocation,
          OutName.inArguments(args, choices.out, filledOuts),
          "--resume",
        )
        const words = ExportFailure.words({ ...left, isPiped, resume: resumed })
        if (words !== "") session.note(words)
      })
    const result = yield* exportTables(session, jobs, {
      ...files,
      onLeftover: ({ pages }) => (left = { ...left, pages }),
      onFailure: (ended) => (left = { ...left, files: ended }),
    }).pipe(
      Effect.onInterrupt(() => reportEnd(true)),
      Effect.tapError(() => reportEnd(false)),
    )
    if (flags.json) {
      const document = JSON.stringify(result, null, isPiped ? 0 : 2)
      // Standard output holds the rows already.
      if (isPiped) session.terminal.say(document)
      else yield* session.terminal.json(document)
    }
    yield* notComplete(result)
  }).pipe(Effect.scoped)
