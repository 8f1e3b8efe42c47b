/**
 * The run of an export: pages of sources -> rows of tables -> bytes of formats -> files, or standard output.
 *
 * A file gets its name only when the service said that there was no further page, so a file of that name is always whole. Everything that can be
 * refused is refused before the first request. After a failure or an interruption, older files are unchanged, no partial file is left, and the
 * record file allows the run to be resumed.
 */
import { basename } from "node:path"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Account from "../proof/Account.ts"
import * as AtomicFile from "../file/AtomicFile.ts"
import type { ExportError } from "../error/ExportError.ts"
import type { JobResult } from "./Job.ts"
import { derivedNote, describe, documentOf, noteOf, propertiesOf } from "./describe.ts"
import type { RunParts } from "./describe.ts"
import { writeManifest } from "../proof/manifestFile.ts"
import { cut, LongTexts } from "../write/Fit.ts"
import * as Manifest from "../proof/Manifest.ts"
import * as Sidecars from "./Sidecars.ts"
import * as Output from "./Output.ts"
import * as RejectionLimit from "./RejectedRecords.ts"
import * as RejectedRecords from "./RejectedRecords.ts"
import type { ExportResult, RunOptions } from "./RunOptions.ts"
import { identityOf } from "./RunOptions.ts"
import type { DerivedTable } from "../write/DerivedTable.ts"
import * as RecordFile from "../RecordFile.ts"
import * as Summary from "./Summary.ts"

const isoNow = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

/**
 * Writes the tables to their targets. Fails with a read's own error, or with an `ExportError`; files of those names are then unchanged. Beside a
 * file are its manifest, `NAME.rejected.ndjson` with records that are not as specified, and `NAME.texts.ndjson` with texts that are too long for a
 * cell.
 */
export const run = <E, R>(options: RunOptions<E, R>): Effect.Effect<ExportResult, E | ExportError, R> =>
  Effect.gen(function* () {
    const { cover, derived = [], jobs, resume = false } = options
    const { keepsRecords = true, summary = false } = options
    const results: Array<JobResult> = []
    const after: ReadonlyArray<DerivedTable> = summary ? [...derived, Summary.derived(results)] : derived
    const tables = [...jobs.map(({ table }) => table.name), ...after.map(({ name }) => name)]
    const first = options.outputs[0]?.target ?? "-"
    const looked = yield* pathsOfAll(options, tables)
    const place = looked.flat().find((path) => path !== null) ?? null
    // A run that was interrupted while it named its files has left some of them; the resumed run may replace these.
    const left = resume && place !== null ? yield* RecordFile.look(place) : null
    const mayReplace = (paths: ReadonlyArray<string | null>): boolean =>
      options.overwrite === true ||
      paths.every((path) => path === null || left?.named.includes(path) === true)
    const overwrite = mayReplace([place])
    const texts = place === null ? null : new LongTexts(basename(Sidecars.textsOf(place)))
    let caller: Account.Caller = Account.unasked
    const source = { jobs, options, caller: () => caller }
    let createdAt = ""
    const soFar = (): Manifest.Manifest => describe(parts, null, startedAt)
    const outputs = yield* Effect.forEach(options.outputs, (output, index) =>
      Output.make(output, tables, {
        overwrite: mayReplace(looked[index]!),
        headings: options.headings ?? "labels",
        stdout: options.stdout ?? process.stdout,
        onLongText: texts?.take ?? cut,
        properties: () => propertiesOf(source),
        cover: cover === undefined ? undefined : () => cover(soFar()),
        document: () => documentOf(source, options.madeBy ?? "@deedkit/export", createdAt),
      }),
    )
    yield* Effect.addFinalizer((exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) options.onFailure?.(outputs.flatMap(({ states }) => states()))
      }),
    )
    const paths = outputs.flatMap((output) => output.paths)
    const files = paths.filter((path) => path !== null)
    yield* Sidecars.check(files)
    yield* Sidecars.sweep(files)
    const sidecar = (path: string) => Sidecars.make({ path, overwrite, mode: null })
    const rejectedFile = place === null ? null : yield* sidecar(Sidecars.rejectedOf(place))
    const textsFile = place === null ? null : yield* sidecar(Sidecars.textsOf(place))
    const rejected =
      rejectedFile === null
        ? RejectedRecords.refuse(first)
        : RejectedRecords.into(rejectedFile, { ...RejectionLimit.defaultLimits, ...options.rejectionLimits })
    const startedNow = options.mirror?.startedAt ?? (yield* isoNow)
    const identity = identityOf(options)
    const saved =
      place === null || !keepsRecords
        ? null
        : yield* RecordFile.make({ target: place, identity, resume, startedAt: startedNow })
    const startedAt = saved?.startedAt ?? startedNow
    createdAt = options.createdAt ?? startedAt

    const newValues = new Set(saved?.newValues)
    const isFirstSeen = (value: string): boolean => newValues.size < newValues.add(value).size
    const seeNewValues = () => (options.newValues?.() ?? []).filter(isFirstSeen)
    const parts: RunParts = {
      ...source,
      outputs,
      rejected,
      rejectedFile,
      longTexts: textsFile === null || texts === null ? null : { texts, file: textsFile },
      startedAt,
      isResumed: saved?.isResumed ?? false,
      newValues: () => {
        seeNewValues()
        return [...newValues].toSorted()
      },
    }

    /** Whether the files have their names. If an interruption came while they got them, nothing is left to resume. */
    let isNamed = false
    yield* Effect.addFinalizer((exit) =>
      Exit.isSuccess(exit) || isNamed || saved === null || place === null
        ? Effect.void
        : leave(place, saved, isKept(exit.cause, options), options.onLeftover, (endedAt) =>
            describe(parts, failureText(exit.cause), endedAt),
          ),
    )
    caller = saved?.caller ?? (yield* options.caller ?? Effect.succeed(caller))
    if (saved !== null) yield* saved.begin(caller)
    const afterPage = Effect.suspend(() => textsFile?.append(texts?.drain() ?? "") ?? Effect.void)
    for (const [index, job] of jobs.entries()) {
      results.push(
        yield* job.run({
          target: first,
          begin: (table) => {
            const opened = !summary && cover === undefined && index === 0
            const sheet = { opened, note: () => noteOf(source, job, createdAt) }
            return Effect.forEach(outputs, (output) => output.begin(table, sheet))
          },
          rejected,
          redact: options.redact,
          file: saved,
          table: index,
          newValues: seeNewValues,
          counts: summary,
          prove: options.prove ?? true,
          afterPage,
        }),
      )
    }
    for (const { name, write } of after) {
      const sheet = name === "summary" ? { opened: true } : { note: () => derivedNote(source, createdAt) }
      yield* write((table) => Effect.forEach(outputs, (output) => output.begin(table, sheet)), soFar)
      yield* afterPage
    }
    const sidecars = [rejectedFile, textsFile].filter((file) => file !== null)
    for (const { finish } of [...outputs, ...sidecars]) yield* finish
    const manifest = describe(parts, null, options.mirror?.endedAt ?? (yield* isoNow))
    yield* Effect.uninterruptible(
      Effect.gen(function* () {
        if (saved !== null) yield* saved.naming(files)
        for (const { commit } of [...sidecars, ...outputs]) yield* commit
        // A manifest of an older file does not describe this one.
        if (!keepsRecords)
          return yield* Effect.forEach(files, (path) => AtomicFile.remove(Manifest.pathOf(path)))
        for (const path of files) yield* writeManifest(Manifest.pathOf(path), manifest)
        if (place !== null) yield* AtomicFile.remove(Manifest.interruptedPathOf(place))
        if (saved !== null) yield* saved.drop
        isNamed = true
      }),
    )
    return {
      manifest,
      paths,
      rejected: rejected.summary(),
      longTexts:
        manifest.longTexts === null || textsFile === null
          ? null
          : { path: textsFile.path, texts: manifest.longTexts.texts },
      manifestPath: place === null || !keepsRecords ? null : Manifest.pathOf(place),
    }
  }).pipe(Effect.scoped)

/** The paths of the files of each output, before it is known whether they may be replaced. */
const pathsOfAll = <E, R>(
  { outputs, stdout = process.stdout }: RunOptions<E, R>,
  tables: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<ReadonlyArray<string | null>>, ExportError> =>
  Effect.forEach(outputs, (output) => {
    const headings = "labels" as const
    const options = { overwrite: true, headings, stdout, onLongText: () => "", properties: () => ({}) }
    return Effect.map(Output.make(output, tables, options), ({ paths }) => paths)
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
