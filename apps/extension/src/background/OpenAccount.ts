/**
 * The account in use, opened when it is first needed: one at a time, and opened anew after each change. Work in an account that is closed meanwhile gets no answer, so that nothing of that account is shown afterwards.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import { Registry } from "./accounts/Registry.ts"
import * as Runtime from "./Runtime.ts"
import type { AccountServices, SharedServices } from "./Services.ts"
import { ofAccount } from "./Services.ts"
import { Databases } from "./browser/Storage.ts"

type Opened = Runtime.Runtime<AccountServices>

/** Work for the account in use. */
type Work<A> = Effect.Effect<A, never, AccountServices>

export interface OpenAccount {
  /** Undefined if the account was closed meanwhile. */
  readonly run: <A>(work: Work<A>) => Promise<A | undefined>
  /** Closes the account, does the work while none is open, and lets the next use open it anew. */
  readonly change: <A>(work: () => Promise<A>) => Promise<A>
  /** Runs work in the account after all other work in it has ended, and closes the account. */
  readonly runLast: (work: Work<void>) => Promise<void>
  readonly close: () => Promise<void>
}

export const make = (shared: Runtime.Runtime<SharedServices>): OpenAccount => {
  let current: Opened | null = null
  const running = new Set<Fiber.Fiber<unknown>>()
  const oneAtATime = Semaphore.makeUnsafe(1)

  const inTurn = <A>(work: () => Promise<A>): Promise<A> =>
    Effect.runPromise(oneAtATime.withPermit(Effect.promise(work)))
  const open = async (): Promise<Opened> => {
    const { current: id } = await shared.run(Registry.use(({ get }) => get))
    const store = (await shared.run(Databases))(id)
    return Runtime.start(ofAccount(shared.context, { id }, store))
  }
  const close = async (): Promise<void> => {
    const closing = current
    current = null
    await Promise.all([closing?.close(), Effect.runPromise(Fiber.interruptAll(running))])
  }
  const opened = (): Promise<Opened> => inTurn(async () => (current ??= await open()))

  return {
    run: async (work) => {
      const runtime = await opened()
      const fiber = runtime.fork(work)
      running.add(fiber)
      const exit = await Effect.runPromise(Fiber.await(fiber))
      running.delete(fiber)
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
        await runtime.run(work)
        await runtime.close()
      }),
    close: () => inTurn(close),
  }
}
