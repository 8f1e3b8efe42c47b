/**
 * The services of the background, put together: those that all accounts share, which last as long as the background, and those of the account in
 * use, which are made anew with another account and are gone while it is locked.
 */
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"
import { firstAccount } from "../index/Database.ts"
import type { Database } from "../index/Database.ts"
import { ApiKeyList } from "./ApiKeyList.ts"
import { Changes } from "./Changes.ts"
import { Connection } from "./Connection.ts"
import { ConnectionTest } from "./ConnectionTest.ts"
import { IndexWalk } from "./IndexWalk.ts"
import { KeyRing } from "./KeyRing.ts"
import { Keys } from "./KeyStore.ts"
import { ListingRequests } from "./ListingRequests.ts"
import { Lock } from "./Lock.ts"
import { OncePages } from "./OncePages.ts"
import { PageRequests } from "./PageRequests.ts"
import { Platform } from "./Platform.ts"
import type { Service as PlatformService } from "./Platform.ts"
import { Profiles } from "./Profile.ts"
import { Refresh } from "./Refresh.ts"
import { Registry } from "./Registry.ts"
import { SetUp } from "./SetUp.ts"
import { Sites } from "./Sites.ts"
import { StateFeed } from "./StateFeed.ts"
import { Databases, Index, SharedStore } from "./Storage.ts"
import { Troubles } from "./Trouble.ts"
import { Visitors } from "./Visitors.ts"

/** Everything of one account. */
export const ofAccount = ListingRequests.layer.pipe(
  Layer.provideMerge(PageRequests.layer),
  Layer.provideMerge(Layer.mergeAll(Visitors.layer, ConnectionTest.layer, StateFeed.layer, SetUp.layer)),
  Layer.provideMerge(Layer.mergeAll(IndexWalk.layer, Refresh.layer, ApiKeyList.layer)),
  Layer.provideMerge(Layer.mergeAll(Connection.layer, OncePages.layer, Sites.layer)),
  Layer.provideMerge(Layer.mergeAll(Keys.layer, Profiles.layer, Troubles.layer)),
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
  const base = clock === undefined ? given : Layer.merge(given, Layer.succeed(Clock.Clock, clock))
  return KeyRing.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Registry.layer, Lock.layer)),
    Layer.provideMerge(base),
  )
}

export type SharedServices = Layer.Success<ReturnType<typeof shared>>
