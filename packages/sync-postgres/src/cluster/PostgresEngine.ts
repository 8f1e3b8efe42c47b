/**
 * Effect Cluster and Workflow over PostgreSQL alone: its tables are in a schema beside the mirror's, and it has connections of its own, because a
 * lease that has to wait for the work is lost. Workers do not talk to each other: each reads the messages that others have stored for it.
 */
import { hostname } from "node:os"
import * as PgClient from "@effect/sql-pg/PgClient"
import { textOf } from "@deedkit/sync/store"
import type { SyncError } from "@deedkit/sync"
import * as Digest from "effect/crypto/Digest"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
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
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { clientConfig } from "../Address.ts"
import { failingAt, open } from "../Connection.ts"
import type { PostgresOptions } from "../PostgresStore.ts"
import { postgresStore, quoted } from "../PostgresStore.ts"
import type { Engine, Services } from "./Engine.ts"
import { groupsOf, settings } from "./Engine.ts"

/** The mirror to be filled, in PostgreSQL; its queue is in the same database. */
export type ServerQueue = Pick<PostgresOptions, "password" | "schema" | "url" | "variables">

/** The schema of the engine's tables, for the mirror in a schema. */
const schemaOf = ({ schema = "deedkit" }: ServerQueue): string => `${schema}_queue`

/** The engine names its locks like its tables, so the names for two mirrors in one database must differ. */
const prefixOf = ({ schema = "deedkit" }: ServerQueue): string => schema

/** Creates the schema. Several processes that begin at once create it once. */
const prepare = (options: ServerQueue): Effect.Effect<void, SyncError> =>
  Effect.scoped(
    Effect.flatMap(open({ ...options, maxConnections: 1 }), ({ write }) =>
      write(null, (run) =>
        Effect.gen(function* () {
          const schema = schemaOf(options)
          const found = yield* run(
            "select nspname::text as name from pg_namespace where nspname = $1::text",
            schema,
          )
          // Asking for a schema that exists already needs a permission that the user may not have.
          if (found.every((row) => textOf(row["name"]) !== schema))
            yield* run(`create schema if not exists ${quoted(schema)}`)
        }),
      ),
    ),
  )

const database = (
  options: ServerQueue,
  maxConnections: number,
): Layer.Layer<SqlClient, SqlError | SyncError> =>
  PgClient.layerFrom(
    Effect.flatMap(clientConfig(options), (config) =>
      PgClient.make({
        applicationName: "deedkit queue",
        ...config,
        maxConnections,
        // Heartbeats are times without a zone: in a zone with summer time, they would be an hour off once a year.
        startupParameters: { search_path: quoted(schemaOf(options)), timezone: "UTC" },
      }),
    ),
  )

const layer = (
  options: ServerQueue,
  own: Pick<ShardingConfig.ShardingConfig["Service"], "assignedShardGroups" | "runnerAddress">,
  maxConnections: number,
): Layer.Layer<Services, SqlError | SyncError> => {
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

/** As long as the engine's leases: a worker that has lost an account holds no lock on it. */
const leaseSeconds = 35

/**
 * The engine of a mirror in PostgreSQL. The address of a worker is only a name: nothing connects to it. A worker that is started again has another
 * one.
 */
export const make = (options: ServerQueue): Engine => ({
  store: (role) =>
    Effect.tap(
      postgresStore({
        ...options,
        ...(role === "worker" ? { idleTransactionSeconds: leaseSeconds } : {}),
      }),
      () => prepare(options),
    ),
  client: layer(options, { runnerAddress: Option.none(), assignedShardGroups: [] }, 4),
  worker: (isNightly) =>
    layer(
      options,
      {
        runnerAddress: Option.some(RunnerAddress.make(`${hostname()}/${crypto.randomUUID()}`, process.pid)),
        assignedShardGroups: groupsOf(isNightly),
      },
      6,
    ),
  failing: failingAt(options.url),
  table: (name) => quoted(`${prefixOf(options)}_${name}`),
})
