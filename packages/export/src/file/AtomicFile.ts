/**
 * A file that gets its name only when it is whole.
 *
 * The bytes go to `NAME.<random>.part` in the same folder, created exclusively, so that no part file of a dead run is ever reused, and locked until
 * the end; `sweep` removes those that nobody has locked. `finish` syncs the part file; `commit` renames it and syncs the folder. A scope that closes
 * before `commit` removes the part file and leaves an older file of the name unchanged.
 */
import { randomBytes } from "node:crypto"
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { link, lstat, open, readdir, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as OwnFile from "@deedkit/core/own-file"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "./fileFailure.ts"
import * as FileLock from "./FileLock.ts"

/** Where bytes go, chunk by chunk. Every write waits until the chunk is taken, which gives the whole run its back-pressure. */
export interface Sink {
  /** Takes the whole chunk, or fails. The caller must not change the chunk until then. */
  readonly write: (chunk: Uint8Array) => Effect.Effect<void, ExportError>
  /** Ends the writing. If the target is a file, everything written is then on the disk. */
  readonly finish: Effect.Effect<void, ExportError>
  /** Makes the file final. A sink whose scope closes without it leaves nothing that could be mistaken for a whole file. */
  readonly commit: Effect.Effect<void, ExportError>
}

export interface AtomicFileOptions {
  /** The final path: not a symbolic link, in a folder that exists. */
  readonly path: string
  /** Whether a file of that name may be replaced. */
  readonly overwrite: boolean
  /** Permission bits of the file; null for those of the file that it replaces, or the usual ones of a new file. */
  readonly mode: number | null
}

interface Part {
  readonly path: string
  readonly handle: FileHandle
  committed: boolean
}

const partPathOf = (path: string): string => `${path}.${randomBytes(4).toString("hex")}.part`

/** Names of part files, after the name of their file. */
const partName = /^\.[0-9a-f]{8}\.part$/

/** The mode of a new part file, which is never wider than that of the file that it replaces. */
const firstModeOf = async ({ mode, overwrite, path }: AtomicFileOptions): Promise<number> => {
  const old = overwrite && mode === null ? await lstat(path).catch(() => null) : null
  return mode ?? (old?.isFile() === true ? old.mode & 0o777 : 0o666)
}

/** Creates a part file that no `sweep` takes away. */
const openPart = async (options: AtomicFileOptions): Promise<Part> => {
  const mode = await firstModeOf(options)
  for (;;) {
    const path = partPathOf(options.path)
    const handle = await open(path, "wx", mode)
    const part = { path, handle, committed: false }
    // Between these two lines, a sweep can lock the file and remove it.
    if ((await FileLock.lock(handle, path)) === "locked") return part
    await discard(part)
  }
}

const createPart = (options: AtomicFileOptions): Effect.Effect<Part, ExportError> =>
  Effect.tryPromise({
    try: async () => {
      const part = await openPart(options)
      try {
        const kept = options.overwrite ? await OwnFile.keepOwner(part.handle, options.path) : null
        const mode = options.mode ?? kept
        if (mode !== null) await part.handle.chmod(mode).catch(OwnFile.ifOffered("chmod"))
        return part
      } catch (cause) {
        await discard(part)
        throw cause
      }
    },
    catch: fileFailure("create", options.path),
  })

const discard = async (part: Part): Promise<void> => {
  await part.handle.close().catch(() => {})
  await rm(part.path, { force: true }).catch(() => {})
}

/** Names the part file without replacing a file created meanwhile. On file systems without hard links this is not atomic. */
const nameOnce = async (part: string, path: string): Promise<void> => {
  try {
    await link(part, path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw cause
    const taken = await lstat(path).then(
      () => true,
      () => false,
    )
    if (taken) throw Object.assign(new Error(), { code: "EEXIST" })
    return rename(part, path)
  }
  await rm(part, { force: true })
}

/** Windows refuses the rename while another program has the old file open, often only for a moment. */
const isOpenElsewhere = (cause: unknown): boolean =>
  process.platform === "win32" &&
  ["EPERM", "EBUSY", "EACCES"].includes(String((cause as NodeJS.ErrnoException).code))

const giveName = ({ overwrite, path }: AtomicFileOptions, part: Part): Effect.Effect<void, ExportError> =>
  Effect.tryPromise({
    try: () => (overwrite ? rename(part.path, path) : nameOnce(part.path, path)),
    catch: (cause) =>
      isOpenElsewhere(cause)
        ? new ExportError({ reason: { _tag: "TargetBusy", path } })
        : fileFailure("rename", path)(cause),
  }).pipe(
    Effect.retry({
      schedule: Schedule.spaced("200 millis"),
      times: 10,
      while: ({ reason }) => reason._tag === "TargetBusy",
    }),
  )

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path), "r").catch(() => null)
  if (folder === null) return
  await folder.sync().catch(() => {})
  await folder.close()
}

/**
 * Writes to an open file, one after the other. Each waits only for the one before it, so that the next bytes are made while these are written, and
 * no more than two pieces are in memory.
 */
export interface Writes {
  /**
   * Makes bytes and begins to write them, once the write before has ended. They must not change before the next write, or `settled`, has succeeded.
   * Fails with the error of an earlier write: nothing is written after it. `then` runs when they are written.
   */
  readonly write: (
    bytes: () => Uint8Array,
    then?: () => Promise<void> | void,
  ) => Effect.Effect<void, ExportError>
  /** Waits until everything is written. The operating system then has it, so it is not lost when the process ends. */
  readonly settled: Effect.Effect<void, ExportError>
}

/** Writes from a position on. `path` is named in errors. The file belongs to the caller: it is not closed here, and nothing else writes to it. */
export const writesTo = (handle: FileHandle, path: string, start = 0): Writes => {
  let position = start
  let writing: Promise<ExportError | null> = Promise.resolve(null)
  const put = async (bytes: Uint8Array, then: () => Promise<void> | void): Promise<ExportError | null> => {
    try {
      // One write of the platform can take less than it was given.
      for (let at = 0; at < bytes.byteLength;) {
        const { bytesWritten } = await handle.write(bytes, at, bytes.byteLength - at, position)
        at += bytesWritten
        position += bytesWritten
      }
      await then()
      return null
    } catch (cause) {
      return fileFailure("write", path)(cause)
    }
  }
  const settled = Effect.flatMap(
    Effect.promise(() => writing),
    (failure) => (failure === null ? Effect.void : Effect.fail(failure)),
  )
  return {
    write: (bytes, then = () => {}) =>
      Effect.andThen(
        settled,
        Effect.sync(() => {
          writing = put(bytes(), then)
        }),
      ),
    settled,
  }
}

/** Size of a buffer, in bytes. There are two: one is filled while the other is written. */
const capacity = 262_144

/** Gathers bytes into large writes, because a write call costs as much as many kilobytes. They are copied: the caller can reuse its memory. */
const gathering = (
  { handle }: Part,
  path: string,
): { readonly append: Sink["write"]; readonly flush: Sink["finish"] } => {
  const writes = writesTo(handle, path)
  let [filling, spare] = [Buffer.allocUnsafeSlow(capacity), Buffer.allocUnsafeSlow(capacity)]
  let used = 0
  const writeFilled = writes.write(() => {
    const filled = filling.subarray(0, used)
    ;[filling, spare] = [spare, filling]
    used = 0
    return filled
  })
  const fill = (piece: Uint8Array): void => {
    filling.set(piece, used)
    used += piece.byteLength
  }
  const flush = Effect.andThen(writeFilled, writes.settled)
  return {
    append: (piece) =>
      Effect.suspend(() => {
        if (used + piece.byteLength <= capacity) return Effect.sync(() => fill(piece))
        return piece.byteLength <= capacity
          ? Effect.map(writeFilled, () => fill(piece))
          : Effect.andThen(
              writeFilled,
              Effect.andThen(
                writes.write(() => piece),
                writes.settled,
              ),
            )
      }),
    flush,
  }
}

/** A sink whose bytes become the file at `path` when `commit` succeeds, and are removed otherwise. */
export const make = (options: AtomicFileOptions): Effect.Effect<Sink, ExportError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(createPart(options), (part) =>
      part.committed ? Effect.void : Effect.promise(() => discard(part)),
    ),
    (part): Sink => {
      const { append, flush } = gathering(part, options.path)
      return {
        write: append,
        finish: Effect.andThen(
          flush,
          Effect.tryPromise({
            try: () => part.handle.sync().catch(OwnFile.ifOffered("sync")),
            catch: fileFailure("sync", options.path),
          }),
        ),
        commit: Effect.andThen(flush, giveName(options, part)).pipe(
          Effect.andThen(
            Effect.promise(async () => {
              part.committed = true
              await part.handle.close().catch(() => {})
              await syncFolder(options.path)
            }),
          ),
          Effect.uninterruptible,
        ),
      }
    },
  )

/**
 * Checks that the file system accepts the name of the part file of `path`, which is its longest. Creates nothing. Fails with `NameTooLong`, which
 * names `file`: the file whose name was chosen.
 */
export const tryName = (path: string, file: string): Effect.Effect<void, ExportError> =>
  Effect.tryPromise({
    try: async () => {
      await lstat(partPathOf(path)).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === "ENAMETOOLONG") throw cause
      })
    },
    catch: fileFailure("inspect", file),
  })

/** Removes a file that an earlier run made; not an error when there is none. */
export const remove = (path: string): Effect.Effect<void, ExportError> =>
  Effect.tryPromise({ try: () => rm(path, { force: true }), catch: fileFailure("remove", path) })

/** Removes the part files that killed runs left beside `path`. Files that cannot be removed stay. */
export const sweep = (path: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const [folder, start] = [dirname(path), basename(path)]
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith(start) || !partName.test(name.slice(start.length))) continue
      const part = join(folder, name)
      const handle = await OwnFile.open(part, constants.O_RDWR).catch(() => null)
      if (handle === null) continue
      if ((await FileLock.lock(handle, part)) === "locked") await rm(part, { force: true }).catch(() => {})
      await handle.close()
    }
  })

/** Writes a small file whole, in place of an older one. */
export const writeWhole = (
  path: string,
  bytes: Uint8Array,
  mode: AtomicFileOptions["mode"] = null,
): Effect.Effect<void, ExportError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const sink = yield* make({ path, overwrite: true, mode })
      yield* sink.write(bytes)
      yield* sink.finish
      yield* sink.commit
    }),
  )
