/**
 * The services of the background, put together: those that all accounts share, which last as long as the background, and those of the account in
 * use, which are made anew for another account.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { firstAccount } from "../index/Database.ts"
import type { Database } from "../index/Database.ts"
import type * as Scope from "effect/Scope"
import { Changes } from "./browser/Changes.ts"
import { Connection } from "./connection/Connection.ts"
import { ConnectionTest } from "./connection/ConnectionTest.ts"
import { IndexSync } from "./sync/IndexSync.ts"
import { Keys } from "./accounts/KeyStore.ts"
import { ListingRequests } from "./requests/ListingRequests.ts"
import { TemporaryGrants } from "./sites/TemporaryGrants.ts"
import { PageRequests } from "./requests/PageRequests.ts"
import { Platform } from "./browser/Platform.ts"
import type { Service as PlatformService } from "./browser/Platform.ts"
import { Profiles } from "./accounts/Profile.ts"
import { Refresh } from "./sync/Refresh.ts"
import { Registry } from "./accounts/Registry.ts"
import { add } from "./Runtime.ts"
import { Schedule } from "./sync/Schedule.ts"
import { SetUp } from "./requests/SetUp.ts"
import { Sites } from "./sites/Sites.ts"
import { StateFeed } from "./requests/StateFeed.ts"
import { Account, Databases, Index, SharedStore, Store } from "./browser/Storage.ts"
import { LastFailure } from "./connection/LastFailure.ts"
import { TabQuota } from "./sites/TabQuota.ts"

/** The services of one account, together with those that all accounts share. */
export const ofAccount = (
  shared: Context.Context<SharedServices>,
  account: { readonly id: string },
  store: Database,
) =>
  Effect.succeed(shared.pipe(Context.add(Account, account), Context.add(Store, store))).pipe(
    Effect.flatMap(add(Index, Index.make)),
    Effect.flatMap(add(Keys, Keys.make)),
    Effect.flatMap(add(Profiles, Profiles.make)),
    Effect.flatMap(add(LastFailure, LastFailure.make)),
    Effect.flatMap(add(Connection, Connection.make)),
    Effect.flatMap(add(TemporaryGrants, TemporaryGrants.make)),
    Effect.flatMap(add(Sites, Sites.make)),
    Effect.flatMap(add(IndexSync, IndexSync.make)),
    Effect.flatMap(add(Refresh, Refresh.make)),
    Effect.flatMap(add(Schedule, Schedule.make)),
    Effect.flatMap(add(TabQuota, TabQuota.make)),
    Effect.flatMap(add(ConnectionTest, ConnectionTest.make)),
    Effect.flatMap(add(StateFeed, StateFeed.make)),
    Effect.flatMap(add(SetUp, SetUp.make)),
    Effect.flatMap(add(PageRequests, PageRequests.make)),
    Effect.flatMap(add(ListingRequests, ListingRequests.make)),
  )

type ContextOf<Made> =
  Made extends Effect.Effect<Context.Context<infer Services>, never, Scope.Scope> ? Services : never

/** The services that work for an account can use. */
export type AccountServices = ContextOf<ReturnType<typeof ofAccount>>

export interface Surroundings {
  readonly platform: PlatformService
  /** The database of an account, by the account's id. */
  readonly databaseOf: (account: string) => Database
  /** Default: the machine's. */
  readonly clock?: Clock.Clock
}

/** The services that all accounts share, together with their surroundings. */
export const shared = ({ clock, databaseOf, platform }: Surroundings) => {
  const given = Context.make(Platform, platform).pipe(
    Context.add(Databases, databaseOf),
    Context.add(SharedStore, databaseOf(firstAccount)),
    // No log: failures are shown to the user, and what is not logged cannot leak a secret.
    Context.add(Logger.CurrentLoggers, new Set()),
  )
  return Effect.succeed(clock === undefined ? given : Context.add(given, Clock.Clock, clock)).pipe(
    Effect.flatMap(add(Changes, Changes.make)),
    Effect.flatMap(add(Registry, Registry.make)),
  )
}

export type SharedServices = ContextOf<ReturnType<typeof shared>>
