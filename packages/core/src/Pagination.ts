/**
 * Pages to a stream: one page is read ahead while the consumer works, and every page passes the guards of `internal/Walk` before a
 * record of it is given out.
 */
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Checkpoint } from "./Checkpoint.ts"
import { attemptedOf, ClientError } from "./ClientError.ts"
import type { Cursor } from "./Cursor.ts"
import { toText } from "./Cursor.ts"
import * as answer from "./internal/answer.ts"
import type { Answer, Caller } from "./internal/Caller.ts"
import { lookInto, searchOf } from "./internal/doubt.ts"
import type { Searching } from "./internal/doubt.ts"
import type { Model, RawPage } from "./internal/envelope.ts"
import { readList } from "./internal/envelope.ts"
import { Walk } from "./internal/Walk.ts"
import type { WalkOptions } from "./internal/Walk.ts"
import type { Page } from "./Page.ts"
import type { RecordedPage, Recording } from "./Recording.ts"
import type { Reason } from "./Reason.ts"
import * as ServiceRequest from "./ServiceRequest.ts"

export interface PaginationOptions extends Omit<WalkOptions, "startedAt" | "emit">, Searching {
  /** Pages that are there already. */
  readonly recording: Recording | null
}

/**
 * A walk as a stream. `give` says what of a page the consumer gets, as one chunk; a page of which it gets nothing is passed over.
 * Every run of the stream is a walk of its own. With a read-ahead of 1 the next page is under way while the consumer works.
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
        const walk = new Walk<A>({
          ...options,
          startedAt: options.recording?.startedAt ?? new Date(clock.currentTimeMillisUnsafe()).toISOString(),
          emit: caller.emit,
        })
        let recording = options.recording
        const ask = (cursor: Cursor | null) => readPage(caller, model, walk, options, cursor)
        const read = (cursor: Cursor | null): Effect.Effect<Page<A>, ClientError> => {
          if (recording === null) return ask(cursor)
          return Effect.flatMap(recording.next, (recorded) => {
            if (recorded !== null) return readRecorded(caller, model, walk, options, recorded, cursor)
            recording = null
            return ask(cursor)
          })
        }
        let cursor: Cursor | null = options.from?.next == null ? null : parseCursor(options.from.next)
        let ahead: Fiber.Fiber<Page<A>, ClientError> | null = null
        let ended = false
        const deliver = (page: Page<A>): Pull.Pull<readonly [B, ...Array<B>], ClientError> => {
          cursor = page.next
          ended = cursor === null
          const chunk = give(page)
          if (!isNotEmpty(chunk)) return pull
          return readAhead === 0 || ended ? Effect.succeed(chunk) : Effect.as(goAhead, chunk)
        }
        // The turn of the event loop lets the next request leave before a busy consumer takes over.
        const goAhead = Effect.withFiber((consumer) => {
          ahead = Effect.runForkWith(consumer.context)(read(cursor))
          return Effect.yieldNow
        })
        const pull: Pull.Pull<readonly [B, ...Array<B>], ClientError> = Effect.suspend(() => {
          if (ended) return Cause.done()
          if (ahead === null) return Effect.flatMap(read(cursor), deliver)
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

const parseCursor = (next: NonNullable<Checkpoint["next"]>): Cursor =>
  next.type === "string" ? next.text : exactInteger(next.text)

const exactInteger = (digits: string): number | bigint =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits)

/** An answer once more: its requests are counted already. */
const again = <A>(answer: Answer<A>): Answer<A> => ({ ...answer, attempts: 0, waitedMillis: 0 })

const readPage = <A extends { readonly id: number }>(
  caller: Caller,
  model: Model<A>,
  walk: Walk<A>,
  options: PaginationOptions,
  cursor: Cursor | null,
): Effect.Effect<Page<A>, ClientError> => {
  const { collection } = options
  const { parameter } = walk.verification
  const request = ServiceRequest.list(collection, {
    limit: walk.limit ?? undefined,
    cursor: cursor === null ? undefined : [parameter, toText(cursor)],
  })
  const askAgain = () => readPage(caller, model, walk, options, cursor)
  const stop = (error: ClientError): Effect.Effect<never, ClientError> =>
    Effect.fail(new ClientError({ ...fieldsOf(error), walk: walk.summary() }))

  /** The parameter had no effect: another one is looked for, once a walk, where that is wished for. */
  const distrust = (error: ClientError): Effect.Effect<Page<A>, ClientError> => {
    const search = searchOf(walk, options)
    if (search === null) return stop(error)
    return Effect.matchEffect(search([walk.verification.parameter]), {
      onFailure: () => stop(error),
      onSuccess: (finding) => {
        if (finding._tag !== "Verified") return stop(error)
        walk.useCursorParam(finding.parameter, finding.evidence)
        return askAgain()
      },
    })
  }
  const accept = (answer: Answer<RawPage<A>>): Effect.Effect<Page<A>, ClientError> => {
    const step = walk.accept(answer, cursor)
    if (step._tag === "Page") return given(caller, collection, step.page)
    if (step._tag === "Doubtful") {
      return Effect.matchEffect(lookInto(walk, options), {
        onFailure: stop,
        onSuccess: (reason) => {
          if (reason !== null) return stop(stopped(request, reason, answer.requestId))
          return walk.verification.parameter === parameter ? accept(again(answer)) : askAgain()
        },
      })
    }
    const error = stopped(request, step.reason, answer.requestId)
    return step.reason._tag === "CursorIgnored" ? distrust(error) : stop(error)
  }
  const recover = (error: ClientError): Effect.Effect<Page<A>, ClientError> => {
    const { reason } = error
    walk.count(attemptedOf(error))
    const isRefused = reason._tag === "Rejected" && (reason.status === 400 || reason.status === 422)
    if (isRefused && cursor === null && walk.limit !== null) {
      walk.dropLimit(reason.status)
      return askAgain()
    }
    if (isRefused && cursor !== null && walk.verification.state !== "verified") {
      const rejected = {
        ...reason,
        _tag: "CursorRejected",
        cursorParam: parameter,
      } as const
      return distrust(new ClientError({ ...fieldsOf(error), reason: rejected }))
    }
    return stop(error)
  }
  const called = caller.call(request, readList(collection, model), "background")
  return Effect.matchEffect(called, { onSuccess: accept, onFailure: recover })
}

/** A page that is there already passes the same guards; it is believed no more than one that was asked for. */
const readRecorded = <A extends { readonly id: number }>(
  caller: Caller,
  model: Model<A>,
  walk: Walk<A>,
  options: PaginationOptions,
  recorded: RecordedPage,
  cursor: Cursor | null,
): Effect.Effect<Page<A>, ClientError> => {
  const { body, requestId, wellEncoded = true } = recorded
  const { collection, origin } = options
  const request = ServiceRequest.list(collection, {})
  walk.catchUp(recorded)
  const response = { status: 200, header: () => null, text: body, wellEncoded }
  const reading = answer.read(response, request, origin, caller.redact)
  const checked =
    reading._tag === "Body"
      ? readList(collection, model)(reading.body, reading.exact, body, wellEncoded)
      : reading
  const fail = (error: ClientError): Effect.Effect<never, ClientError> =>
    Effect.fail(new ClientError({ ...fieldsOf(error), walk: walk.summary() }))
  const stop = (reason: Reason) => fail(stopped(request, reason, requestId))
  if (checked._tag === "Failed") return stop(checked.reason)
  const accept = (): Effect.Effect<Page<A>, ClientError> => {
    const step = walk.accept({ value: checked.value, requestId, attempts: 0, waitedMillis: 0 }, cursor)
    if (step._tag === "Page") return given(caller, collection, step.page)
    if (step._tag === "Stopped") return stop(step.reason)
    return Effect.matchEffect(lookInto(walk, options), {
      onFailure: fail,
      onSuccess: (reason) => (reason === null ? accept() : stop(reason)),
    })
  }
  return accept()
}

const given = <A>(
  caller: Caller,
  collection: ServiceRequest.Collection,
  page: Page<A>,
): Effect.Effect<Page<A>> => {
  if (caller.isObserved()) {
    caller.emit({ _tag: "PageRead", collection: collection.name, summary: page.summary })
  }
  return Effect.succeed(page)
}

const stopped = (
  { method, path, subject }: ServiceRequest.ServiceRequest,
  reason: Reason,
  requestId: string | null,
): ClientError =>
  new ClientError({ reason, request: { method, path, subject }, requestId, attempts: [], walk: null })

const fieldsOf = ({ attempts, reason, request, requestId, walk }: ClientError) => ({
  attempts,
  reason,
  request,
  requestId,
  walk,
})
