/**
 * The pages of a run, saved until its files are whole, so that an interrupted run can be resumed.
 *
 * `NAME.part.records` is NDJSON. The first line is about the run. Then each page has two lines:
 *
 *   {"ok":true,"items":[…],"next_before_id":150}          the service's answer, unchanged but for white space between its tokens
 *   ["page",2918123,{"table":0,"checkpoint":{…},…}]       the lines are whole, and the read can continue after them
 *
 * The last checkpoint of a table says how complete its list is. The file ends before the first page that is incomplete or damaged. It holds
 * people's data, so only its owner can read it.
 */
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { rm } from "node:fs/promises"
import { crc32 } from "node:zlib"
import type { Checkpoint, RejectedRecord } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as OwnFile from "@deedkit/core/own-file"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ExportError } from "./error/ExportError.ts"
import { fileFailure } from "./file/fileFailure.ts"
import * as FileLock from "./file/FileLock.ts"
import { writesTo } from "./file/AtomicFile.ts"
import type { Caller } from "./proof/Account.ts"
import * as Account from "./proof/Account.ts"

/** What a run must have in common with the run that it resumes: texts to compare, by their names in error messages. */
export type Identity = { readonly [field: string]: string }

interface Header {
  /** Version of the format. A newer one is refused. */
  readonly version: 1
  readonly identity: Identity
  readonly startedAt: string
  /** The account that the records belong to, as known when the run began. */
  readonly caller: Caller
}

interface PageNote {
  /** Whether the line before it is the service's answer; if not, it is an object with the page's records. */
  readonly isAnswer: boolean
  /** The table that the page is for: its place in the run. */
  readonly table: number
  readonly checkpoint: Checkpoint
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** Number of records for which no more was available. */
  readonly withoutData: number
  /** Members and values that the specification does not name, and that no earlier page of the run had. */
  readonly newValues: ReadonlyArray<string>
}

export interface SavedPage {
  /** The answer, or an object with `records`: where a record of the list was rejected, or more was requested for each, or the page has none. */
  readonly body: string
  readonly note: PageNote
}

/** The pages of one table that an earlier run has saved. */
export interface SavedPages {
  /** The file, for errors. */
  readonly path: string
  /** The checkpoint after the last one. */
  readonly last: Checkpoint
  readonly pages: () => AsyncIterable<SavedPage>
}

export interface RecordFile {
  /** Start of the first part of the run, ISO 8601 UTC. */
  readonly startedAt: string
  /** Whether it resumes an earlier run. */
  readonly isResumed: boolean
  /** Whose records the earlier run read; null for a new run. */
  readonly caller: Caller | null
  /** What the earlier run had noted as new. */
  readonly newValues: ReadonlyArray<string>
  /** Writes the first line of a new run. Called before the first page. */
  readonly writeHeader: (caller: Caller) => Effect.Effect<void, ExportError>
  /** The saved pages of a table; null where there are none. */
  readonly saved: (table: number) => SavedPages | null
  /**
   * Appends a page. Waits only while the page before it is being written. Fails with the error of an earlier write: nothing is written after it.
   */
  readonly append: (page: SavedPage) => Effect.Effect<void, ExportError>
  readonly pages: () => number
  readonly flush: Effect.Effect<void, ExportError>
  /** Notes that these files are about to get their names: a run that resumes this one may replace them. */
  readonly naming: (paths: ReadonlyArray<string>) => Effect.Effect<void, ExportError>
  /** Removes the file, because those of the run are whole. */
  readonly drop: Effect.Effect<void, ExportError>
}

export interface RecordFileOptions {
  readonly target: string
  readonly identity: Identity
  readonly resume: boolean
  readonly startedAt: string
}

export const pathOf = (target: string): string => `${target}.part.records`

const newline = 10

/** The line of a run that had all its pages and began to name its files. */
export const namingLine = (paths: ReadonlyArray<string>): string => `${JSON.stringify(["naming", paths])}\n`

const parsed = (text: string): Json.Json => {
  try {
    return Json.parse(text)
  } catch {
    return null
  }
}

interface Line {
  /** Without its line break. Valid until the next line is read. */
  readonly bytes: Buffer
  /** Where the next line begins. */
  readonly end: number
}

/** No answer is as long, in bytes: a longer line is not one of a record file. */
const longestLine = 2 ** 30

/** The whole lines of a file from a position on. */
async function* linesFrom(handle: FileHandle, position: number): AsyncGenerator<Line> {
  let memory = Buffer.allocUnsafeSlow(65_536)
  /** Where the memory begins in the file, and which part of it is read and not yet given. */
  let [base, start, end] = [position, 0, 0]
  for (let looked = 0; ;) {
    const at = memory.subarray(0, end).indexOf(newline, looked)
    if (at >= 0) {
      yield { bytes: memory.subarray(start, at), end: base + at + 1 }
      start = looked = at + 1
      continue
    }
    // The rest of the line follows: it moves to the beginning of the memory, which grows for a line that fills it.
    const isFull = end - start === memory.byteLength
    if (isFull && memory.byteLength >= longestLine) return
    const target = isFull ? Buffer.allocUnsafeSlow(memory.byteLength * 2) : memory
    memory.copy(target, 0, start, end)
    ;[memory, base, start, end] = [target, base + start, 0, end - start]
    looked = end
    const { bytesRead } = await handle.read(memory, end, memory.byteLength - end, base + end)
    if (bytesRead === 0) return
    end += bytesRead
  }
}

/** The second line of a page; null for any other line. */
const noteOf = (answer: Uint8Array, line: Buffer): PageNote | null => {
  const [, crc, json] = /^\["page",(\d+),(.*)\]$/s.exec(line.toString()) ?? []
  return json === undefined || crc32(answer, crc32(json)) !== Number(crc)
    ? null
    : (parsed(json) as unknown as PageNote)
}

/** The files in a line of a run that began to name them; null for any other line. */
const namedIn = (line: Buffer): ReadonlyArray<string> | null => {
  const value = line.subarray(0, 9).equals(beginning) ? parsed(line.toString()) : null
  return Array.isArray(value) ? (value[1] as ReadonlyArray<string>) : null
}
const beginning = Buffer.from('["naming"')

interface Frame {
  readonly answer: Buffer
  readonly note: PageNote
  readonly end: number
}

/** The whole pages of a file from a position on. Files that were about to get their names are given to `onNaming`. */
async function* framesFrom(
  handle: FileHandle,
  position: number,
  onNaming: (paths: ReadonlyArray<string>) => void = () => {},
): AsyncGenerator<Frame> {
  let answer: Buffer | null = null
  for await (const { bytes, end } of linesFrom(handle, position)) {
    if (answer === null) {
      const paths = namedIn(bytes)
      if (paths !== null) onNaming(paths)
      else if (bytes[0] !== 0x7b) return
      else answer = Buffer.from(bytes)
      continue
    }
    const note = noteOf(answer, bytes)
    if (note === null) return
    yield { answer, note, end }
    answer = null
  }
}

/** Whether a read can continue after a page, or has ended with it. A list that was read, but not yet shown to be whole, is read on from earlier. */
const isUsable = ({ next, summary }: Checkpoint): boolean =>
  next !== null || summary.completeness.reason !== "unfinished"

interface Part {
  readonly from: number
  last: Checkpoint
}

interface Content {
  /** Null where the first line is not about a run. */
  readonly header: Header | null
  /** Whether a newer version of this program wrote it. */
  readonly isNewer: boolean
  readonly parts: ReadonlyMap<number, Part>
  readonly pages: number
  readonly newValues: ReadonlyArray<string>
  /** Where the last page after which a read can continue ends. */
  readonly end: number
  /** The files that were about to get their names, so that some may have them. */
  readonly named: ReadonlyArray<string>
}

const unread: Content = {
  header: null,
  isNewer: false,
  parts: new Map(),
  pages: 0,
  newValues: [],
  end: 0,
  named: [],
}

const isHeader = (value: Json.Json): boolean =>
  Json.isObject(value) &&
  value["version"] === 1 &&
  Json.isObject(value["identity"]) &&
  typeof value["startedAt"] === "string"

const contentOf = async (handle: FileHandle): Promise<Content> => {
  const first = (await linesFrom(handle, 0).next()).value as Line | undefined
  const value = first === undefined ? null : parsed(first.bytes.toString())
  if (first === undefined || !isHeader(value)) {
    const isNewer = Json.isObject(value) && Json.isObject(value["identity"]) && Number(value["version"]) > 1
    return { ...unread, isNewer }
  }
  const header = value as unknown as Header
  const parts = new Map<number, Part>()
  const newValues: Array<string> = []
  const named: Array<string> = []
  let { end } = first
  let [read, pages] = [0, 0]
  for await (const frame of framesFrom(handle, first.end, (paths) => void named.push(...paths))) {
    read += 1
    const { checkpoint, newValues: seen, table } = frame.note
    newValues.push(...seen)
    if (!isUsable(checkpoint)) continue
    const part = parts.get(table)
    if (part === undefined) parts.set(table, { from: end, last: checkpoint })
    else part.last = checkpoint
    pages = read
    end = frame.end
  }
  return { header, isNewer: false, parts, pages, newValues, end, named }
}

export interface Leftover {
  readonly path: string
  readonly startedAt: string
  readonly pages: number
  readonly isRunning: boolean
  /** The files that it had begun to name, so that some may have their names. */
  readonly named: ReadonlyArray<string>
}

/** Looks for the record file of an interrupted run beside its first file; null when there is nothing to resume. */
export const look = (target: string): Effect.Effect<Leftover | null, ExportError> =>
  Effect.tryPromise({
    try: async () => {
      const path = pathOf(target)
      const handle = await OwnFile.open(path, constants.O_RDONLY).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === "ENOENT") return null
        throw cause
      })
      if (handle === null) return null
      try {
        const { header, named, pages } = await contentOf(handle)
        if (header === null) return null
        return {
          path,
          startedAt: header.startedAt,
          pages,
          isRunning: await FileLock.isHeld(handle),
          named,
        }
      } finally {
        await handle.close()
      }
    },
    catch: fileFailure("inspect", pathOf(target)),
  })

/** Opens the file for this process alone, and makes it where there is none. */
const openLocked = async (path: string): Promise<FileHandle> => {
  for (;;) {
    const handle = await OwnFile.open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
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

const differing = (before: Identity, now: Identity): string | null =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].find((field) => before[field] !== now[field]) ??
  null

/** Pages that were saved longer ago are read again: a nightly export has nothing of the night before. */
const mostPauseMillis = 20 * 3_600_000

/** Opens the file, and cuts what cannot be used. A file that is refused stays as it was. */
const openContent = async (
  path: string,
  { identity, resume, startedAt }: RecordFileOptions,
): Promise<{ readonly handle: FileHandle; readonly content: Content; readonly end: number }> => {
  const handle = await openLocked(path)
  try {
    const found = await contentOf(handle)
    const { mtimeMs, size } = await handle.stat()
    if (found.header === null && size > 0) {
      throw new ExportError({ reason: { _tag: "RecordsUnreadable", path, isNewer: found.isNewer } })
    }
    const isFresh = Date.parse(startedAt) - mtimeMs < mostPauseMillis
    const content = resume && isFresh ? found : unread
    if (content.header !== null) {
      const field = differing(content.header.identity, identity)
      if (field !== null) throw new ExportError({ reason: { _tag: "ResumeRefused", path, field } })
    }
    // It may be killed again before it names them.
    const line = Buffer.from(content.named.length === 0 ? "" : namingLine(content.named))
    const end = content.end + line.byteLength
    if (end !== size || line.byteLength > 0) {
      await handle.write(line, 0, line.byteLength, content.end)
      await handle.truncate(end)
    }
    return { handle, content, end }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

const callerIn = (header: Header | null): Caller | null => {
  const account = Account.fromJson(header?.caller)
  return account === null ? null : { profile: account.profile, me: account.me, meReason: account.meReason }
}

/** How long pages can be only in the system's memory, in milliseconds. There they survive the end of the process, but not a power failure. */
const syncMillis = 5000

/** Most bytes of a UTF-16 code unit in UTF-8. */
const widest = 3

/** The two lines of a page, in a memory that is used again for the page after the next. */
const linesOf = (
  { body, note }: SavedPage,
  memory: Buffer,
): { readonly bytes: Buffer; readonly memory: Buffer } => {
  // Within texts, line breaks are escaped: those that are left are white space. A line of a page begins with its object.
  const answer = (/[\r\n]/.test(body) ? body.replaceAll(/[\r\n]/g, " ") : body).trimStart()
  // Only rejected records can have integers that need care.
  const json = note.rejected.length === 0 ? JSON.stringify(note) : Json.stringify(note)
  const most = (answer.length + json.length) * widest + 64
  const target = memory.byteLength < most ? Buffer.allocUnsafeSlow(most + (most >> 2)) : memory
  const size = target.write(answer)
  const crc = crc32(target.subarray(0, size), crc32(json))
  const end = size + target.write(`\n["page",${crc},${json}]\n`, size)
  return { bytes: target.subarray(0, end), memory: target }
}

/**
 * Opens the record file of a run. Fails with `RunUnderWay` while another process writes it, with `ResumeRefused` when it is to be resumed but its
 * run read other lists or in another way, and with `RecordsUnreadable` when another file has its name, or a newer version of this program wrote it.
 */
export const make = Effect.fnUntraced(function* (
  options: RecordFileOptions,
): Effect.fn.Return<RecordFile, ExportError, Scope.Scope> {
  const path = pathOf(options.target)
  const { content, end, handle } = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => openContent(path, options),
      catch: fileFailure("write", path),
    }),
    (opened) => Effect.promise(() => opened.handle.close().catch(() => {})),
  )
  const { header, newValues, parts } = content
  const startedAt = header?.startedAt ?? options.startedAt
  const own = (caller: Caller): Header => ({ version: 1, identity: options.identity, startedAt, caller })
  const writes = writesTo(handle, path, end)
  let appended = 0
  let syncedAt = performance.now()
  let memories: readonly [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)]
  yield* Effect.addFinalizer(() => Effect.ignore(writes.settled))
  return {
    startedAt,
    isResumed: header !== null,
    caller: callerIn(header),
    newValues,
    writeHeader: (caller) =>
      header === null ? writes.write(() => Buffer.from(`${JSON.stringify(own(caller))}\n`)) : Effect.void,
    saved: (table) => {
      const part = parts.get(table)
      if (part === undefined) return null
      return {
        path,
        last: part.last,
        pages: async function* () {
          for await (const { answer, end: to, note } of framesFrom(handle, part.from)) {
            if (to > content.end || note.table !== table) return
            yield { body: answer.toString(), note }
          }
        },
      }
    },
    append: (page) =>
      writes.write(
        () => {
          const [next, other] = memories
          const { bytes, memory } = linesOf(page, next)
          memories = [other, memory]
          return bytes
        },
        async () => {
          appended += 1
          if (performance.now() - syncedAt < syncMillis) return
          syncedAt = performance.now()
          await handle.datasync().catch(OwnFile.ifOffered("sync"))
        },
      ),
    pages: () => content.pages + appended,
    flush: writes.settled,
    naming: (paths) =>
      Effect.andThen(
        writes.write(() => Buffer.from(namingLine(paths))),
        writes.settled,
      ),
    drop: Effect.tryPromise({ try: () => rm(path, { force: true }), catch: fileFailure("remove", path) }),
  }
})
