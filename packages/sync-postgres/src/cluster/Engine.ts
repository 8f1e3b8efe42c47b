/**
 * Effect Cluster and Workflow over PostgreSQL alone: its tables are in a schema beside the mirror's, and it has connections of its own, because a
 * lease that waits behind the work is lost. Workers do not talk to each other: a message that one stores is read by the one that it is for.
 */
import { hostname } from "node:os"
import * as PgClient from "@effect/sql-pg/PgClient"
import { textOf } from "@deedkit/sync/store"
import type { SyncError } from "@deedkit/sync"
import * as Digest from "effect/crypto/Digest"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import type { MessageStorage } from "effect/cluster/MessageStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SqlMessageStorage from "effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import { open } from "../Connection.ts"
import type { PostgresOptions } from "../PostgresStore.ts"
import { quoted } from "../Schema.ts"

/** Where the mirror is that is filled; its queue is in the same database. */
export type QueueOptions = Pick<PostgresOptions, "password" | "schema" | "url">

export type Services = MessageStorage | Sharding.Sharding | SqlClient | WorkflowEngine

/** The schema of the engine's tables, for the mirror in a schema. */
export const schemaOf = ({ schema = "deedkit" }: QueueOptions): string => `${schema}_queue`

/** The engine's table of that name. It names its locks as its tables, so those of two mirrors of one database must differ. */
export const tableOf = (options: QueueOptions, name: "messages" | "replies" | "runners"): string =>
  quoted(`${prefixOf(options)}_${name}`)

const prefixOf = ({ schema = "deedkit" }: QueueOptions): string => schema

/** Makes the schema. Several processes that begin at once make it once. */
export const prepare = (options: QueueOptions): Effect.Effect<void, SyncError> =>
  Effect.scoped(
    Effect.flatMap(
      open({ url: options.url, password: options.password, maxConnections: 1 }),
      ({ transact }) =>
        transact((run) =>
          Effect.gen(function* () {
            const schema = schemaOf(options)
            const found = yield* run(
              "select nspname::text as name from pg_namespace where nspname = $1::text",
              schema,
            )
            // To ask for it where it is there takes a permission that the user may not have.
            if (found.every((row) => textOf(row["name"]) !== schema))
              yield* run(`create schema if not exists ${quoted(schema)}`)
          }),
        ),
    ),
  )

const database = (options: QueueOptions, maxConnections: number): Layer.Layer<SqlClient, SqlError> =>
  PgClient.layerFrom(
    PgClient.make({
      url: Redacted.make(options.url),
      ...(options.password === undefined ? {} : { password: options.password }),
      maxConnections,
      applicationName: "deedkit queue",
      connectTimeout: "10 seconds",
      // Heartbeats are times without a zone: in one with summer time they would be an hour off once a year.
      startupParameters: { search_path: quoted(schemaOf(options)), timezone: "UTC" },
    }),
  )

/**
 * The group of shards of workers that queue the nights. In the group of all workers, the schedule could be given to one that does not know it, which
 * would end it.
 */
export const nightlyGroup = "nightly"

/** How the engine is set where its defaults do not fit. Its leases are left as they are. */
const settings = {
  availableShardGroups: ["default", nightlyGroup],
  // Nobody tells a worker of a new message, so it looks often.
  entityMessagePollInterval: "2 seconds",
  // Executions that are begun and wait for their turn take 70 kB each. The others stay in the table.
  maxResidentEntities: 1_000,
  unprocessedMessageBatchSize: 128,
  // A worker that ends has waited for its reads already; what is left here has not begun.
  entityTerminationTimeout: "1 second",
} as const

const layer = (
  options: QueueOptions,
  own: Pick<ShardingConfig.ShardingConfig["Service"], "assignedShardGroups" | "runnerAddress">,
  maxConnections: number,
): Layer.Layer<Services, SqlError> => {
  const prefix = prefixOf(options)
  return ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(Sharding.layer),
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(SqlMessageStorage.layerWith({ prefix })),
    Layer.provide([SqlRunnerStorage.layerWith({ prefix }), RunnerHealth.layerNoop]),
    Layer.provide(ShardingConfig.layer({ ...settings, ...own })),
    Layer.provide(Digest.layerWebCrypto),
    Layer.provideMerge(database(options, maxConnections)),
  )
}

/** The engine of a process that only stores what is to be done. */
export const layerClient = (options: QueueOptions): Layer.Layer<Services, SqlError> =>
  layer(options, { runnerAddress: Option.none(), assignedShardGroups: [] }, 4)

/** The engine of a worker. Its address is a name and no place: nobody connects to it. A worker that is started again has another one. */
export const layerWorker = (
  options: QueueOptions,
  { isNightly }: { readonly isNightly: boolean },
): Layer.Layer<Services, SqlError> =>
  layer(
    options,
    {
      runnerAddress: Option.some(RunnerAddress.make(`${hostname()}/${crypto.randomUUID()}`, process.pid)),
      assignedShardGroups: ["default", ...(isNightly ? [nightlyGroup] : [])],
    },
    6,
  )
