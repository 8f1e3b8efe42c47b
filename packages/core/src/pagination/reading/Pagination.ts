/**
 * Reads pages one after the other, when the consumer asks for them. While the consumer works on a page, the next one is requested. Both entries
 * read with this: the Effect entry as a stream, the promise entry as an async iterator. Every page passes the checks of `Reading` before a
 * record of it is returned.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ClientError } from "../../error/ClientError.ts"
import type { Caller } from "../../call/Caller.ts"
import type { Searching } from "./confirmation.ts"
import type { Model } from "../../answer/envelope.ts"
import * as PageReader from "./PageReader.ts"
import type { ReadingOptions } from "./Reading.ts"
import { Reading } from "./Reading.ts"
import type { Page } from "../Page.ts"
import type { Recording } from "../Recording.ts"

export interface PaginationOptions extends Omit<ReadingOptions, "startedAt" | "emit">, Searching {
  /** Pages to replay before the first request. */
  readonly recording: Recording | null
  /** Whether the next page is requested while the consumer works. */
  readonly readsAhead: boolean
}

/** A read in progress, from which one page at a time is taken. */
export interface PagePuller<A, E = ClientError> {
  /** The next page; null after the last. Run it again only after it has ended. */
  readonly next: Effect.Effect<Page<A> | null, E>
  /** Cancels the request for the page that is read ahead. Nothing is pulled after it. */
  readonly close: Effect.Effect<void>
}

/** Begins a read. Nothing is requested before the first page is pulled. */
export const open = <A extends { readonly id: number }>(
  caller: Caller,
  model: Model<A>,
  options: PaginationOptions,
): Effect.Effect<PagePuller<A>> =>
  Effect.clockWith((clock) => {
    const now = (): string => new Date(clock.currentTimeMillisUnsafe()).toISOString()
    let { recording } = options
    const startedAt = recording?.startedAt ?? now()
    const reading = new Reading<A>({ ...options, startedAt, emit: caller.emit }, model)
    const reader = PageReader.make(caller, model, reading, options)
    let ahead: Fiber.Fiber<Page<A>, ClientError> | null = null

    /** Not run beyond the end of the list. */
    const read = Effect.suspend((): Effect.Effect<Page<A>, ClientError> => {
      if (recording === null) return reader.request(reading.ask!)
      return Effect.flatMap(recording.next, (recorded) => {
        if (recorded !== null) return reader.replay(recorded)
        recording = null
        if (reading.summary().pages > 0) reading.pause(now(), false)
        return reader.request(reading.ask!)
      })
    })
    // Yielding to the event loop lets the next request be sent before a busy consumer continues.
    const goAhead = Effect.flatMap(Effect.forkDetach(read, { startImmediately: true }), (fiber) => {
      ahead = fiber
      return Effect.yieldNow
    })
    const next = Effect.suspend((): Effect.Effect<Page<A> | null, ClientError> => {
      if (ahead === null && reading.ask === null) return Effect.succeed(null)
      return Effect.flatMap(ahead === null ? read : Fiber.join(ahead), (page) => {
        ahead = null
        return options.readsAhead && reading.ask !== null ? Effect.as(goAhead, page) : Effect.succeed(page)
      })
    })
    const close = Effect.suspend(() => (ahead === null ? Effect.void : Fiber.interrupt(ahead)))
    return Effect.succeed({ next, close })
  })
