/** A copy of a mirror in a file, made while other programs use the mirror. It is complete under its name, or not there. */
import { constants } from "node:fs"
import { open as openFile, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import * as OwnFile from "@deedkit/core/own-file"
import * as Effect from "effect/Effect"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"
import { attempt, fileAt, load, open, randomText, unopenable } from "./Sqlite.ts"

export interface BackupOptions {
  /** The file of the mirror. */
  readonly from: string
  /** The file of the copy. */
  readonly to: string
  /** Replaces an existing file. Default false: fails with `MirrorUnopenable` and the code `EEXIST`. */
  readonly isReplaced?: boolean | undefined
}

export interface Backup {
  readonly accounts: number
  readonly bytes: number
}

/** Runs statements on a file. */
const edit = (path: string, statements: string): Effect.Effect<void, SyncError> =>
  Effect.flatMap(load, ({ DatabaseSync }) =>
    attempt(path, () => {
      const db = new DatabaseSync(resolve(path))
      try {
        db.exec(statements)
      } finally {
        db.close()
      }
    }),
  )

/** Fails if a process uses the file, which would then write into a file without a name. One that is damaged or something else can be replaced. */
const requireUnused = (path: string): Effect.Effect<void, SyncError> =>
  Effect.catchIf(
    edit(path, "pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive; rollback"),
    ({ reason }) => reason._tag !== "MirrorLocked",
    () => Effect.void,
  )

/** Gives a file its name. What SQLite keeps beside the file that was there would damage the new one. */
const place = async (part: string, path: string): Promise<number> => {
  // A link that somebody has put in its place is not followed.
  const file = await openFile(part, constants.O_RDWR | ((constants.O_NOFOLLOW as number | undefined) ?? 0))
  try {
    const mode = await OwnFile.keepOwner(file, path, true)
    // Never for everybody, whatever was there. Some file systems have no modes.
    if (mode !== null) await file.chmod(mode & 0o770).catch(() => {})
    await file.sync().catch(OwnFile.ifOffered("sync"))
  } finally {
    await file.close()
  }
  for (const ending of ["-wal", "-shm", "-journal"]) await rm(`${path}${ending}`, { force: true })
  await rename(part, path)
  return (await stat(path)).size
}

/**
 * Copies a mirror as one transaction has left it. The copy has an `epoch` of its own, also where it is copied back: a program that follows the
 * mirror then sees that runs can stand for other reads than before. Fails with `MirrorLocked` if the file to replace is in use.
 */
export const backup = ({ from, isReplaced = false, to }: BackupOptions): Effect.Effect<Backup, SyncError> =>
  Effect.gen(function* () {
    const { db } = yield* open({ path: from, isReadOnly: true })
    const onDisk = <A>(work: () => Promise<A>): Effect.Effect<A, SyncError> =>
      Effect.tryPromise({ try: work, catch: unopenable(to) })
    const real = yield* onDisk(async () => {
      // Refuses links of another user. One of this user at the end of the path is replaced, not followed.
      await OwnFile.pathOf(to)
      return join(await OwnFile.pathOf(dirname(to)), basename(to))
    })
    const found = fileAt(to)
    if (found !== null && (!isReplaced || found === fileAt(from)))
      return yield* syncError({ _tag: "MirrorUnopenable", path: to, code: "EEXIST" })
    const part = `${real}.part`
    if (yield* onDisk(() => OwnFile.isMounted(real)))
      return yield* syncError({ _tag: "MirrorMounted", path: to })
    const remove = onDisk(async () => {
      for (const ending of ["", "-journal"]) await rm(`${part}${ending}`, { force: true })
    })
    return yield* Effect.gen(function* () {
      yield* remove
      // SQLite writes into an empty file, which only its owner can read.
      yield* onDisk(async () => (await openFile(part, "wx", 0o600)).close())
      yield* attempt(to, () => db.prepare("vacuum into ?").run(part))
      yield* edit(part, `update mirror set epoch = ${randomText}`)
      if (found !== null) yield* requireUnused(to)
      const bytes = yield* onDisk(() => place(part, real))
      const [row] = yield* attempt(from, () => db.prepare("select count(*) as accounts from account").all())
      return { accounts: Number(row?.["accounts"]), bytes }
    }).pipe(Effect.onError(() => Effect.ignore(remove)))
  }).pipe(Effect.scoped)
