/**
 * The state that the pages show, put together from the services that know its parts. It is given on request, and sent to watchers whenever a
 * part of it has changed; changes that come together are sent once.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AppState, IndexState, ConnectionState } from "../../messages/AppState.ts"
import { Connection, originOfAddress } from "../connection/Connection.ts"
import { IndexSync } from "../sync/IndexSync.ts"
import { completeMinutes, Schedule } from "../sync/Schedule.ts"
import { Keys } from "../accounts/KeyStore.ts"
import { Profiles } from "../accounts/Profile.ts"
import { Registry } from "../accounts/Registry.ts"
import { Sites } from "../sites/Sites.ts"
import { Account, Index } from "../browser/Storage.ts"
import { LastFailure } from "../connection/LastFailure.ts"

export interface Service {
  readonly state: Effect.Effect<AppState>
}

/** Age at which the index is called stale when syncs are only started by hand. */
const manualMinutes = 24 * 60

const make = Effect.gen(function* () {
  const profiles = yield* Profiles
  const keys = yield* Keys
  const connection = yield* Connection
  const lastFailure = yield* LastFailure
  const sync = yield* IndexSync
  const schedule = yield* Schedule
  const index = yield* Index
  const sites = yield* Sites
  const registry = yield* Registry
  const { id } = yield* Account

  const connectionState: Effect.Effect<ConnectionState> = Effect.gen(function* () {
    return (yield* connection.missing) ?? (yield* lastFailure.get) ?? { _tag: "Ready" }
  })
  return StateFeed.of({
    state: Effect.gen(function* () {
      const { baseUrl, cursorParam, settings } = yield* profiles.get
      const stored = baseUrl === null ? null : yield* keys.get(originOfAddress(baseUrl))
      // Read before the index, so that a sync that has ended before this is in it.
      const syncState = yield* sync.state
      const meta = yield* Effect.promise(() => index.meta())
      const { completedAt, contracts, head, listings, rejected, smaller } = meta
      const minutes = completeMinutes(meta, settings.refreshMinutes ?? manualMinutes)
      const now = yield* Clock.currentTimeMillis
      const indexState: IndexState = {
        contracts,
        listings,
        completedAt,
        isStale: completedAt !== null && now - Date.parse(completedAt) > 2 * minutes * 60_000,
        rejected,
        head: head === undefined ? null : { order: head.order, readAt: head.readAt },
        smaller:
          smaller === undefined || smaller.isUsed ? null : { id: smaller.id, contracts: smaller.contracts },
      }
      const { accounts } = yield* registry.get
      return {
        accounts: accounts.map((account) => {
          const { cursorParam: _, ...shown } = account
          return shown
        }),
        account: id,
        baseUrl,
        keyHint: stored === null ? null : (stored.hint ?? "····"),
        connection: yield* connectionState,
        sync: syncState,
        index: indexState,
        watched: yield* Effect.promise(index.watched),
        next: yield* schedule.next,
        sites: yield* sites.all,
        settings,
        cursorParam,
      }
    }),
  })
})

export class StateFeed extends Context.Service<StateFeed, Service>()("@deedkit/extension/StateFeed") {
  static readonly make = make
}
