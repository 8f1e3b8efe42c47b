/**
 * The journal of a run: the service's answer of each page, saved until the files are whole, so that an interrupted run can be resumed.
 *
 * `NAME.resume` holds a line of JSON that identifies the run, then one frame per page: a line with length and checksum, and the body verbatim. A
 * resumed run replays these pages, so its files are byte for byte those of an uninterrupted run in every format. The first frame that is incomplete
 * or damaged ends the replay. The journal holds people's data, so only its owner can read it.
 */
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { open, rm } from "node:fs/promises"
import type { RecordedPage, Recording, RecordingOwner } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Caller } from "../proof/Account.ts"
import * as Account from "../proof/Account.ts"
import { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "../file/fileFailure.ts"
import * as FileLock from "../file/FileLock.ts"
import type { Frame, Header, Identity, SavedFrames } from "./journalFrames.ts"
import { FrameMaker, headerLine, namingLine, Reader, saveFrames } from "./journalFrames.ts"
import { writeAll } from "../file/Sink.ts"

/** The part of the journal that belongs to one job. */
export interface JobJournal {
  /** The saved pages; null when there are none. */
  readonly recording: Effect.Effect<Recording | null>
  /** The completed records of the next page of the recording; null when none were saved with it. */
  readonly completed: () => string | null
  /** Saves a page. A page that came from the recording is saved already, and not written again. */
  readonly keep: (
    owner: RecordingOwner,
    page: RecordedPage,
    completed: string | null,
  ) => Effect.Effect<void, ExportError>
}

export interface Journal {
  /** Start of the first part of the run, ISO 8601 UTC. */
  readonly startedAt: string
  /** Whether it resumes an earlier run. */
  readonly isResumed: boolean
  /** Whose records the earlier run read, for the manifest of the resumed one; null where that is not known. */
  readonly caller: Caller | null
  /** Saves the caller for a run that resumes this one. Called before the first page. */
  readonly keepCaller: (caller: Caller) => Effect.Effect<void, ExportError>
  readonly job: (index: number) => JobJournal
  /** Pages replayed or saved so far. A kept page counts when it is written: after a short delay, or after `flush`. */
  readonly pages: () => number
  /** Writes all pages that were kept. */
  readonly flush: Effect.Effect<void, ExportError>
  /** Records that the files are about to get their names: a run that resumes this one may replace them. */
  readonly naming: Effect.Effect<void, ExportError>
  /** Removes the journal, because the files are whole. */
  readonly drop: Effect.Effect<void, ExportError>
}

export interface JournalOptions {
  /** The run's first file. */
  readonly target: string
  readonly identity: Identity
  /** Whether to resume the run of an existing journal. */
  readonly resume: boolean
  readonly startedAt: string
}

export const pathOf = (target: string): string => `${target}.resume`

/** An interrupted run that can be resumed. */
export interface Leftover {
  readonly path: string
  readonly startedAt: string
  readonly pages: number
  readonly isRunning: boolean
  /** Whether it had begun to name its files, so that some may have their names. */
  readonly isNaming: boolean
}

/** Looks for the journal of an interrupted run beside its first file; null when there is nothing to resume. */
export const look = (target: string): Effect.Effect<Leftover | null, ExportError> =>
  Effect.tryPromise({
    try: async () => {
      const path = pathOf(target)
      const handle = await openExisting(path, "r")
      if (handle === null) return null
      try {
        const reader = new Reader(handle)
        const header = await reader.header()
        if (header === null) return null
        let pages = 0
        while ((await reader.frame()) !== null) pages += 1
        return {
          path,
          startedAt: header.startedAt,
          pages,
          isRunning: await FileLock.isHeld(handle),
          isNaming: reader.isNaming,
        }
      } finally {
        await handle.close()
      }
    },
    catch: fileFailure("inspect", pathOf(target)),
  })

const openExisting = (path: string, flags: "r" | "r+"): Promise<FileHandle | null> =>
  open(path, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null
    throw cause
  })

const callerIn = (header: Header | null): Caller | null => {
  const account = Account.fromJson(header?.caller)
  return account === null ? null : { profile: account.profile, me: account.me, meReason: account.meReason }
}

const differing = (before: Identity, now: Identity): string | null =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].find((field) => before[field] !== now[field]) ??
  null

interface Opened {
  readonly handle: FileHandle
  readonly reader: Reader
  /** The header of the run to resume; null for a new run. */
  readonly before: Header | null
}

/** Opens the journal for this process alone, and makes it where there is none. */
const openLocked = async (path: string): Promise<FileHandle> => {
  for (;;) {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      const outcome = await FileLock.lock(handle, path)
      if (outcome === "locked") return handle
      if (outcome === "held") throw new ExportError({ reason: { _tag: "RunUnderWay", path } })
    } catch (cause) {
      await handle.close()
      throw cause
    }
    // The run that had it has finished, and removed it.
    await handle.close()
  }
}

const openJournal = async (path: string, { identity, resume }: JournalOptions): Promise<Opened> => {
  const handle = await openLocked(path)
  try {
    const reader = new Reader(handle)
    const header = await reader.header()
    if (header === null && (await handle.stat()).size > 0) {
      throw new ExportError({ reason: { _tag: "JournalUnreadable", path, isNewer: reader.isNewer } })
    }
    if (header === null || !resume) {
      await handle.truncate(0)
      return { handle, reader, before: null }
    }
    const field = differing(header.identity, identity)
    if (field !== null) throw new ExportError({ reason: { _tag: "ResumeRefused", path, field } })
    return { handle, reader, before: header }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

/**
 * Opens the journal of a run. Fails with `RunUnderWay` while another process writes it, with `ResumeRefused` when it is to be resumed but belongs
 * to another run (other tables, columns, filters, formats), and with `JournalUnreadable` when another file has its name, or a
 * newer version of this program wrote it.
 */
export const make = (options: JournalOptions): Effect.Effect<Journal, ExportError, Scope.Scope> =>
  Effect.gen(function* () {
    const path = pathOf(options.target)
    const asError = (cause: unknown) =>
      cause instanceof ExportError ? cause : fileFailure("write", path)(cause)
    const { before, handle, reader } = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => openJournal(path, options), catch: asError }),
      (opened) => Effect.promise(() => opened.handle.close().catch(() => {})),
    )
    const startedAt = before?.startedAt ?? options.startedAt
    const { identity } = options
    const known = callerIn(before)
    const own: Header = {
      version: 1,
      identity,
      startedAt,
      ...(known === null ? {} : { caller: known }),
    }
    if (before === null) {
      yield* writeAll(handle, headerLine(own), path, 0).pipe(
        Effect.tapError(() => Effect.promise(() => rm(path, { force: true }).catch(() => {}))),
      )
    }

    const taken: Array<{ given: number; kept: number; readonly completed: Array<string | null> }> = []
    const of = (index: number) => (taken[index] ??= { given: 0, kept: 0, completed: [] })
    const frameMaker = new FrameMaker()
    let writeAt = before === null ? headerLine(own).byteLength : reader.position
    let replayed = 0
    let peeked: Frame | null = null
    let exhausted = before === null
    let saved: SavedFrames | null = null
    const flush = Effect.suspend(() => saved?.flush ?? Effect.void)
    const peek = async (): Promise<Frame | null> => {
      if (peeked !== null || exhausted) return peeked
      peeked = await reader.frame()
      exhausted = peeked === null
      if (exhausted) await handle.truncate(writeAt)
      return peeked
    }
    const next = (index: number): Effect.Effect<RecordedPage | null> =>
      Effect.promise(async () => {
        const frame = await peek()
        if (frame === null || frame.head.job !== index) return null
        peeked = null
        writeAt = frame.end
        replayed += 1
        of(index).given += 1
        of(index).completed.push(frame.completed)
        return frame.page
      })
    yield* Effect.addFinalizer(() => Effect.ignore(flush))
    const job = (index: number): JobJournal => ({
      recording: Effect.map(Effect.promise(peek), (frame) =>
        frame === null || frame.head.job !== index ? null : { ...frame.head.owner, next: next(index) },
      ),
      completed: () => of(index).completed.shift() ?? null,
      keep: (owner, page, completed) =>
        Effect.suspend(() => {
          const progress = of(index)
          progress.kept += 1
          if (progress.kept <= progress.given) return Effect.void
          saved ??= saveFrames(handle, path, writeAt)
          return saved.add(frameMaker.make(index, owner, page, completed))
        }),
    })
    return {
      startedAt,
      isResumed: before !== null,
      caller: known,
      keepCaller: (caller) =>
        Effect.suspend(() => {
          // The pages of an earlier run begin where its header ends.
          if (before !== null || saved !== null) return Effect.void
          const line = headerLine({ ...own, caller })
          writeAt = line.byteLength
          return writeAll(handle, line, path, 0)
        }),
      job,
      pages: () => replayed + (saved?.written() ?? 0),
      flush,
      naming: Effect.andThen(
        flush,
        Effect.suspend(() => writeAll(handle, namingLine, path, saved?.end() ?? writeAt)),
      ),
      drop: Effect.tryPromise({ try: () => rm(path, { force: true }), catch: fileFailure("remove", path) }),
    }
  })
