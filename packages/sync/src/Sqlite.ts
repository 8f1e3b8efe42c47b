/**
 * The mirror in a SQLite file, on `node:sqlite`: the file is opened only when it is a mirror or empty, its errors become reasons of a mirror, and its
 * transactions are those of the store. `node:sqlite` is loaded when a file is opened, so that a program without such a file runs on Node versions
 * without it.
 */
import { hash } from "node:crypto"
import { constants, existsSync, statSync } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import * as OwnFile from "@deedkit/core/own-file"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { MirrorStore } from "./MirrorStore.ts"
import type { Row } from "./RunRow.ts"
import type { Database, Query, RowsStatement, Transact, Value, Words } from "./Schema.ts"
import { schemaIn, schemaVersion, uses, versionError } from "./Schema.ts"
import { sqlStore } from "./SqlStore.ts"
import { SyncError, syncError } from "./SyncError.ts"

/** `PRAGMA application_id` of a mirror: the letters `Deed`. */
export const applicationId = 0x44_65_65_64

/** A value as its column has it: a list is JSON. */
const valueOf = (value: Value): SQLInputValue =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value

const words: Words = {
  prefix: "",
  types: {
    text: "text",
    bigint: "integer",
    timestamptz: "text",
    integer: "integer",
    texts: "text",
    run: "integer primary key autoincrement",
  },
  keyed: " strict, without rowid",
  plain: " strict",
  time: (text) => text,
  random: "lower(hex(randomblob(16)))",
  night: "night text generated always as (substr(started_at, 1, 10))",
  // SQLite refuses JSON that is nested more than 1,000 levels deep.
  parsed: (text) => `case when json_valid(${text}) then ${text} end`,
  beside: [],
  given: (array, columns) =>
    `(select ${Object.keys(columns)
      .map((name) => `value ->> '${name}' as ${name}`)
      .join(", ")} from json_each(${array})) as given`,
  // Values, a row at a time: for an insert from a query SQLite keeps a journal of the statement, which makes seven times the writes of a first read.
  inserted: (parameters, columns, values) => {
    const names = Object.keys(columns)
    const places = values.map((value) =>
      names.includes(value) ? `$${parameters + 1 + names.indexOf(value)}` : value,
    )
    return `values (${places.join(", ")})`
  },
  each: (array) => `json_each(${array}) as each`,
  lookup: (table, alias, condition) => `left join ${table} as ${alias} on ${condition}`,
  hash: (text) => `sha256(${text})`,
  json: (column) => `json_quote(${column})`,
  lock: "",
}

/** A random text. */
export const randomText = words.random

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
const prepare = (path: string, isReadOnly: boolean): Effect.Effect<void, SyncError> =>
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

const errorCodeOf = (error: unknown): number | null =>
  typeof error === "object" && error !== null && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : null

/** Whether an error is about rows that a sync has not written. */
const isOfRows = (cause: unknown): boolean =>
  // A text of the mirror that is not JSON, although it was written as JSON, or a number that JavaScript does not have; SQLite has its own message for a text.
  cause instanceof SyntaxError ||
  (cause instanceof Error && cause.message === "malformed JSON") ||
  // A row that the tables refuse, such as a version that already exists.
  ((errorCodeOf(cause) ?? 0) & 0xff) === 19

/**
 * The error of SQLite as a reason. Its extended code holds the primary one in the lowest byte. `account` is the account whose rows are read and
 * written; null for rows of several accounts. Defects pass through.
 */
const failed = (path: string, cause: unknown, account: string | null = null): SyncError => {
  if (typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "SyncError")
    return cause as SyncError
  if (isOfRows(cause))
    return syncError(
      account === null ? { _tag: "MirrorDamaged", path } : { _tag: "AccountDamaged", path, account },
    )
  const code = errorCodeOf(cause)
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

/** Does work in a transaction of this connection, and returns its result; throws what it fails with. */
type Work<A> = () => A

const withoutCasts = (text: string): string => text.replaceAll(/::[a-z]+/g, "")

/** A statement, and which parameter each of its places takes: values by place are bound faster than values by name. */
interface Prepared {
  readonly statement: StatementSync
  readonly places: ReadonlyArray<number>
}

const prepareOn = (db: DatabaseSync, text: string): Prepared => {
  const places: Array<number> = []
  const statement = db.prepare(
    withoutCasts(text).replaceAll(/\$(\d+)/g, (_, number) => {
      places.push(Number(number) - 1)
      return "?"
    }),
  )
  // A number that JavaScript does not have is then one of its row, and of the account of that row.
  statement.setReadBigInts(true)
  return { statement, places }
}

/** Runs the statements of the store, each of which is prepared once. */
const queryOn = (db: DatabaseSync): Query => {
  const known = new Map<string, Prepared>()
  const prepared = (text: string): Prepared => {
    const found = known.get(text) ?? prepareOn(db, text)
    known.set(text, found)
    return found
  }
  return Object.assign(
    (text: string, ...parameters: ReadonlyArray<SQLInputValue>) =>
      Effect.sync((): ReadonlyArray<Row> => {
        const { places, statement } = prepared(text)
        return statement.all(...places.map((at) => parameters[at] ?? null))
      }),
    {
      each: (
        { text }: RowsStatement,
        rows: ReadonlyArray<ReadonlyArray<Value>>,
        ...parameters: ReadonlyArray<SQLInputValue>
      ) =>
        Effect.sync(() => {
          const { places, statement } = prepared(text)
          const first = parameters.length
          for (const row of rows)
            statement.run(...places.map((at) => (at < first ? parameters[at]! : valueOf(row[at - first]!))))
        }),
    },
  )
}

/** Runs work that waits for nothing, and throws what it fails with. */
const resultOf = <A>(work: Effect.Effect<A, unknown>): A => {
  const exit = Effect.runSyncExit(work)
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

const transact = (db: DatabaseSync, how: "begin" | "begin immediate", beforeCommit: () => void) => {
  const begin = db.prepare(how)
  const commit = db.prepare("commit")
  return <A>(work: Work<A>): A => {
    begin.run()
    try {
      const result = work()
      beforeCommit()
      commit.run()
      return result
    } catch (cause) {
      // SQLite has already rolled back after some errors, such as a full disk.
      if (db.isTransaction) db.exec("rollback")
      throw cause
    }
  }
}

/**
 * Combines what several fibers write at once into one transaction: a commit writes each page that was touched, and the fibers touch the same pages. A
 * first night of 10,000 accounts takes 4 to 5 s of CPU less than with a transaction each. If any of the work fails, all of it is undone, and each
 * fiber's work gets a transaction of its own. Work that was interrupted before that is not done.
 */
const together = (
  path: string,
  alone: <A>(work: Work<A>) => A,
): (<A>(work: Work<A>) => Effect.Effect<A, SyncError>) => {
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
      all.length > 1
        ? Effect.runSyncExit(attempt(path, () => alone(() => all.map(({ inCommon }) => inCommon()))))
        : null
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
        byItself: () => resume(attempt(path, () => alone(work))),
      }
      // Other events that arrive in this turn of the event loop and the next one are handled before the commit.
      if (waiting.add(own).size === 1) setImmediate(() => setImmediate(commit))
      return Effect.sync(() => void waiting.delete(own))
    })
}

/** After how long without a change the file is brought up to date. */
const idleMillis = 1_000

/** The numeric value of a pragma. */
const pragma = (db: DatabaseSync, name: string): number =>
  Number(Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0])

/** Creates the tables of an empty file, or checks those of a mirror. Runs inside a transaction, so that two processes that begin at once create them once. */
const requireTables = (db: DatabaseSync, path: string, isReadOnly: boolean): void => {
  const found = pragma(db, "user_version")
  const id = pragma(db, "application_id")
  const isEmpty =
    id === 0 && found === 0 && db.prepare("select 1 from sqlite_schema limit 1").get() === undefined
  if (isEmpty ? isReadOnly : id !== applicationId) throw syncError({ _tag: "NotAMirror", path })
  if (isEmpty) {
    db.exec(withoutCasts(schemaIn(words)))
    db.exec(`pragma application_id = ${applicationId}; pragma user_version = ${schemaVersion}`)
    return
  }
  const refused = versionError(path, found)
  if (refused !== null) throw refused
  // This reads the schema, so it fails for a file that is damaged or whose tables are gone.
  for (const query of uses) db.prepare(query)
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

export interface SqliteOptions {
  /** The file; `:memory:` for a mirror that ends with the process. */
  readonly path: string
  /** Opens an existing mirror, and changes nothing. Default false: the mirror is created if it does not exist. */
  readonly isReadOnly?: boolean | undefined
  /** How long to wait while another process holds the lock, in milliseconds. Default 5,000. The event loop waits too. */
  readonly lockMillis?: number | undefined
}

/** A mirror in a file, and the connection to it. */
export interface SqliteDatabase extends Database {
  readonly db: DatabaseSync
}

/** Opens a mirror, and closes it with its scope. */
export const open = Effect.fnUntraced(function* ({
  isReadOnly = false,
  lockMillis = 5_000,
  path,
}: SqliteOptions): Effect.fn.Return<SqliteDatabase, SyncError, Scope.Scope> {
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
  const found = fileAt(path)
  const alone = transact(db, "begin immediate", () => {
    // What is written to a file that is gone is lost.
    if (fileAt(path) !== found) throw syncError({ _tag: "MirrorMoved", path })
  })
  const reading = transact(db, "begin", () => {})
  yield* attempt(path, () => {
    db.exec(`pragma busy_timeout = ${lockMillis}`)
    db.function("sha256", { deterministic: true }, (text) =>
      typeof text === "string" ? hash("sha256", text, "hex") : null,
    )
    ;(isReadOnly ? reading : alone)(() => requireTables(db, path, isReadOnly))
    // Only now is it known that the file is a mirror. Readers do not wait for a sync in this mode, and kill -9 loses nothing.
    if (!isReadOnly)
      db.exec(
        // 32 MB of 4 kB pages are copied into the file at a time instead of 4 MB: a nightly sync of many accounts touches the same pages again
        // and again.
        "pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 8000; pragma foreign_keys = on",
      )
  })
  // Once nothing has been written for a moment, the file itself holds everything: a plain copy of it is the mirror, also while it is open.
  const idle = setTimeout(() => {
    try {
      if (db.isOpen && !isReadOnly) db.exec("pragma wal_checkpoint(passive)")
    } catch {
      // Done after the next change, or when the file is closed.
    }
  }, idleMillis).unref()
  yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(idle)))
  const query = queryOn(db)
  const waiting = together(path, alone)
  /** The work of the store on the rows of an account, whose damage is then reported as that of the account. */
  const of =
    <A>(account: string | null, work: (query: Query) => Effect.Effect<A, unknown>): Work<A> =>
    () => {
      try {
        return resultOf(work(query))
      } catch (cause) {
        throw failed(path, cause, account)
      }
    }
  const write: Transact = (account, work) =>
    Effect.tap(waiting(of(account, work)), () => Effect.sync(() => idle.refresh()))
  const read: Transact = (account, work) => attempt(path, () => reading(of(account, work)))
  const damaged = (account: string): SyncError => syncError({ _tag: "AccountDamaged", path, account })
  return { db, words, read, write, damaged, compact: attempt(path, () => db.exec("vacuum")) }
})

/**
 * Opens a mirror in a SQLite file, and closes it with its scope. Fails with `NotAMirror` for any other file, `SchemaNewer` and `SchemaOlder` for the
 * file of another version, `SqliteMissing` on a Node without `node:sqlite`.
 */
export const sqliteStore = (options: SqliteOptions): Effect.Effect<MirrorStore, SyncError, Scope.Scope> =>
  Effect.map(open(options), sqlStore)
