/**
 * Pages as a stream: one page is read ahead while the consumer works, and every page passes the checks of `Reading` before a record of it is
 * returned.
 */
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
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
}

/**
 * A read as a stream. `give` selects what the consumer gets of a page, as one chunk; a page with an empty chunk is skipped. Every run of the
 * stream is a separate read. With a read-ahead of 1 the next page is requested while the consumer works.
 */
export const stream = <A extends { readonly id: number }, B>(
  caller: Caller,
  model: Model<A>,
  options: PaginationOptions,
  readAhead: 0 | 1,
  give: (page: Page<A>) => ReadonlyArray<B>,
): Stream.Stream<B, ClientError> =>
  Stream.fromChannel(
    Channel.fromTransform((_upstream: unknown, scope) =>
      Effect.clockWith((clock) => {
        const now = (): string => new Date(clock.currentTimeMillisUnsafe()).toISOString()
        const startedAt = options.recording?.startedAt ?? now()
        const reading = new Reading<A>({ ...options, startedAt, emit: caller.emit }, model)
        const reader = PageReader.make(caller, model, reading, options)
        let recording = options.recording
        const read = Effect.suspend((): Effect.Effect<Page<A>, ClientError> => {
          const { ask } = reading
          if (ask === null) return Effect.die(new Error("read beyond the end of a list"))
          if (recording === null) return reader.request(ask)
          return Effect.flatMap(recording.next, (recorded) => {
            if (recorded !== null) return reader.replay(recorded)
            recording = null
            if (reading.summary().pages > 0) reading.pause(now(), false)
            return reader.request(ask)
          })
        })
        let ahead: Fiber.Fiber<Page<A>, ClientError> | null = null
        const isEnded = (): boolean => ahead === null && reading.ask === null
        const deliver = (page: Page<A>): Pull.Pull<readonly [B, ...Array<B>], ClientError> => {
          const chunk = give(page)
          if (!isNotEmpty(chunk)) return pull
          return readAhead === 0 || isEnded() ? Effect.succeed(chunk) : Effect.as(goAhead, chunk)
        }
        // The turn of the event loop lets the next request be sent before a busy consumer continues.
        const goAhead = Effect.withFiber((consumer) => {
          ahead = Effect.runForkWith(consumer.context)(read)
          return Effect.yieldNow
        })
        const pull: Pull.Pull<readonly [B, ...Array<B>], ClientError> = Effect.suspend(() => {
          if (isEnded()) return Cause.done()
          if (ahead === null) return Effect.flatMap(read, deliver)
          const fiber = ahead
          return Effect.flatMap(Fiber.join(fiber), (page) => {
            ahead = null
            return deliver(page)
          })
        })
        const stop = Effect.suspend(() => (ahead === null ? Effect.void : Fiber.interrupt(ahead)))
        return Effect.as(Scope.addFinalizer(scope, stop), pull)
      }),
    ),
  )

const isNotEmpty = <B>(chunk: ReadonlyArray<B>): chunk is readonly [B, ...Array<B>] => chunk.length > 0
