/** Effect's SQL client for the queue of a mirror in a file: one connection, which its transactions use one after the other. */
import type { QueueFile } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"

type Parameter = Parameters<QueueFile["all"]>[1][number]

/** SQLite has no booleans. */
const parameterOf = (value: unknown): Parameter =>
  typeof value === "boolean" ? Number(value) : (value as Parameter)

const connectionOf = (file: QueueFile): Connection => {
  const run = (statement: string, parameters: ReadonlyArray<unknown>, areArrays: boolean) =>
    Effect.flatMap(SqlClient.SafeIntegers, (areBigInts) =>
      Effect.try({
        try: () => file.all(statement, parameters.map(parameterOf), { areArrays, areBigInts }),
        catch: (cause) =>
          new SqlError({ reason: new UnknownError({ cause, message: String(cause), operation: "execute" }) }),
      }),
    )
  const execute: Connection["execute"] = (statement, parameters, transform) =>
    Effect.map(run(statement, parameters, false), (rows) => transform?.(rows) ?? rows)
  const values: Connection["executeValues"] = (statement, parameters) =>
    Effect.map(run(statement, parameters, true), (rows) => rows as ReadonlyArray<ReadonlyArray<unknown>>)
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (statement, parameters) => run(statement, parameters, false),
    executeStream: (statement, parameters, transform) =>
      Stream.fromIterableEffect(execute(statement, parameters, transform)),
    executeValues: values,
    executeValuesUnprepared: values,
  }
}

/** The client of an open queue. */
export const layer = (file: QueueFile): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.suspend(() =>
      SqlClient.make({
        ...SqlClient.makeSqliteAcquirers({
          connection: Effect.succeed(connectionOf(file)),
          semaphore: Semaphore.makeUnsafe(1),
          isTransaction: file.isInTransaction,
        }),
        compiler: Statement.makeCompilerSqlite(),
        driver: "node:sqlite",
        spanAttributes: [],
        releaseSavepoint: (name) => `release savepoint ${name}`,
      }),
    ),
  ).pipe(Layer.provide(Reactivity.layer))
