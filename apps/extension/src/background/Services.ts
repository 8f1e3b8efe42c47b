/**
 * The services of the background, put together: those that all accounts share, which last as long as the background, and those of the account in
 * use, which are made anew with another account and are gone while it is locked.
 */
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"
import { firstAccount } from "../index/Database.ts"
import type { Database } from "../index/Database.ts"
import { ApiKeyList } from "./sync/ApiKeyList.ts"
import { Changes } from "./browser/Changes.ts"
import { Connection } from "./connection/Connection.ts"
import { ConnectionTest } from "./connection/ConnectionTest.ts"
import { IndexSync } from "./sync/IndexSync.ts"
import { KeyRing } from "./accounts/KeyRing.ts"
import { Keys } from "./accounts/KeyStore.ts"
import { ListingRequests } from "./requests/ListingRequests.ts"
import { Lock } from "./lock/Lock.ts"
import { TemporaryGrants } from "./sites/TemporaryGrants.ts"
import { PageRequests } from "./requests/PageRequests.ts"
import { Platform } from "./browser/Platform.ts"
import type { Service as PlatformService } from "./browser/Platform.ts"
import { Profiles } from "./accounts/Profile.ts"
import { Refresh } from "./sync/Refresh.ts"
import { Registry } from "./accounts/Registry.ts"
import { SetUp } from "./requests/SetUp.ts"
import { Sites } from "./sites/Sites.ts"
import { StateFeed } from "./requests/StateFeed.ts"
import { Databases, Index, SharedStore } from "./browser/Storage.ts"
import { LastFailure } from "./connection/LastFailure.ts"
import { TabQuota } from "./sites/TabQuota.ts"

/** Everything of one account. */
export const ofAccount = ListingRequests.layer.pipe(
  Layer.provideMerge(PageRequests.layer),
  Layer.provideMerge(Layer.mergeAll(TabQuota.layer, ConnectionTest.layer, StateFeed.layer, SetUp.layer)),
  Layer.provideMerge(Layer.mergeAll(IndexSync.layer, Refresh.layer, ApiKeyList.layer)),
  Layer.provideMerge(Layer.mergeAll(Connection.layer, TemporaryGrants.layer, Sites.layer)),
  Layer.provideMerge(Layer.mergeAll(Keys.layer, Profiles.layer, LastFailure.layer)),
  Layer.provideMerge(Index.layer),
)

/** What can be asked of an account. */
export type AccountServices = Layer.Success<typeof ofAccount>

export interface Surroundings {
  readonly platform: PlatformService
  /** The database of an account, by the account's id. */
  readonly databaseOf: (account: string) => Database
  /** Default: the machine's. */
  readonly clock?: Clock.Clock
}

/** Everything that all accounts share, with what surrounds it. */
export const shared = ({ clock, databaseOf, platform }: Surroundings) => {
  const given = Layer.mergeAll(
    Layer.succeed(Platform, platform),
    Layer.succeed(Databases, databaseOf),
    Layer.succeed(SharedStore, databaseOf(firstAccount)),
    Changes.layer,
  )
  const base = clock === undefined ? given : Layer.mergeAll(given, Layer.succeed(Clock.Clock, clock))
  return KeyRing.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Registry.layer, Lock.layer)),
    Layer.provideMerge(base),
  )
}

export type SharedServices = Layer.Success<ReturnType<typeof shared>>
