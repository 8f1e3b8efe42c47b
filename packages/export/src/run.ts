/**
 * The run of an export, in Node: pages of sources -> rows of tables -> bytes of formats -> files, or standard output. Entry point.
 *
 * A file gets its name only when the service said that there was no further page, so a file of that name is always whole. Everything that can be
 * refused is refused before the first request. After a failure or an interruption, older files are unchanged, no partial file is left, and the
 * record file allows the run to be resumed.
 */
import { basename } from "node:path"
import type { Writable } from "node:stream"
import type { Page, ReadSummary, RejectedRecord } from "@deedkit/core"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ExportError } from "./error/ExportError.ts"
import * as AtomicFile from "./file/AtomicFile.ts"
import type { Caller } from "./proof/Account.ts"
import { unasked } from "./proof/Account.ts"
import * as Manifest from "./proof/Manifest.ts"
import { writeManifest } from "./proof/manifestFile.ts"
import * as RecordFile from "./RecordFile.ts"
import {
  derivedNote,
  describe,
  documentOf,
  identityOf,
  noteOf,
  propertiesOf,
  unread,
} from "./run/describe.ts"
import type { RunSoFar, TableFacts, TableState } from "./run/describe.ts"
import * as OutputFiles from "./run/OutputFiles.ts"
import * as Sidecars from "./run/Sidecars.ts"
import * as Summary from "./run/Summary.ts"
import type { Completion, ReadingOptions, SourcePage } from "./Source.ts"
import { pagesOf } from "./Source.ts"
import type { Headings } from "./table/Column.ts"
import type { Count, Grouping } from "./table/Overview.ts"
import { Overview } from "./table/Overview.ts"
import type { Table } from "./table/Table.ts"
import type { Language } from "./Texts.ts"
import type { Cover } from "./write/Cover.ts"
import type { DerivedTable } from "./write/DerivedTable.ts"
import * as LongText from "./write/LongText.ts"
import type { SheetOptions, Sheets } from "./write/TableWriter.ts"
import { withPathsOf } from "./write/UndocumentedMembers.ts"

export type { ExportError } from "./error/ExportError.ts"
export * as AtomicFile from "./file/AtomicFile.ts"
export * as FileLock from "./file/FileLock.ts"
export { writeFile } from "./file/Target.ts"
export type { WriteFileOptions } from "./file/Target.ts"
export { compressed } from "./formats/Compressed.ts"
export type { Packing } from "./formats/Compressed.ts"
export type { MirrorSource, StoredRead } from "./proof/Manifest.ts"
export { verify } from "./proof/manifestFile.ts"
export type { FileCheck, Verification, VerifyOptions } from "./proof/manifestFile.ts"
export { look as findLeftover } from "./RecordFile.ts"
export type { Leftover } from "./RecordFile.ts"
export { pathsOf } from "./run/OutputFiles.ts"
export type { FileState, OutputSpec } from "./run/OutputFiles.ts"
export { allOf as filesOf, defaultLimits, tooMany } from "./run/Sidecars.ts"
export type { RejectionLimits } from "./run/Sidecars.ts"
export type { Completion, ReadingOptions } from "./Source.ts"

/** A table of a run, and the list that fills it. */
export interface JobSpec<A, E, R> {
  /** The columns as chosen, in their order. */
  readonly table: Table<A>
  /** The read, with records that are not as specified collected on their pages. */
  readonly pages: (options: ReadingOptions) => Stream.Stream<Page<A>, E, R>
  /** Which records go into the table. Default: all. */
  readonly filter?: RecordFilter<A> | undefined
  /** Sorts the records of the table, which are then held in memory until the last page. Default: the order of the pages. */
  readonly order?: ((records: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined
  /** Requests more for the records of a page, such as their data payload. */
  readonly completePage?: ((records: ReadonlyArray<A>) => Effect.Effect<Completion<A>, E, R>) | undefined
  /** Sees the records of each page that go into the table, in their order. Must not throw. */
  readonly collect?: ((records: ReadonlyArray<A>) => void) | undefined
  /** The read that the pages are from, if a mirror holds them. Default: the service is read. */
  readonly stored?: Manifest.StoredRead | undefined
  /** Whose list it is, where a run has the lists of several accounts. Jobs in a row whose tables have one name share a sheet. */
  readonly account?: string | undefined
  /** How the summary counts the records. */
  readonly groupings?: ReadonlyArray<Grouping<A>> | undefined
}

export interface RecordFilter<in A> {
  readonly keeps: (record: A) => boolean
  /** The conditions as given, for display. */
  readonly texts: ReadonlyArray<string>
}

/** A job, with the type of its records hidden. */
export interface Job<out E, out R> extends TableFacts {
  readonly use: <X>(take: <A>(spec: JobSpec<A, E, R>) => X) => X
}

/** Makes a job of a table and its read. */
export const job = <A, E, R>(spec: JobSpec<A, E, R>): Job<E, R> => {
  const { account = null, completePage, filter, stored = null, table } = spec
  return {
    table: { name: table.name, title: table.title, columns: table.columns.map(({ name }) => name) },
    filters: filter?.texts ?? [],
    isCompleted: completePage !== undefined,
    account,
    stored,
    use: (take) => take(spec),
  }
}

export interface RunOptions<E, R> {
  /** The tables, read one after the other. At least one. */
  readonly jobs: ReadonlyArray<Job<E, R>>
  /** The formats; one read fills them all. At least one. */
  readonly outputs: ReadonlyArray<OutputFiles.OutputSpec>
  /** Whether to make a few more requests that show that nothing is missing. Default true; without them, lists of several pages are `unverified`. */
  readonly prove?: boolean | undefined
  /** Tables that are derived from the records of the jobs, written after them. Default: none. */
  readonly derived?: ReadonlyArray<DerivedTable> | undefined
  /** Makes the cover of files whose format has one, once all tables are written. Default: no cover. */
  readonly cover?: ((soFar: Manifest.Manifest) => Cover) | undefined
  /** Adds a table about the export itself, which readers see first. Default false. */
  readonly summary?: boolean | undefined
  /** Whether existing files may be replaced. Default false. */
  readonly overwrite?: boolean | undefined
  /** Default `labels`. */
  readonly headings?: Headings | undefined
  /** The language of notes, footers and the summary. The tables have their own headings. Default `en`. */
  readonly language?: Language | undefined
  /** The zone that the tables' timestamps are in, for the manifest. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** How many records may be rejected before the run stops. Default: 100, and 5 % of all records after 20 were read. */
  readonly rejectionLimits?: Partial<Sidecars.RejectionLimits> | undefined
  /**
   * Resumes a run to the same first file that was interrupted less than 20 hours ago. Columns, filters and formats may be others. Default false: its pages
   * are discarded.
   */
  readonly resume?: boolean | undefined
  /** Whether to save the pages while the run lasts, and to write a manifest beside each file. Default true. */
  readonly keepsRecords?: boolean | undefined
  /** Whether a run that failed with this error is worth resuming; if not, its pages are discarded. Default: always. */
  readonly isWorthResuming?: ((error: unknown) => boolean) | undefined
  /** Called with the record file of a run that did not finish and can be resumed. */
  readonly onLeftover?: ((left: { readonly path: string; readonly pages: number }) => void) | undefined
  /** Called with the state of each regular file when a run fails or is interrupted after its targets were checked. */
  readonly onFailure?: ((files: ReadonlyArray<OutputFiles.FileState>) => void) | undefined
  /**
   * The mirror that the records are from, and when its reads of them began and ended, ISO 8601 UTC. Files and manifest give these as the times of
   * the run. Two runs for the same reads then write the same bytes. Default: the service is read, now.
   */
  readonly mirror?:
    | (Manifest.MirrorSource & { readonly startedAt: string; readonly endedAt: string })
    | undefined
  /** The creation time in the files, ISO 8601 UTC. Default: the start of the run. */
  readonly createdAt?: string | undefined
  /** The program's name in the manifest, such as `deedkit 1.2.0`. */
  readonly madeBy?: string | undefined
  /** The account that the records belong to. Runs once at the start of a run, and never fails. Default: not requested. */
  readonly caller?: Effect.Effect<Caller, never, R> | undefined
  /** Members and values that the specification does not name, seen so far. */
  readonly newValues?: (() => ReadonlyArray<string>) | undefined
  /** Removes secrets from names that come from the service, before they go into the manifest. Default: nothing is removed. */
  readonly redact?: ((text: string) => string) | undefined
  /** The stream that `-` names. Default: the process's standard output. It is not ended. */
  readonly stdout?: Writable | undefined
}

export interface ExportResult {
  readonly manifest: Manifest.Manifest
  /** The files that hold the tables, with symbolic links resolved; null for standard output and other targets that are not files. */
  readonly paths: ReadonlyArray<string | null>
  /** Where the rejected records are, how many they are, and what was wrong with them. */
  readonly rejected:
    | (Pick<NonNullable<Manifest.Manifest["rejected"]>, "records" | "members"> & { readonly path: string })
    | null
  readonly longTexts: { readonly path: string; readonly texts: number } | null
  readonly manifestPath: string | null
}

/** The rows of a page, and what is known of the table with it. */
const afterPage = <A, E, R>(
  { filter, table }: JobSpec<A, E, R>,
  before: TableState,
  { checkpoint, records, rejected, withoutData }: SourcePage<A>,
): { readonly rows: ReadonlyArray<A>; readonly state: TableState } => {
  const rows = filter === undefined ? records : records.filter(filter.keeps)
  const state = {
    rows: before.rows + rows.length,
    seen: before.seen + records.length + rejected.length,
    rejected: before.rejected + rejected.length,
    withoutData: before.withoutData + withoutData,
    undocumented: withPathsOf(before.undocumented, table, rows),
    checkpoint,
  }
  return { rows, state }
}

const isoNow = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

interface Destination {
  /** The places of each output, and whether files there may be replaced. */
  readonly outputs: ReadonlyArray<{
    readonly places: ReadonlyArray<OutputFiles.Place>
    readonly overwrite: boolean
  }>
  /** Of each place; null for standard output and other targets that are not files. */
  readonly paths: ReadonlyArray<string | null>
  readonly files: ReadonlyArray<string>
  /** The first file, beside which the run saves its pages and what goes into no table. */
  readonly first: { readonly path: string; readonly overwrite: boolean } | null
}

/** Checks every target. Creates nothing. */
const destinationOf = Effect.fnUntraced(function* <E, R>(
  { outputs, overwrite = false, resume = false }: RunOptions<E, R>,
  tables: ReadonlyArray<string>,
): Effect.fn.Return<Destination, ExportError> {
  const wanted = yield* Effect.forEach(outputs, (output) => OutputFiles.placesOf(output, tables, true))
  const paths = wanted.flat().map(OutputFiles.pathOf)
  const files = paths.filter((path) => path !== null)
  const [first] = files
  // A run that was interrupted while it named its files has left some of them; the resumed run may replace these.
  const left = resume && first !== undefined ? yield* RecordFile.look(first) : null
  const mayReplace = (path: string | null): boolean =>
    overwrite || path === null || left?.named.includes(path) === true
  const checked = yield* Effect.forEach(outputs, (output, at) => {
    const mayReplaceAll = wanted[at]!.map(OutputFiles.pathOf).every(mayReplace)
    return Effect.map(OutputFiles.placesOf(output, tables, mayReplaceAll), (places) => ({
      places,
      overwrite: mayReplaceAll,
    }))
  })
  return {
    outputs: checked,
    paths,
    files,
    first: first === undefined ? null : { path: first, overwrite: mayReplace(first) },
  }
})

/** Sorted records that are written at once. */
const rowsOfPage = 1_000

/** What is known of a run, replaced by a newer value page by page. */
interface Known {
  readonly caller: Caller
  readonly tables: ReadonlyArray<TableState>
  readonly rejected: ReadonlyArray<RejectedRecord>
  readonly longTexts: number
}

/**
 * Writes the tables to their targets. Fails with a read's own error, or with an `ExportError`; files of those names are then unchanged. Beside a
 * file are its manifest, `NAME.rejected.ndjson` with records that are not as specified, and `NAME.texts.ndjson` with texts that are too long for a
 * cell.
 */
export const run = <E, R>(options: RunOptions<E, R>): Effect.Effect<ExportResult, E | ExportError, R> =>
  Effect.gen(function* () {
    const {
      cover,
      derived = [],
      headings = "labels",
      jobs,
      language = "en",
      mirror,
      stdout = process.stdout,
    } = options
    const { keepsRecords = true, prove = true, resume = false, summary = false } = options
    const tables = [
      // Jobs whose tables have one name share a file, as they share a sheet.
      ...new Set(jobs.map(({ table }) => table.name)),
      ...derived.map(({ name }) => name),
      ...(summary ? [Summary.summary.name] : []),
    ]
    const to = yield* destinationOf(options, tables)
    const { files, first } = to
    const outputs = options.outputs.map(({ writer }, at) =>
      OutputFiles.make(writer, to.outputs[at]!.places, {
        overwrite: to.outputs[at]!.overwrite,
        headings,
        language,
        stdout,
        cellNote: first === null ? LongText.cut : LongText.noteFor(basename(Sidecars.textsOf(first.path))),
        properties: () => propertiesOf(soFar()),
        cover: cover === undefined ? undefined : () => cover(describeNow()),
        document: () => documentOf(soFar(), createdAt),
      }),
    )
    yield* Effect.addFinalizer((exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) options.onFailure?.(outputs.flatMap(({ states }) => states()))
      }),
    )
    yield* Sidecars.check(files)
    yield* Sidecars.sweep(files)
    const beside = (name: (path: string) => string) =>
      first === null
        ? Effect.succeed(null)
        : Sidecars.make({ path: name(first.path), overwrite: first.overwrite, mode: null })
    const rejectedFile = yield* beside(Sidecars.rejectedOf)
    const textsFile = yield* beside(Sidecars.textsOf)
    const startedNow = mirror?.startedAt ?? (yield* isoNow)
    const saved =
      first === null || !keepsRecords
        ? null
        : yield* RecordFile.make({
            target: first.path,
            identity: identityOf(options),
            resume,
            startedAt: startedNow,
          })
    const startedAt = saved?.startedAt ?? startedNow
    const createdAt = options.createdAt ?? startedAt

    let known: Known = { caller: unasked, tables: jobs.map(() => unread), rejected: [], longTexts: 0 }
    const noted = new Set(saved?.newValues)
    const noteNewValues = (): ReadonlyArray<string> =>
      (options.newValues?.() ?? []).filter((value) => noted.size < noted.add(value).size)
    const soFar = (): RunSoFar => {
      const { caller, longTexts, rejected } = known
      noteNewValues()
      return {
        tables: jobs.map((facts, at) => ({ ...facts, state: known.tables[at]! })),
        caller,
        mirror,
        madeBy: options.madeBy ?? "@deedkit/export",
        startedAt,
        isResumed: saved?.isResumed ?? false,
        timeZone: options.timeZone ?? "UTC",
        language,
        files: outputs.flatMap((output) => output.files()),
        rejected:
          rejectedFile === null || rejected.length === 0
            ? null
            : {
                ...rejectedFile.content(),
                records: rejected.length,
                members: Sidecars.countMembers(rejected),
              },
        longTexts:
          textsFile === null || longTexts === 0 ? null : { ...textsFile.content(), texts: longTexts },
        textsChanged: Object.fromEntries(
          outputs
            .filter(({ textsChanged }) => Object.keys(textsChanged).length > 0)
            .map(({ format, textsChanged }) => [format.name, textsChanged]),
        ),
        newValues: [...noted].toSorted(),
        redact: options.redact,
      }
    }
    /** For people, and so in their language. */
    const describeNow = (): Manifest.Manifest => describe(soFar(), null, startedAt, language)

    /** Whether the files have their names. If an interruption came while they got them, nothing is left to resume. */
    let isNamed = false
    yield* Effect.addFinalizer((exit) =>
      Exit.isSuccess(exit) || isNamed || saved === null || first === null
        ? Effect.void
        : leave(first.path, saved, isKept(exit.cause, options), options.onLeftover, (endedAt) =>
            describe(soFar(), failureText(exit.cause), endedAt),
          ),
    )
    const caller = saved?.caller ?? (yield* options.caller ?? Effect.succeed(unasked))
    known = { ...known, caller }
    if (saved !== null) yield* saved.writeHeader(caller)

    const target = options.outputs[0]?.target ?? "-"
    // One generator function for all pages: a new one per page would keep its page in memory until a full garbage collection.
    const reject = Effect.fnUntraced(function* (
      table: string,
      records: ReadonlyArray<RejectedRecord>,
    ): Effect.fn.Return<void, ExportError, Scope.Scope> {
      const [record] = records
      if (record === undefined) return
      if (rejectedFile === null) return yield* Sidecars.withoutFile(target, record)
      const rejected = [...known.rejected, ...records]
      known = { ...known, rejected }
      const limits = { ...Sidecars.defaultLimits, ...options.rejectionLimits }
      const seen = known.tables.reduce((sum, state) => sum + state.seen, 0)
      const error = Sidecars.tooMany(rejected, seen, limits)
      if (error !== null) return yield* error
      yield* rejectedFile.append(records.map((each) => Sidecars.rejectedLine(table, each)).join(""))
    })
    const start = <A>(table: Table<A>, sheet: SheetOptions) =>
      Effect.forEach(outputs, (output) => output.startTable(table, sheet))
    const write = Effect.fnUntraced(function* <A>(
      sheets: ReadonlyArray<Pick<Sheets<A, ExportError>, "add">>,
      rows: ReadonlyArray<A>,
    ): Effect.fn.Return<void, ExportError, Scope.Scope> {
      for (const sheet of sheets) {
        const found = yield* sheet.add(rows, known.longTexts)
        if (found.length === 0 || textsFile === null) continue
        known = { ...known, longTexts: known.longTexts + found.length }
        yield* textsFile.append(found.map(LongText.line).join(""))
      }
    })
    /** The last table, which goes on with the next job if that has a table of the same name, and so the same columns: its sheets, and records to sort. */
    let shared: {
      readonly sheets: ReadonlyArray<Pick<Sheets<never, ExportError>, "add" | "end">>
      readonly unsorted: Array<never>
    } | null = null
    const isShared = (one: number, other: number): boolean =>
      jobs[one]?.table.name === jobs[other]?.table.name
    const writeTable = Effect.fnUntraced(function* <A>(spec: JobSpec<A, E, R>, index: number) {
      const { collect, completePage, groupings = [], order, pages: read, table } = spec
      const overview = new Overview(summary ? groupings : [])
      const startSheets = start(table, {
        opened: !summary && cover === undefined && index === 0,
        note: () => noteOf(soFar(), index, createdAt),
      })
      const before = isShared(index - 1, index) ? shared : null
      let sheets = (before?.sheets ?? null) as Effect.Success<typeof startSheets> | null
      const unsorted: Array<A> = before?.unsorted ?? []
      const takePage = Effect.fnUntraced(function* (
        page: SourcePage<A>,
      ): Effect.fn.Return<void, ExportError, Scope.Scope> {
        const { rows, state } = afterPage(spec, known.tables[index]!, page)
        known = { ...known, tables: known.tables.with(index, state) }
        yield* reject(table.name, page.rejected)
        overview.add(rows)
        collect?.(rows)
        sheets ??= yield* startSheets
        if (order === undefined) yield* write(sheets, rows)
        else for (const row of rows) unsorted.push(row)
      })
      const source = { read, completePage, prove, file: saved, table: index, newValues: noteNewValues }
      yield* Stream.runForEach(pagesOf(source), takePage)
      yield* whole(target, known.tables[index]!.checkpoint?.summary ?? null)
      sheets ??= yield* startSheets
      shared = { sheets, unsorted: unsorted as Array<never> }
      if (isShared(index, index + 1)) return overview.counts()
      const sorted = order?.(unsorted) ?? []
      for (let at = 0; at < sorted.length; at += rowsOfPage)
        yield* write(sheets, sorted.slice(at, at + rowsOfPage))
      for (const sheet of sheets) yield* sheet.end
      return overview.counts()
    })
    const writeDerived = Effect.fnUntraced(function* <A>(table: Table<A>, pages: Iterable<ReadonlyArray<A>>) {
      const isSummary = table.name === Summary.summary.name
      const sheets = yield* start(
        table,
        isSummary ? { opened: true } : { note: () => derivedNote(soFar(), createdAt, cover !== undefined) },
      )
      for (const page of pages) yield* write(sheets, page)
      for (const sheet of sheets) yield* sheet.end
    })

    const counts: Array<ReadonlyArray<Count>> = []
    for (const [index, { use }] of jobs.entries()) counts.push(yield* use((spec) => writeTable(spec, index)))
    for (const { use } of [...derived, ...(summary ? [Summary.derived(counts)] : [])])
      yield* use(describeNow, writeDerived) ?? Effect.void

    const sidecars = [rejectedFile, textsFile].filter((file) => file !== null)
    for (const { finish } of [...outputs, ...sidecars]) yield* finish
    const manifest = describe(soFar(), null, mirror?.endedAt ?? (yield* isoNow))
    yield* Effect.uninterruptible(
      Effect.gen(function* () {
        if (saved !== null) yield* saved.naming(files)
        for (const { commit } of [...sidecars, ...outputs]) yield* commit
        // A manifest of an older file does not describe this one.
        if (!keepsRecords)
          return yield* Effect.forEach(files, (path) => AtomicFile.remove(Manifest.pathOf(path)))
        for (const path of files) yield* writeManifest(Manifest.pathOf(path), manifest)
        if (first !== null) yield* AtomicFile.remove(Manifest.interruptedPathOf(first.path))
        if (saved !== null) yield* saved.drop
        isNamed = true
      }),
    )
    const { longTexts, rejected } = manifest
    return {
      manifest,
      paths: to.paths,
      rejected:
        rejected === null || rejectedFile === null
          ? null
          : { path: rejectedFile.path, records: rejected.records, members: rejected.members },
      longTexts:
        longTexts === null || textsFile === null ? null : { path: textsFile.path, texts: longTexts.texts },
      manifestPath: first === null || !keepsRecords ? null : Manifest.pathOf(first.path),
    }
  }).pipe(Effect.scoped)

/** Fails unless the service said that the list had ended. */
const whole = (target: string, reading: ReadSummary | null): Effect.Effect<void, ExportError> =>
  reading?.complete === true
    ? Effect.void
    : new ExportError({
        reason: {
          _tag: "ReadIncomplete",
          target,
          pages: reading?.pages ?? 0,
          records: reading?.records ?? 0,
        },
      })

const isKept = <E, R>(cause: Cause.Cause<unknown>, { isWorthResuming }: RunOptions<E, R>): boolean =>
  Cause.hasInterruptsOnly(cause) || (isWorthResuming?.(Cause.squash(cause)) ?? true)

const failureText = (cause: Cause.Cause<unknown>): string => {
  if (Cause.hasInterruptsOnly(cause)) return "The run was interrupted."
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : "The run failed."
}

/** Leaves the record file of an unfinished run and a manifest that says so, or nothing if there is nothing to resume. */
const leave = (
  place: string,
  saved: RecordFile.RecordFile,
  isWanted: boolean,
  tell: RunOptions<never, never>["onLeftover"] = () => {},
  describe: (endedAt: string) => Manifest.Manifest,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    // Pages that a full disk does not take are neither saved nor counted.
    yield* Effect.ignore(saved.flush)
    if (!isWanted || saved.pages() === 0) return yield* saved.drop
    const manifest = describe(yield* isoNow)
    // A resumed run can fail before its first page, with a wrong key for example. The earlier run's manifest then says more.
    if (manifest.tables.length === 0) return
    tell({ path: RecordFile.pathOf(place), pages: saved.pages() })
    yield* writeManifest(Manifest.interruptedPathOf(place), manifest)
  }).pipe(Effect.ignore)
