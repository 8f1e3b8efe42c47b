/**
 * What a queue needs of the engine, Effect Workflow on Effect Cluster, and how it is set, whether its tables are in PostgreSQL or in a SQLite file.
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
  /** Opens the mirror that is filled, and makes what the engine needs. */
  readonly store: (role: "client" | "worker") => Effect.Effect<MirrorStore, SyncError, Scope.Scope>
  /** The engine of a process that only stores what is to be done. */
  readonly client: Layer.Layer<Services, SqlError | SyncError>
  /** The engine of a worker, which queues the nights or not. */
  readonly worker: (isNightly: boolean) => Layer.Layer<Services, SqlError | SyncError>
  /** Fails with the reason of a mirror where the engine's database has failed, also where that is a defect. */
  readonly failing: <A, R>(
    effect: Effect.Effect<A, SqlError | SyncError, R>,
  ) => Effect.Effect<A, SyncError, R>
  /** The engine's table of that name, as an identifier of SQL. */
  readonly table: (name: "messages" | "replies") => string
}

/**
 * The group of shards of workers that queue the nights. In the group of all workers, the schedule could be given to one that does not know it, which
 * would end it.
 */
export const nightlyGroup = "nightly"

/** The groups of a worker. */
export const groupsOf = (isNightly: boolean): ReadonlyArray<string> => [
  "default",
  ...(isNightly ? [nightlyGroup] : []),
]

/** How the engine is set where its defaults do not fit. Its leases are left as they are. */
export const settings = {
  availableShardGroups: ["default", nightlyGroup],
  // Nobody tells a worker of a new message, so it looks often.
  entityMessagePollInterval: "2 seconds",
  // Executions that are begun and wait for their turn take 70 kB each. The others stay in the table.
  maxResidentEntities: 1_000,
  unprocessedMessageBatchSize: 128,
  // A worker that ends has waited for its reads already. A read that goes to a worker that has just started is cut off, and resumes there.
  entityTerminationTimeout: "1 second",
} as const
