/**
 * The file beside a mirror in which the engine of a worker keeps its queue. One process holds it at a time, until the file is closed or the process
 * ends for any reason: the system then releases the lock. It is a file of its own, so that this lock keeps no process from the mirror. A
 * transaction of the engine also lasts for several turns of the event loop, and the mirror blocks that loop while it waits for a lock.
 */
import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"
import { failed, load, pragma, prepare } from "./Sqlite.ts"

/** `PRAGMA application_id` of a queue: the letters `DeeQ`. */
const applicationId = 0x44_65_65_51

export interface QueueFile {
  /** Runs one statement, and returns its rows: by column, or as arrays. Throws what SQLite throws. */
  readonly all: (
    statement: string,
    parameters: ReadonlyArray<SQLInputValue>,
    form: { readonly areArrays: boolean; readonly areBigInts: boolean },
  ) => ReadonlyArray<object>
  readonly isInTransaction: () => boolean
}

/** Beside the real file of the mirror, so that a mirror has one queue under whatever name it is opened. */
const pathOf = (mirror: string): string =>
  `${existsSync(mirror) ? realpathSync(mirror) : resolve(mirror)}.queue`

/** Converts an error of SQLite about the queue of the mirror at a path to the error of a mirror. Defects pass through. */
export const queueErrorOf =
  (mirror: string) =>
  (cause: unknown): SyncError => {
    const path = pathOf(mirror)
    const error = failed(path, cause)
    switch (error.reason._tag) {
      case "MirrorLocked":
        return syncError({ _tag: "QueueLocked", path: mirror })
      case "MirrorDamaged":
        return syncError({ _tag: "QueueDamaged", path })
      default:
        return error
    }
  }

/** Locks the file for this process. Fails if another process holds it, or if another program has created it. */
const take = (db: DatabaseSync, path: string): void => {
  // This lock is held until the file is closed. A process that only queues releases it soon.
  db.exec("pragma busy_timeout = 2000; pragma locking_mode = exclusive; begin exclusive")
  const id = pragma(db, "application_id")
  const isEmpty = id === 0 && db.prepare("select 1 from sqlite_schema limit 1").get() === undefined
  if (!isEmpty && id !== applicationId) throw syncError({ _tag: "NotAMirror", path })
  db.exec(`pragma application_id = ${applicationId}; commit`)
  // The results of a worker are in the mirror, so the work of the last moment before a power failure can be done again.
  db.exec("pragma journal_mode = wal; pragma synchronous = normal")
}

/**
 * Opens the queue of the mirror at a path, and closes it with its scope. It is created if it does not exist. Fails with `QueueLocked` if another
 * process holds it, and `NotAMirror` for the file of another program.
 */
export const openQueue = (mirror: string): Effect.Effect<QueueFile, SyncError, Scope.Scope> =>
  Effect.gen(function* () {
    const path = pathOf(mirror)
    const { DatabaseSync: Sqlite } = yield* load
    yield* prepare(path, false)
    const attempt = <A>(work: () => A): Effect.Effect<A, SyncError> =>
      Effect.suspend(() => {
        try {
          return Effect.succeed(work())
        } catch (cause) {
          return Effect.fail(queueErrorOf(mirror)(cause))
        }
      })
    const db = yield* Effect.acquireRelease(
      attempt(() => new Sqlite(path)),
      (opened) => Effect.sync(() => opened.close()),
    )
    yield* attempt(() => take(db, path))
    return {
      all: (statement, parameters, { areArrays, areBigInts }) => {
        const prepared = db.prepare(statement)
        prepared.setReturnArrays(areArrays)
        prepared.setReadBigInts(areBigInts)
        return prepared.all(...parameters)
      },
      isInTransaction: () => db.isTransaction,
    }
  })
