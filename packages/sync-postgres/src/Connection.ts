/**
 * Connections to PostgreSQL, transactions on them, and its errors as reasons of a mirror. No reason holds a password: the server is named by host,
 * port and database.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { syncError } from "@deedkit/sync/store"
import type {
  Database,
  Row,
  RowsStatement,
  Query,
  StatementError,
  Transact,
  Value,
} from "@deedkit/sync/store"
import { SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as SqlErrors from "effect/sql/SqlError"
import type { SqlError, SqlErrorReason } from "effect/sql/SqlError"
import type { ServerOptions } from "./Address.ts"
import { clientConfig, queryOf } from "./Address.ts"

/** Where the mirror is. */
export interface Server extends ServerOptions {
  /** The largest number of connections. */
  readonly maxConnections: number
  /** Seconds after which the server undoes an idle transaction. Default: the server's own setting. */
  readonly idleTransactionSeconds?: number | undefined
}

export interface Connection extends Omit<Database, "words"> {
  /** The server without its password, for errors. */
  readonly name: string
}

/** Largest message of the server. A record with its payload is one message, and can be larger than this client's default of 16 MiB. */
const mostMessageBytes = 128 * 1_024 * 1_024

/** Transactions that a lock, another transaction or a unique key has ended can succeed when they are run again. */
const endedByOther: ReadonlySet<SqlError["reason"]["_tag"]> = new Set([
  "DeadlockError",
  "SerializationError",
  "UniqueViolation",
])
const attempts = 6

/** The server has ended the connection: a time limit of an idle transaction, an administrator, a crash or a shutdown. */
const endedConnection: ReadonlySet<string> = new Set(["25P03", "57P01", "57P02", "57P03"])

/** A schema, table or column is missing, or the server reports that its files are damaged. The statements match the tables of a mirror. */
const damagedCodes: ReadonlySet<string> = new Set(["3F000", "42P01", "42703", "XX001", "XX002"])

/** The address of a server without user and password, with what variables say in its place. A text that is not a URL is not shown. */
const nameOf = ({ url, variables = {} }: ServerOptions): string => {
  if (!URL.canParse(url)) return "PostgreSQL"
  const address = new URL(url)
  const { host, pathname } = address
  const path = pathname.length > 1 ? pathname : `/${variables["PGDATABASE"] ?? ""}`
  return `postgres://${queryOf(address).get("host") || host || variables["PGHOST"] || "localhost"}${path}`
}

const codeOf = (cause: unknown): string | null =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : typeof cause === "object" && cause !== null && "cause" in cause
      ? codeOf(cause.cause)
      : null

/** Rows that a sync has not written count as damage of their account, if they belong to one. */
const damaged = (path: string, account: string | null): SyncError =>
  syncError(account === null ? { _tag: "MirrorDamaged", path } : { _tag: "AccountDamaged", path, account })

/** A row that the tables refuse, such as a version that already exists, or a number that is out of range for its column. */
const isOfRows = (code: string | null): boolean => code !== null && (/^23...$/.test(code) || code === "22003")

/** Codes of a certificate that is not trusted, expired, or for another name. */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/

/** The first line of an error of the server or the platform, for classes of errors whose line holds no value of a record. Null without a code. */
const lineOf = (code: string | null, cause: unknown): string | null => {
  if (code === null) return null
  const [line = ""] = cause instanceof Error && !/^2[23]/.test(code) ? cause.message.split("\n") : []
  // The platform's lines name its call, and repeat the code.
  return line === "" || /^E[A-Z]/.test(code) ? code : `${line.slice(0, 200)} (${code})`
}

const unconnected = (
  path: string,
  code: string | null,
  { cause, message }: Pick<SqlErrorReason, "cause" | "message">,
): SyncError =>
  code !== null && certificateCode.test(code)
    ? syncError({ _tag: "CertificateUntrusted", path, code })
    : message.includes("refused TLS")
      ? syncError({ _tag: "TlsMissing", path })
      : syncError({
          _tag: "MirrorUnreachable",
          path,
          code,
          // Where neither the server nor the platform says why, the client does: its peer may be no PostgreSQL.
          problem: lineOf(code, cause) ?? message.replace("PgConnection: ", "").toLowerCase(),
        })

/** An error of the database as a reason. Its text is PostgreSQL's own first line: it may name a table, and holds no parameter. */
const failed =
  (name: string, account: string | null) =>
  ({ reason }: SqlError): SyncError => {
    const code = codeOf(reason.cause)
    const problem = lineOf(code, reason.cause)
    if (account !== null && isOfRows(code)) return damaged(name, account)
    switch (reason._tag) {
      case "AuthenticationError":
        return syncError({ _tag: "MirrorRefused", path: name, problem })
      case "AuthorizationError":
        return syncError({ _tag: "MirrorReadOnly", path: name, problem })
      case "LockTimeoutError":
        return syncError(
          account === null
            ? { _tag: "MirrorLocked", path: name }
            : { _tag: "AccountLocked", path: name, account },
        )
      case "ConnectionError":
        return unconnected(name, code, reason)
      default:
        break
    }
    if (code === "53100") return syncError({ _tag: "DiskFull", path: name })
    if (code === "3D000") return syncError({ _tag: "DatabaseMissing", path: name })
    if (code !== null && damagedCodes.has(code)) return damaged(name, null)
    // The server has ended the connection, or takes no more connections.
    if (code !== null && (endedConnection.has(code) || code === "53300"))
      return syncError({ _tag: "MirrorUnreachable", path: name, code, problem })
    return syncError({ _tag: "DatabaseFailed", path: name, code, problem: problem ?? reason._tag })
  }

/** An error of another client of the same server as a reason. */
export const thrown = (server: ServerOptions, cause: unknown): SyncError => {
  if (cause instanceof SyncError) return cause
  const path = nameOf(server)
  const code = codeOf(cause)
  const problem = lineOf(code, cause)
  if (code === "42501") return syncError({ _tag: "MirrorReadOnly", path, problem })
  if (code !== null && code.startsWith("28")) return syncError({ _tag: "MirrorRefused", path, problem })
  if (code === null || /^(?:E[A-Z]|08|57P|53300|25P03)/.test(code))
    return syncError({ _tag: "MirrorUnreachable", path, code, problem })
  return syncError({ _tag: "DatabaseFailed", path, code, problem: problem ?? code })
}

type Failure = StatementError | SyncError

/** Every error of a statement is one of Effect's client. */
const isSqlError = (error: Failure): error is SqlError => SqlErrors.isSqlError(error)

/** The error of the database or the mirror in a defect: the defect itself, or its cause. */
const errorIn = (defect: unknown): Failure | null =>
  SqlErrors.isSqlError(defect) || defect instanceof SyncError
    ? defect
    : defect instanceof Error && defect.cause !== undefined
      ? errorIn(defect.cause)
      : null

/** Fails where a transaction has failed with a defect: after a lost connection, undoing it fails too. */
const withoutDefects =
  (name: string, account: string | null) =>
  <A>(work: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> =>
    Effect.catchCause(work, (cause) => {
      const errors = cause.reasons.map((reason) => {
        if (reason._tag !== "Die") return reason._tag === "Fail" ? reason.error : null
        // A text of the mirror that is not JSON, although it was written as JSON.
        return reason.defect instanceof SyntaxError ? damaged(name, account) : errorIn(reason.defect)
      })
      const error = errors.find((each) => each !== null)
      return error === undefined ? Effect.failCause(cause) : Effect.fail(error)
    })

/** Opens a pool of connections, which closes with its scope. Connects when the first statement needs it. */
export const open = ({
  idleTransactionSeconds,
  maxConnections,
  ...server
}: Server): Effect.Effect<Connection, SyncError, Scope.Scope> => {
  const name = nameOf(server)
  const connected = (config: PgClient.PgPoolConfig) =>
    PgClient.make({
      applicationName: "deedkit",
      ...config,
      maxConnections,
      maxMessageSize: mostMessageBytes,
    }).pipe(Effect.provide(Reactivity.layer), Effect.mapError(failed(name, null)))
  return clientConfig(server).pipe(
    Effect.flatMap(connected),
    Effect.map((sql): Connection => {
      const all = (statement: string, ...parameters: ReadonlyArray<string | number | null>) =>
        sql.unsafe<Row>(statement, parameters)
      const query: Query = Object.assign(all, {
        each: (
          { columns, text }: RowsStatement,
          rows: ReadonlyArray<ReadonlyArray<Value>>,
          ...parameters: ReadonlyArray<string | number | null>
        ) => {
          const named = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
          return Effect.asVoid(all(text, ...parameters, JSON.stringify(named)))
        },
      })
      // Said in each transaction, because a pooler refuses it when it is connected to.
      const limited = <A, E>(work: Effect.Effect<A, E>) =>
        idleTransactionSeconds === undefined
          ? work
          : Effect.andThen(
              all(`set local idle_in_transaction_session_timeout = '${idleTransactionSeconds}s'`),
              work,
            )
      // A server or a user can be set to a stricter isolation than PostgreSQL's own, in which transactions end each other, and a standby runs none.
      let isStrict = false
      const isolated = <A, E>(work: Effect.Effect<A, E>) =>
        Effect.suspend(() =>
          isStrict
            ? Effect.andThen(all("set transaction isolation level read committed"), limited(work))
            : limited(work),
        )
      let isConnected = false
      const write: Transact = (account, work) =>
        Effect.suspend(() => {
          const once = withoutDefects(name, account)(sql.withTransaction(isolated(work(query))))
          let isLost = false
          const repeats = (error: Failure): boolean => {
            if (!isSqlError(error)) return false
            const code = codeOf(error.reason.cause)
            const isStricter = error.reason._tag === "SerializationError" || code === "0A000"
            if (isStricter && !isStrict) {
              isStrict = true
              return true
            }
            // PostgreSQL has ended the transaction in favour of another one.
            if (endedByOther.has(error.reason._tag)) return true
            const isEnded =
              error.reason._tag === "ConnectionError" || (code !== null && endedConnection.has(code))
            // A server that was reached before is tried once more, on another connection.
            const isRepeated = isEnded && isConnected && !isLost
            isLost ||= isEnded
            return isRepeated
          }
          return once.pipe(
            Effect.retry({
              times: attempts - 1,
              schedule: Schedule.jittered(Schedule.exponential("20 millis")),
              while: repeats,
            }),
            Effect.mapError((error) =>
              isSqlError(error) ? failed(name, account)(error) : (error as SyncError),
            ),
            Effect.tap(() =>
              Effect.sync(() => {
                isConnected = true
              }),
            ),
          )
        })
      const read: Transact = (account, work) =>
        write(account, (inside) =>
          Effect.andThen(inside("set transaction isolation level repeatable read, read only"), work(inside)),
        )
      return { name, read, write, damaged: (account) => damaged(name, account), compact: Effect.void }
    }),
  )
}
