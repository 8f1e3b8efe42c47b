/** A SQLite database on `node:sqlite`, opened only when it is a mirror or an empty file. */
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { SyncError } from "../mirror/SyncError.ts"
import { syncError } from "../mirror/SyncError.ts"
import { failed } from "./Failed.ts"
import { load, prepare } from "./File.ts"
import { applicationId, migrations } from "./Schema.ts"

export interface OpenOptions {
  readonly path: string
  readonly isReadOnly: boolean
  /** How long to wait for the lock of another process. */
  readonly lockMillis: number
}

/** Runs work on the database as one transaction. If the work fails, all of it is undone. */
type Transact = <A>(work: () => A) => Effect.Effect<A, SyncError>

export interface Database {
  readonly db: DatabaseSync
  /** For work that changes something. */
  readonly write: Transact
  /** For work that reads: all of it sees one state. */
  readonly read: Transact
  /** Fails if the file at the path is not the one that was opened: what is written is then lost. */
  readonly requireInPlace: () => void
  /** Returns the space of deleted data to the disk, and leaves nothing of that data in the file. */
  readonly compact: Effect.Effect<void, SyncError>
}

const transact = (db: DatabaseSync, path: string, how: "begin" | "begin immediate"): Transact => {
  const begin = db.prepare(how)
  const commit = db.prepare("commit")
  return (work) =>
    Effect.suspend(() => {
      try {
        begin.run()
        try {
          const result = work()
          commit.run()
          return Effect.succeed(result)
        } catch (cause) {
          // SQLite has already rolled back after some errors, such as a full disk.
          if (db.isTransaction) db.exec("rollback")
          throw cause
        }
      } catch (cause) {
        return Effect.fail(failed(path, cause))
      }
    })
}

/**
 * Like `transact`, but combines what several fibers write at once into one transaction: a commit writes each page that was touched, and the fibers
 * touch the same pages. If any of the work fails, all of it is undone, and each fiber's work gets a transaction of its own. Work that was
 * interrupted before that is not done.
 */
const together = (db: DatabaseSync, path: string): Transact => {
  const alone = transact(db, path, "begin immediate")
  interface Waiting {
    /** Does the work, and returns the function to call after the commit. */
    readonly inCommon: () => () => void
    readonly byItself: () => void
  }
  const waiting = new Set<Waiting>()
  const commit = (): void => {
    const all = [...waiting]
    waiting.clear()
    const ended =
      all.length > 1 ? Effect.runSyncExit(alone(() => all.map(({ inCommon }) => inCommon()))) : null
    if (ended !== null && Exit.isSuccess(ended)) for (const done of ended.value) done()
    else for (const { byItself } of all) byItself()
  }
  return (work) =>
    Effect.callback((resume) => {
      const own: Waiting = {
        inCommon: () => {
          const result = work()
          return () => resume(Effect.succeed(result))
        },
        byItself: () => resume(alone(work)),
      }
      // Other events that arrive in this turn of the event loop and the next one are handled before the commit.
      if (waiting.add(own).size === 1) setImmediate(() => setImmediate(commit))
      return Effect.sync(() => void waiting.delete(own))
    })
}

/** The numeric value of a pragma. */
export const pragma = (db: DatabaseSync, name: string): number =>
  Number(Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0])

/** Migrates the tables to the newest version. Runs inside a transaction, so that two processes that begin at once create them once. */
const migrate = (db: DatabaseSync, path: string, isReadOnly: boolean): void => {
  const known = migrations.length
  const found = pragma(db, "user_version")
  const id = pragma(db, "application_id")
  const isEmpty =
    id === 0 && found === 0 && db.prepare("select 1 from sqlite_schema limit 1").get() === undefined
  if (!isEmpty && id !== applicationId) throw syncError({ _tag: "NotAMirror", path })
  if (found > known) throw syncError({ _tag: "SchemaNewer", path, found, known })
  if (found === known) return
  if (isReadOnly)
    throw syncError(isEmpty ? { _tag: "NotAMirror", path } : { _tag: "SchemaOlder", path, found, known })
  for (const statements of migrations.slice(found)) db.exec(statements)
  db.exec(`pragma application_id = ${applicationId}; pragma user_version = ${known}`)
}

/** Leaves one plain file, which can be copied, and can be read where nothing can be written. Has no effect while another process has it open. */
const settle = (db: DatabaseSync): void => {
  try {
    if (pragma(db, "application_id") === applicationId)
      db.exec("pragma busy_timeout = 0; pragma journal_mode = delete")
  } catch {
    // The next process that closes the file does this.
  }
}

/** Distinguishes a file from another one that takes its path; null if there is none. */
const fileAt = (path: string): string | null => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

/**
 * Opens a mirror. Without `isReadOnly`, it is created if it does not exist, and its tables are migrated to the newest version. Closed with its
 * scope. `:memory:` is a mirror that ends with the process.
 */
export const open = ({
  isReadOnly,
  lockMillis,
  path,
}: OpenOptions): Effect.Effect<Database, SyncError, Scope.Scope> =>
  Effect.gen(function* () {
    const { DatabaseSync: Sqlite } = yield* load
    if (path !== ":memory:") yield* prepare(path, isReadOnly)
    const attempt = <A>(work: () => A): Effect.Effect<A, SyncError> =>
      Effect.suspend(() => {
        try {
          return Effect.succeed(work())
        } catch (cause) {
          return Effect.fail(failed(path, cause))
        }
      })
    // A process that was killed may have left a journal of a change. SQLite undoes the change when a connection with write access reads.
    if (isReadOnly && existsSync(`${path}-journal`))
      yield* attempt(() => {
        const writer = new Sqlite(resolve(path))
        try {
          writer.exec(`pragma busy_timeout = ${lockMillis}; select count(*) from sqlite_schema`)
        } finally {
          writer.close()
        }
      })
    const db = yield* Effect.acquireRelease(
      // SQLite takes a relative name that begins with `file:` for a URI, which names another file than the one that was prepared.
      attempt(() => new Sqlite(path === ":memory:" ? path : resolve(path), { readOnly: isReadOnly })),
      (opened) =>
        Effect.sync(() => {
          if (!isReadOnly) settle(opened)
          opened.close()
        }),
    )
    yield* attempt(() => db.exec(`pragma busy_timeout = ${lockMillis}`))
    const read = transact(db, path, "begin")
    yield* (isReadOnly ? read : transact(db, path, "begin immediate"))(() => migrate(db, path, isReadOnly))
    // Only now is it known that the file is a mirror. Readers do not wait for a sync in this mode, and kill -9 loses nothing.
    if (!isReadOnly)
      yield* attempt(() =>
        db.exec(
          // 32 MB of 4 kB pages are copied into the file at a time instead of 4 MB: a nightly sync of many accounts touches the same pages again
          // and again.
          "pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 8000; pragma foreign_keys = on",
        ),
      )
    const opened = fileAt(path)
    const requireInPlace = (): void => {
      if (fileAt(path) !== opened) throw syncError({ _tag: "MirrorMoved", path })
    }
    return { db, read, write: together(db, path), requireInPlace, compact: attempt(() => db.exec("vacuum")) }
  })
