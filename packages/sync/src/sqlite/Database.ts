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

/** Work on the database as one transaction. Whatever fails in it is undone. */
type Transact = <A>(work: () => A) => Effect.Effect<A, SyncError>

export interface Database {
  readonly db: DatabaseSync
  /** For work that changes something. */
  readonly write: Transact
  /** For work that reads: all of it sees one state. */
  readonly read: Transact
  /** Fails where the file at the path is not the one that was opened: what is written then is lost. */
  readonly requireInPlace: () => void
  /** Gives the room of what was deleted back to the disk, and leaves nothing of it in the file. */
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
          // SQLite has rolled back already after some errors, such as a full disk.
          if (db.isTransaction) db.exec("rollback")
          throw cause
        }
      } catch (cause) {
        return Effect.fail(failed(path, cause))
      }
    })
}

/**
 * The same for what several fibers want to write at once, as one transaction: a commit writes each page that was touched, and they touch the same
 * ones. Where something fails in it, all of it is undone, and each is a transaction of its own. Work that was interrupted before is not done.
 */
const together = (db: DatabaseSync, path: string): Transact => {
  const alone = transact(db, path, "begin immediate")
  interface Waiting {
    /** Does the work, and returns what is to be done after the commit. */
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
      // What else has arrived in this turn of the event loop and in the next one is handled before it.
      if (waiting.add(own).size === 1) setImmediate(() => setImmediate(commit))
      return Effect.sync(() => void waiting.delete(own))
    })
}

/** The number that a pragma says. */
export const pragma = (db: DatabaseSync, name: string): number =>
  Number(Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0])

/** Brings the tables to the newest version. Runs inside of a transaction, so that two processes that begin at once make them once. */
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

/** Leaves one plain file at rest, which can be copied, and read where nothing can be written. Not while another process has it open. */
const settle = (db: DatabaseSync): void => {
  try {
    if (pragma(db, "application_id") === applicationId)
      db.exec("pragma busy_timeout = 0; pragma journal_mode = delete")
  } catch {
    // The next one that closes it does this.
  }
}

/** What tells a file from another one that takes its path; null where there is none. */
const fileAt = (path: string): string | null => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

/**
 * Opens a mirror. Without `isReadOnly` it is made where there is none, and its tables are brought to the newest version. Closed with its scope.
 * `:memory:` is a mirror that ends with the process.
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
    // A process that was killed may have left a journal of a change. SQLite undoes it where a connection that may write reads.
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
      // SQLite takes a relative name that begins with `file:` for an address, which is another file than the one that was prepared.
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
    // Only now it is known that the file is a mirror. Readers do not wait for a sync in this mode, and kill -9 loses nothing.
    if (!isReadOnly)
      yield* attempt(() =>
        db.exec(
          // 32 MB of 4 kB pages are copied into the file at a time, and not 4: a night of many accounts touches the same pages again and again.
          "pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 8000; pragma foreign_keys = on",
        ),
      )
    const opened = fileAt(path)
    const requireInPlace = (): void => {
      if (fileAt(path) !== opened) throw syncError({ _tag: "MirrorMoved", path })
    }
    return { db, read, write: together(db, path), requireInPlace, compact: attempt(() => db.exec("vacuum")) }
  })
