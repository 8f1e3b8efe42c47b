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
import { TabQuota } from "./TabQuota.ts"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Semaphore from "effect/Semaphore"

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

const ofAccount = (id: string) =>
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

export interface OpenAccount {
  /** Undefined if the account was closed meanwhile. */
  readonly run: <A>(work: Work<A>) => Promise<A | undefined>
  /** Closes the account, does the work while none is open, and lets the next use open it anew. */
  readonly change: <A>(work: () => Promise<A>) => Promise<A>
  /** Runs work in the account after all other work in it has ended, and closes the account. */
  readonly runLast: (work: Work<void>) => Promise<void>
  readonly close: () => Promise<void>
}

export const openAccount = (shared: ManagedRuntime.ManagedRuntime<SharedServices, never>): OpenAccount => {
  let current: ManagedRuntime.ManagedRuntime<AccountServices, never> | null = null
  const oneAtATime = Semaphore.makeUnsafe(1)

  const inTurn = <A>(work: () => Promise<A>): Promise<A> =>
    Effect.runPromise(oneAtATime.withPermit(Effect.promise(work)))
  const open = async () => {
    const { current: id } = await shared.runPromise(Accounts.use(({ list }) => list))
    const context = Layer.succeedContext(await shared.context())
    return ManagedRuntime.make(Layer.provideMerge(ofAccount(id), context))
  }
  const close = async (): Promise<void> => {
    const closing = current
    current = null
    await closing?.dispose()
  }

  return {
    run: async (work) => {
      const runtime = await inTurn(async () => (current ??= await open()))
      const exit = await runtime.runPromiseExit(work)
      if (current !== runtime) return undefined
      if (Exit.isSuccess(exit)) return exit.value
      throw Cause.squash(exit.cause)
    },
    change: (work) =>
      inTurn(async () => {
        await close()
        return work()
      }),
    runLast: (work) =>
      inTurn(async () => {
        await close()
        const runtime = await open()
        await runtime.runPromise(work)
        await runtime.dispose()
      }),
    close: () => inTurn(close),
  }
}
