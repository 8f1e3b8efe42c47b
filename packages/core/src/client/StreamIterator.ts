/**
 * A stream as an async iterator that can be ended at any moment. Unlike those of an async generator, `return()` and `throw()` do not queue
 * behind a pending `next()`: they cancel the work in progress, and that `next()` is done.
 */
import * as Stream from "effect/Stream"
import { onAbort } from "../transport/abort.ts"

interface Waiter<A> {
  readonly resolve: (result: IteratorResult<A, void>) => void
  readonly reject: (error: unknown) => void
}

const done: IteratorReturnResult<void> = { done: true, value: undefined }

/**
 * Makes the iterator; nothing runs before its first `next()`. Concurrent calls of `next()` are answered in order. An error
 * of the stream, or the reason of a signal that aborts, rejects one `next()`; those after it are done.
 */
export const make = <A, E>(
  stream: Stream.Stream<A, E>,
  signals: ReadonlyArray<AbortSignal>,
): AsyncIterableIterator<A, void, undefined> => {
  let chunks: AsyncIterator<ReadonlyArray<A>> | null = null
  let chunk: ReadonlyArray<A> = []
  let given = 0
  let isPulling = false
  let isStarting = false
  let hasEnded = false
  /** The reason of a signal that aborted while no `next()` was pending: the next one rejects with it. */
  let unreported: { readonly reason: unknown } | null = null
  let forget = (): void => {}
  let closing: Promise<void> = Promise.resolve()
  const waiting: Array<Waiter<A>> = []

  /** Answers pending calls, the first with the failure if there is one, and cancels the work in progress. */
  const end = (failure: { readonly reason: unknown } | null): void => {
    if (hasEnded) return
    hasEnded = true
    forget()
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
    closing = Promise.resolve(chunks?.return?.()).then(() => {})
    // An error of a finalizer is reported by `return()`; after an abort no call is pending to report it.
    closing.catch(() => {})
  }

  const start = (): AsyncIterator<ReadonlyArray<A>> => {
    forget = onAbort(signals, (reason) => end({ reason }))
    return Stream.toAsyncIterable(Stream.chunks(stream))[Symbol.asyncIterator]()
  }

  /** The stream's fiber can be interrupted only once `next()` has returned; code that it runs before that may end the iterator. */
  const started = (from: AsyncIterator<ReadonlyArray<A>>): Promise<IteratorResult<ReadonlyArray<A>>> => {
    isStarting = true
    const next = from.next()
    isStarting = false
    if (hasEnded) close()
    return next
  }

  const pull = async (): Promise<void> => {
    if (isPulling) return
    isPulling = true
    try {
      chunks ??= start()
      while (waiting.length > 0) {
        const next = await started(chunks)
        if (next.done === true) return end(null)
        chunk = next.value
        given = 0
        while (given < chunk.length && waiting.length > 0) {
          waiting.shift()!.resolve({ done: false, value: chunk[given++]! })
        }
      }
    } catch (reason) {
      end({ reason })
    } finally {
      isPulling = false
    }
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
