/**
 * The services of the background: those that all accounts share, which last as long as the background, and those of the account in use, which are
 * made anew for another account.
 */
import * as Clock from "effect/Clock"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { Database } from "../index/Database.ts"
import { Account, Index } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import { Platform, Changes, Databases } from "./Platform.ts"
import type { Service as PlatformService } from "./Platform.ts"
import { Refresh } from "./Refresh.ts"
import { Schedule } from "./Schedule.ts"
import { ServiceClient } from "./ServiceClient.ts"
import { Sites } from "./Sites.ts"
import { Sync } from "./Sync.ts"
import { TabQuota } from "./ListingRequests.ts"
import type * as Effect from "effect/Effect"

export interface Surroundings {
  readonly platform: PlatformService
  /** The database of an account, by the account's id. */
  readonly databaseOf: (account: string) => Database
  /** Default: the machine's. */
  readonly clock?: Clock.Clock
}

export const shared = ({ clock, databaseOf, platform }: Surroundings) =>
  Accounts.layer.pipe(
    Layer.provideMerge(Changes.layer),
    Layer.provideMerge(Layer.succeed(Databases, { databaseOf })),
    Layer.provideMerge(Layer.succeed(Platform, platform)),
    // No log: failures are shown to the user, and what is not logged cannot leak a secret.
    Layer.provideMerge(Layer.succeed(Logger.CurrentLoggers, new Set())),
    Layer.provideMerge(clock === undefined ? Layer.empty : Layer.succeed(Clock.Clock, clock)),
  )

export type SharedServices = Layer.Success<ReturnType<typeof shared>>

export const ofAccount = (id: string) =>
  Schedule.layer.pipe(
    Layer.provideMerge(Refresh.layer),
    Layer.provideMerge(Sync.layer),
    Layer.provideMerge(Sites.layer),
    Layer.provideMerge(TabQuota.layer),
    Layer.provideMerge(ServiceClient.layer),
    Layer.provideMerge(Index.layer),
    Layer.provideMerge(Account.layer(id)),
  )

/** The services that work for an account can use. */
export type AccountServices = SharedServices | Layer.Success<ReturnType<typeof ofAccount>>

/** Work for the account in use. */
export type Work<A> = Effect.Effect<A, never, AccountServices>
