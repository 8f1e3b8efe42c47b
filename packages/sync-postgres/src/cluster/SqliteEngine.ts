/**
 * Effect's cluster of one process, with its tables in a file beside the mirror. The process holds that file, so no lease has to expire before
 * another process continues its work.
 */
import { sqliteStore } from "@deedkit/sync"
import type { SyncError } from "@deedkit/sync"
import { openQueue, queueErrorOf, syncError } from "@deedkit/sync/store"
import type { QueueFile } from "@deedkit/sync/store"
import type { ConfigError } from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SingleRunner from "effect/cluster/SingleRunner"
import * as Digest from "effect/crypto/Digest"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { failingWith } from "../Connection.ts"
import type { Engine, Services } from "./Engine.ts"
import { groupsOf, settings } from "./Engine.ts"

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

/** Effect's SQL client for an open queue: one connection, which its transactions use one after the other. */
export const sqlClient = (file: QueueFile): Layer.Layer<SqlClient.SqlClient> =>
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

/** The mirror to be filled, in a file; its queue is in a file beside it. */
export interface FileQueue {
  /** The file of the mirror. */
  readonly path: string
}

/** Effect reads the environment here. None of its values is used, but an invalid one is refused. */
const refusedBy = ({ message }: ConfigError): SyncError =>
  syncError({ _tag: "VariableInvalid", problem: message.replaceAll(/\s+/g, " ") })

/** Gives all settings, because those left out would come from the environment. A process without an address takes nothing out of the queue. */
const layer = (
  { path }: FileQueue,
  own: Partial<ShardingConfig.ShardingConfig["Service"]>,
): Layer.Layer<Services, SyncError> =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(
      SingleRunner.layer({
        runnerStorage: "memory",
        shardingConfig: { ...ShardingConfig.defaults, ...settings, ...own },
      }).pipe(Layer.catchTag("ConfigError", (error) => Layer.effectContext(Effect.fail(refusedBy(error))))),
    ),
    Layer.provide(Digest.layerWebCrypto),
    Layer.provideMerge(Layer.unwrap(Effect.map(openQueue(path), sqlClient))),
  )

/** The engine of a mirror in a file. */
export const make = (options: FileQueue): Engine => ({
  store: () => sqliteStore(options),
  client: layer(options, { runnerAddress: Option.none(), assignedShardGroups: [] }),
  worker: (isNightly) => layer(options, { assignedShardGroups: groupsOf(isNightly) }),
  failing: failingWith(({ reason }) => queueErrorOf(options.path)(reason.cause)),
  table: (name) => `cluster_${name}`,
})
