/**
 * A SQLite database on `node:sqlite`, opened only when it is a mirror or an empty file, and its errors as reasons of a mirror. `node:sqlite` is loaded
 * when a file is opened, so that a program without such a file runs on Node versions without it.
 */
import { constants, existsSync, statSync } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import * as OwnFile from "@deedkit/core/own-file"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { schemaVersion } from "../Schema.ts"
import { SyncError, syncError } from "../SyncError.ts"
import { applicationId, schema } from "./Schema.ts"

/** The first Node version whose `node:sqlite` needs no flag. */
const neededNode = "22.13"

export const load = Effect.tryPromise({
  try: () => import("node:sqlite"),
  catch: () => syncError({ _tag: "SqliteMissing", node: process.versions.node, needed: neededNode }),
})

export const unopenable =
  (path: string) =>
  (cause: unknown): SyncError => {
    if (cause instanceof SyncError) return cause
    if (cause instanceof OwnFile.NotOwn)
      return syncError({ _tag: "MirrorNotOwn", path: cause.path, problem: cause.problem })
    const code = (cause as NodeJS.ErrnoException).code ?? "no code"
    return syncError(
      code === "ENOENT" ? { _tag: "MirrorMissing", path } : { _tag: "MirrorUnopenable", path, code },
    )
  }

/** What SQLite keeps beside a database, and reads without a question. */
const besides = ["-journal", "-wal", "-shm"]

/**
 * Checks the file, and those beside it, before SQLite opens them, and creates it if that is allowed: readable by its owner only, because it holds
 * personal data. A mirror that is only read may be somebody else's.
 */
export const prepare = (path: string, isReadOnly: boolean): Effect.Effect<void, SyncError> =>
  Effect.tryPromise({
    try: async () => {
      const real = await OwnFile.pathOf(path)
      const file = await stat(real).catch((cause: NodeJS.ErrnoException) => {
        if (isReadOnly || cause.code !== "ENOENT") throw cause
        return null
      })
      if (file?.isFile() === false) throw Object.assign(new Error("not a file"), { code: "EISDIR" })
      if (!isReadOnly) {
        await OwnFile.check(real)
        // What SQLite keeps beside it would be on another file system, and go with the container.
        if (file !== null && (await OwnFile.isMounted(real))) throw syncError({ _tag: "MirrorMounted", path })
      }
      for (const end of besides) await OwnFile.check(`${real}${end}`, { trusted: file?.uid })
      if (file !== null) return
      const made = await OwnFile.open(real, constants.O_WRONLY | constants.O_CREAT, 0o600)
      await made.close()
    },
    catch: (cause) => {
      const error = unopenable(path)(cause)
      // If the file may be created, only its folder can be missing.
      return error.reason._tag === "MirrorMissing" && !isReadOnly
        ? syncError({ _tag: "MirrorUnopenable", path, code: "ENOENT" })
        : error
    },
  })

const numberOf = (error: unknown): number | null =>
  typeof error === "object" && error !== null && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : null

/** Whether an error is about rows that a sync has not written. */
const isOfRows = (cause: unknown): boolean =>
  // A text of the mirror that is not JSON, although it was written as JSON; SQLite has its own message for it.
  cause instanceof SyntaxError ||
  (cause instanceof Error &&
    (cause.message === "malformed JSON" ||
      // A number that JavaScript cannot represent.
      ("code" in cause && cause.code === "ERR_OUT_OF_RANGE"))) ||
  // A row that the tables refuse, such as a version that already exists.
  ((numberOf(cause) ?? 0) & 0xff) === 19

/**
 * The error of SQLite as a reason. Its extended code holds the primary one in the lowest byte. `account` is the account whose rows are read and
 * written; null for rows of several accounts. Defects pass through.
 */
export const failed = (path: string, cause: unknown, account: string | null = null): SyncError => {
  if (typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "SyncError")
    return cause as SyncError
  if (isOfRows(cause))
    return syncError(
      account === null ? { _tag: "MirrorDamaged", path } : { _tag: "AccountDamaged", path, account },
    )
  const code = numberOf(cause)
  if (code === null) throw cause
  const { message } = cause as Error
  // The statements match the tables of a mirror, so these were changed.
  if (/^no such (?:table|column):| has no column named /.test(message))
    return syncError({ _tag: "MirrorDamaged", path })
  switch (code & 0xff) {
    case 5:
    case 6:
      return syncError({ _tag: "MirrorLocked", path })
    case 8:
      return syncError({ _tag: "MirrorReadOnly", path })
    case 11:
      return syncError({ _tag: "MirrorDamaged", path })
    case 13:
      return syncError({ _tag: "DiskFull", path })
    case 14:
      return syncError({ _tag: "MirrorUnopenable", path, code: "SQLITE_CANTOPEN" })
    case 26:
      return syncError({ _tag: "NotAMirror", path })
    default:
      return syncError({ _tag: "SqliteFailed", path, code, problem: message })
  }
}

/** Runs work on the file at a path, and fails with the reason of a mirror. */
export const attempt = <A>(path: string, work: () => A): Effect.Effect<A, SyncError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (cause) {
      return Effect.fail(failed(path, cause))
    }
  })

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
 * touch the same pages. A first night of 10,000 accounts takes 4 to 5 s of CPU less than with a transaction each. If any of the work fails, all of it is undone, and each fiber's work gets a transaction of its own. Work that was
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

/** After how long without a change the file is brought up to date. */
const idleMillis = 1_000

/** The numeric value of a pragma. */
export const pragma = (db: DatabaseSync, name: string): number =>
  Number(Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0])

/** Creates the tables of an empty file, or checks those of a mirror. Runs inside a transaction, so that two processes that begin at once create them once. */
const requireTables = (db: DatabaseSync, path: string, isReadOnly: boolean): void => {
  const found = pragma(db, "user_version")
  const id = pragma(db, "application_id")
  const isEmpty =
    id === 0 && found === 0 && db.prepare("select 1 from sqlite_schema limit 1").get() === undefined
  if (isEmpty ? isReadOnly : id !== applicationId) throw syncError({ _tag: "NotAMirror", path })
  if (found > schemaVersion) throw syncError({ _tag: "SchemaNewer", path, found, known: schemaVersion })
  if (found === schemaVersion) return
  // A mirror has its version from the moment at which its tables are created.
  if (!isEmpty) throw syncError({ _tag: "MirrorDamaged", path })
  db.exec(schema)
  db.exec(`pragma application_id = ${applicationId}; pragma user_version = ${schemaVersion}`)
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
export const fileAt = (path: string): string | null => {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

/**
 * Opens a mirror. Without `isReadOnly`, it is created if it does not exist. Closed with its scope. `:memory:` is a mirror that ends with the process.
 */
export const open = ({
  isReadOnly,
  lockMillis,
  path,
}: OpenOptions): Effect.Effect<Database, SyncError, Scope.Scope> =>
  Effect.gen(function* () {
    const { DatabaseSync: Sqlite } = yield* load
    if (path !== ":memory:") yield* prepare(path, isReadOnly)
    // A process that was killed may have left a journal of a change. SQLite undoes the change when a connection with write access reads.
    if (isReadOnly && existsSync(`${path}-journal`))
      yield* attempt(path, () => {
        const writer = new Sqlite(resolve(path))
        try {
          writer.exec(`pragma busy_timeout = ${lockMillis}; select count(*) from sqlite_schema`)
        } finally {
          writer.close()
        }
      })
    const db = yield* Effect.acquireRelease(
      // SQLite takes a relative name that begins with `file:` for a URI, which names another file than the one that was prepared.
      attempt(path, () => new Sqlite(path === ":memory:" ? path : resolve(path), { readOnly: isReadOnly })),
      (opened) =>
        Effect.sync(() => {
          if (!isReadOnly) settle(opened)
          opened.close()
        }),
    )
    yield* attempt(path, () => db.exec(`pragma busy_timeout = ${lockMillis}`))
    const read = transact(db, path, "begin")
    yield* (isReadOnly ? read : transact(db, path, "begin immediate"))(() =>
      requireTables(db, path, isReadOnly),
    )
    // Only now is it known that the file is a mirror. Readers do not wait for a sync in this mode, and kill -9 loses nothing.
    if (!isReadOnly)
      yield* attempt(path, () =>
        db.exec(
          // 32 MB of 4 kB pages are copied into the file at a time instead of 4 MB: a nightly sync of many accounts touches the same pages again
          // and again.
          "pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 8000; pragma foreign_keys = on",
        ),
      )
    const waiting = together(db, path)
    // Once nothing has been written for a moment, the file itself holds everything: a plain copy of it is the mirror, also while a worker has it open.
    const idle = setTimeout(() => {
      try {
        if (db.isOpen && !isReadOnly) db.exec("pragma wal_checkpoint(passive)")
      } catch {
        // Done after the next change, or when the file is closed.
      }
    }, idleMillis).unref()
    yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(idle)))
    const write: Transact = (work) => Effect.tap(waiting(work), () => Effect.sync(() => idle.refresh()))
    const opened = fileAt(path)
    const requireInPlace = (): void => {
      if (fileAt(path) !== opened) throw syncError({ _tag: "MirrorMoved", path })
    }
    return { db, read, write, requireInPlace, compact: attempt(path, () => db.exec("vacuum")) }
  })
