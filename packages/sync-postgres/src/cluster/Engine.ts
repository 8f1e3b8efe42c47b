/**
 * What a queue needs from the engine, Effect Workflow on Effect Cluster, and the settings of the engine, whether its tables are in PostgreSQL or in
 * a SQLite file.
 */
import type { MirrorStore, SyncError } from "@deedkit/sync"
import type { MessageStorage } from "effect/cluster/MessageStorage"
import type { Sharding } from "effect/cluster/Sharding"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"

export type Services = MessageStorage | Sharding | SqlClient | WorkflowEngine

export interface Engine {
  /** Opens the mirror to be filled, and creates what the engine needs. */
  readonly store: (role: "client" | "worker") => Effect.Effect<MirrorStore, SyncError, Scope.Scope>
  /** The engine of a process that only stores work to be done. */
  readonly client: Layer.Layer<Services, SqlError | SyncError>
  /** The engine of a worker; `isNightly` says whether it queues the nights. */
  readonly worker: (isNightly: boolean) => Layer.Layer<Services, SqlError | SyncError>
  /** Fails with the reason of a mirror if the engine's database has failed, even if that failure is a defect. */
  readonly failing: <A, R>(
    effect: Effect.Effect<A, SqlError | SyncError, R>,
  ) => Effect.Effect<A, SyncError, R>
  /** The engine's table of that name, as an identifier of SQL. */
  readonly table: (name: "messages" | "replies") => string
}

/**
 * The shard group of workers that queue the nights. In the group of all workers, the schedule could be given to a worker that does not know it,
 * which would end the schedule.
 */
export const nightlyGroup = "nightly"

/** The groups of a worker. */
export const groupsOf = (isNightly: boolean): ReadonlyArray<string> => [
  "default",
  ...(isNightly ? [nightlyGroup] : []),
]

/** Settings of the engine where its defaults do not fit. Its leases keep their defaults. */
export const settings = {
  availableShardGroups: ["default", nightlyGroup],
  // Nothing notifies a worker of a new message, so it polls often.
  entityMessagePollInterval: "2 seconds",
  // Executions that are begun and wait for their turn take 70 kB each. The others stay in the table.
  maxResidentEntities: 1_000,
  unprocessedMessageBatchSize: 128,
  // A worker that ends has already waited for its reads. A read that moves to a worker that has just started is interrupted, and resumes there.
  entityTerminationTimeout: "1 second",
} as const
