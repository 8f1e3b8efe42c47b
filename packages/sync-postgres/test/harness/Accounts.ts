/** Accounts on the emulator, in process, and their syncs into any store. */
import { PropertyClient, Transport } from "@deedkit/core"
import type { Emulator } from "@deedkit/emulator"
import type { ClientError } from "@deedkit/core"
import type { MirrorStore, RunRow, SyncError, SyncOptions } from "@deedkit/sync"
import { syncAccount } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import { postgresStore } from "../../src/index.ts"
import type { PostgresOptions } from "../../src/index.ts"

export interface Account {
  readonly name: string
  readonly apiKey: string
  readonly fetch: Transport.Fetch
}

export const accountOf = (name: string, { apiKey, fetch }: Emulator): Account => ({ name, apiKey, fetch })

/** Syncs one account into a store. */
export const syncInto = (
  store: MirrorStore,
  { apiKey, fetch, name }: Account,
  more: Partial<SyncOptions> = {},
): Effect.Effect<ReadonlyArray<RunRow>, SyncError | ClientError.ClientError> =>
  Effect.flatMap(
    PropertyClient.make({
      baseUrl: `https://${name.replaceAll(/\W/g, "")}.example.test`,
      apiKey,
      rate: 0,
      retry: { attempts: 1 },
    }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(fetch))),
    (client) => syncAccount({ store, client, account: name, pageSize: 10, ...more }),
  )

/** Opens the mirror in PostgreSQL, uses it and closes it. */
export const using = <A, E>(
  options: PostgresOptions,
  work: (store: MirrorStore) => Effect.Effect<A, E>,
): Promise<A> => Effect.runPromise(Effect.scoped(Effect.flatMap(postgresStore(options), work)))

/** The error of the same. */
export const failing = <A, E>(
  options: PostgresOptions,
  work: (store: MirrorStore) => Effect.Effect<A, E>,
): Promise<E | SyncError> =>
  Effect.runPromise(Effect.flip(Effect.scoped(Effect.flatMap(postgresStore(options), work))))
