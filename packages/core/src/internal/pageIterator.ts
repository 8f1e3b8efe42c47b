/**
 * A read as an async iterator that can be ended at any moment, for the promise entry. Unlike those of an async generator, `return()` and
 * `throw()` do not queue behind a pending `next()`: they cancel the work in progress, and that `next()` resolves as done.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Page } from "../Page.ts"
import type { PagePuller } from "./pages.ts"

interface Waiter<A> {
  readonly resolve: (result: IteratorResult<A, void>) => void
  readonly reject: (error: unknown) => void
}

const done: IteratorReturnResult<void> = { done: true, value: undefined }

/**
 * Makes the iterator over the values that `give` selects from each page; nothing runs before its first `next()`. Concurrent calls of `next()`
 * are answered in order. An error of the read, or the reason of a signal that aborts, rejects one `next()`; later calls resolve as done.
 */
export const make = <A, B, E>(
  open: Effect.Effect<PagePuller<A, E>, E>,
  give: (page: Page<A>) => ReadonlyArray<B>,
  signals: ReadonlyArray<AbortSignal>,
): AsyncIterableIterator<B, void, undefined> => {
  let puller: PagePuller<A, E> | null = null
  let fiber: Fiber.Fiber<Page<A> | null, E> | null = null
  let chunk: ReadonlyArray<B> = []
  let given = 0
  let isPulling = false
  let isStarting = false
  let hasEnded = false
  /** The reason of a signal that aborted while no `next()` was pending: the next one rejects with it. */
  let unreported: { readonly reason: unknown } | null = null
  let forget: (() => void) | null = null
  let closing: Promise<void> = Promise.resolve()
  const waiting: Array<Waiter<B>> = []

  /** Answers pending calls, the first with the failure if there is one, and cancels the work in progress. */
  const end = (failure: { readonly reason: unknown } | null): void => {
    if (hasEnded) return
    hasEnded = true
    forget?.()
    const waiters = waiting.splice(0)
    if (failure !== null) {
      const first = waiters.shift()
      if (first === undefined) unreported = failure
      else first.reject(failure.reason)
    }
    for (const { resolve } of waiters) resolve(done)
    if (!isStarting) close()
  }

  const close = (): void => {
    const interrupted = fiber === null ? Effect.void : Fiber.interrupt(fiber)
    const closed = Effect.flatMap(interrupted, () => puller?.close ?? Effect.void)
    closing = new Promise((resolve, reject) => void started(closed, resolve, reject))
    // `return()` reports an error of closing; after an abort no call is pending to report it.
    closing.catch(() => {})
  }

  const opened = Effect.flatMap(open, (made) => {
    puller = made
    return made.next
  })

  /** A fiber can be interrupted only once it has been started; code that it runs before that can end the iterator. */
  const pulled = (): Promise<Exit.Exit<Page<A> | null, E>> => {
    isStarting = true
    const starting = Effect.runFork(puller === null ? opened : puller.next)
    isStarting = false
    fiber = starting
    if (hasEnded) close()
    return new Promise((resolve) => void starting.addObserver(resolve))
  }

  const pull = async (): Promise<void> => {
    if (isPulling) return
    isPulling = true
    forget ??= onAbort(signals, (reason) => end({ reason }))
    while (waiting.length > 0) {
      const exit = await pulled()
      if (hasEnded) break
      if (Exit.isFailure(exit)) end({ reason: Cause.squash(exit.cause) })
      else if (exit.value === null) end(null)
      else {
        chunk = give(exit.value)
        given = 0
        while (given < chunk.length && waiting.length > 0) {
          waiting.shift()!.resolve({ done: false, value: chunk[given++]! })
        }
      }
    }
    isPulling = false
  }

  return {
    next: () => {
      if (unreported !== null) {
        const { reason } = unreported
        unreported = null
        return Promise.reject(reason)
      }
      if (hasEnded) return Promise.resolve(done)
      if (given < chunk.length) return Promise.resolve({ done: false, value: chunk[given++]! })
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        void pull()
      })
    },
    return: async () => {
      end(null)
      unreported = null
      await closing
      return done
    },
    throw: async (error) => {
      end(null)
      unreported = null
      await closing
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/**
 * Starts the effect, and settles a promise with its success or failure through these functions. One starter keeps the promise entry small:
 * `Effect.runPromise` and `runSync` add their own.
 */
export const started = <A, E>(
  effect: Effect.Effect<A, E>,
  resolve: (value: A) => void,
  reject: (error: unknown) => void,
): Fiber.Fiber<A, E> => {
  const fiber = Effect.runFork(effect)
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) resolve(exit.value)
    else reject(Cause.squash(exit.cause))
  })
  return fiber
}

/**
 * Calls the listener once, with the reason of the first signal that aborts: at once when one has already. The returned function
 * removes it. Not by `AbortSignal.any`: a signal that lives as long as the client would keep the results until garbage collection.
 */
export const onAbort = (
  signals: ReadonlyArray<AbortSignal>,
  listener: (reason: unknown) => void,
): (() => void) => {
  const forget = (): void => {
    for (const signal of signals) signal.removeEventListener("abort", abort)
  }
  const abort = (): void => {
    forget()
    listener(signals.find((signal) => signal.aborted)!.reason)
  }
  if (signals.some((signal) => signal.aborted)) abort()
  else for (const signal of signals) signal.addEventListener("abort", abort)
  return forget
}
