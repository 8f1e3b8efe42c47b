/**
 * Effect's cluster of one process, with its tables in a file beside the mirror. The process holds that file, so no lease has to expire before
 * another process continues its work.
 */
import { sqliteStore } from "@deedkit/sync"
import type { SyncError } from "@deedkit/sync"
import { openQueue, queueErrorOf, syncError } from "@deedkit/sync/store"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SingleRunner from "effect/cluster/SingleRunner"
import type { ConfigError } from "effect/Config"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { failingWith } from "../Connection.ts"
import type { Engine, Services } from "./Engine.ts"
import { groupsOf, settings } from "./Engine.ts"
import * as SqliteClient from "./SqliteClient.ts"

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
    Layer.provideMerge(Layer.unwrap(Effect.map(openQueue(path), SqliteClient.layer))),
  )

/** The engine of a mirror in a file. */
export const make = (options: FileQueue): Engine => ({
  store: () => sqliteStore(options),
  client: layer(options, { runnerAddress: Option.none(), assignedShardGroups: [] }),
  worker: (isNightly) => layer(options, { assignedShardGroups: groupsOf(isNightly) }),
  failing: failingWith(({ reason }) => queueErrorOf(options.path)(reason.cause)),
  table: (name) => `cluster_${name}`,
})
