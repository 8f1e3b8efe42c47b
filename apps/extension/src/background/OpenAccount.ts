/**
 * The account in use, opened when it is first needed: one at a time, and opened anew after each change. Work in an account that is closed meanwhile
 * gets no answer, so that nothing of that account is shown afterwards.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Semaphore from "effect/Semaphore"
import { Accounts } from "./Accounts.ts"
import * as Layers from "./Layers.ts"

/** Work for the account in use. */
export type Work<A> = Effect.Effect<A, never, Layers.AccountServices>

export interface OpenAccount {
  /** Undefined if the account was closed meanwhile. */
  readonly run: <A>(work: Work<A>) => Promise<A | undefined>
  /** Closes the account, does the work while none is open, and lets the next use open it anew. */
  readonly change: <A>(work: () => Promise<A>) => Promise<A>
  /** Runs work in the account after all other work in it has ended, and closes the account. */
  readonly runLast: (work: Work<void>) => Promise<void>
  readonly close: () => Promise<void>
}

export const make = (shared: ManagedRuntime.ManagedRuntime<Layers.SharedServices, never>): OpenAccount => {
  let current: ManagedRuntime.ManagedRuntime<Layers.AccountServices, never> | null = null
  const oneAtATime = Semaphore.makeUnsafe(1)

  const inTurn = <A>(work: () => Promise<A>): Promise<A> =>
    Effect.runPromise(oneAtATime.withPermit(Effect.promise(work)))
  const open = async () => {
    const { current: id } = await shared.runPromise(Accounts.use(({ list }) => list))
    const context = Layer.succeedContext(await shared.context())
    return ManagedRuntime.make(Layer.provideMerge(Layers.ofAccount(id), context))
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
