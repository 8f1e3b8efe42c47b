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
import { attemptedOf, ClientError } from "./ClientError.ts"
import { toText } from "./Cursor.ts"
import * as answer from "./internal/answer.ts"
import type { Answer, Caller } from "./internal/Caller.ts"
import { checkById } from "./internal/checkById.ts"
import { lookInto, searchOf } from "./internal/doubt.ts"
import type { Searching } from "./internal/doubt.ts"
import type { Model, RawPage } from "./internal/envelope.ts"
import { readList } from "./internal/envelope.ts"
import type { Ask } from "./internal/Pass.ts"
import type { Step, WalkOptions } from "./internal/Walk.ts"
import { Walk } from "./internal/Walk.ts"
import type { Page } from "./Page.ts"
import type { RecordedPage, Recording } from "./Recording.ts"
import type { Reason, ReasonTag } from "./Reason.ts"
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
        const now = (): string => new Date(clock.currentTimeMillisUnsafe()).toISOString()
        const startedAt = options.recording?.startedAt ?? now()
        const walk = new Walk<A>({ ...options, startedAt, emit: caller.emit }, model)
        const reader = makeReader(caller, model, walk, options)
        let recording = options.recording
        const read = Effect.suspend((): Effect.Effect<Page<A>, ClientError> => {
          const { ask } = walk
          if (ask === null) return Effect.die(new Error("read beyond the end of a list"))
          if (recording === null) return reader.request(ask)
          return Effect.flatMap(recording.next, (recorded) => {
            if (recorded !== null) return reader.replay(recorded)
            recording = null
            if (walk.summary().pages > 0) walk.pause(now(), false)
            return reader.request(ask)
          })
        })
        let ahead: Fiber.Fiber<Page<A>, ClientError> | null = null
        const isEnded = (): boolean => ahead === null && walk.ask === null
        const deliver = (page: Page<A>): Pull.Pull<readonly [B, ...Array<B>], ClientError> => {
          const chunk = give(page)
          if (!isNotEmpty(chunk)) return pull
          return readAhead === 0 || isEnded() ? Effect.succeed(chunk) : Effect.as(goAhead, chunk)
        }
        // The turn of the event loop lets the next request leave before a busy consumer takes over.
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

/** An answer once more: its requests are counted already. */
const again = <A>(answer: Answer<A>): Answer<A> => ({ ...answer, attempts: 0, waitedMillis: 0 })

/** A service that does not take a cursor that it has not sent may answer so, or with a page of something else. */
const refusals: ReadonlySet<ReasonTag> = new Set([
  "Rejected",
  "NotFound",
  "ServerFault",
  "NotOk",
  "NotTheApi",
  "EnvelopeInvalid",
  "ShapeMismatch",
])

/** Makes pages of requests, and of answers that are there already. */
const makeReader = <A extends { readonly id: number }>(
  caller: Caller,
  model: Model<A>,
  walk: Walk<A>,
  options: PaginationOptions,
) => {
  const { collection, origin } = options

  const call = (request: ServiceRequest.ServiceRequest) =>
    caller.call(request, readList(collection, model), "background")

  const listRequest = ({ cursor, limit }: Ask): ServiceRequest.ServiceRequest =>
    ServiceRequest.list(collection, {
      limit: limit ?? undefined,
      cursor: cursor === null ? undefined : [walk.verification.current.parameter, toText(cursor)],
    })

  const stop = (error: ClientError): Effect.Effect<never, ClientError> =>
    Effect.fail(new ClientError({ ...fieldsOf(error), walk: walk.summary() }))

  /** Does what is left to do for a page, and gives it out. */
  const finish = (step: Step<A>, isReplayed: boolean): Effect.Effect<Page<A>, ClientError> | null => {
    if (step._tag === "Page") return given(caller, collection, step.page)
    if (step._tag !== "Check") return null
    const settled = (found: Parameters<typeof walk.settle>[0]) => {
      walk.settle(found, isReplayed)
      return finish(walk.next(), isReplayed)!
    }
    // What a record was like when the page came cannot be asked any more.
    return isReplayed && step.about === "page"
      ? settled(new Map())
      : Effect.flatMap(checkById(caller, collection, model, step.ids, walk), settled)
  }

  const request = (ask: Ask): Effect.Effect<Page<A>, ClientError> => {
    const { parameter } = walk.verification.current
    const asked = listRequest(ask)
    const stopAs = (reason: Reason, requestId: string | null) => stop(stopped(asked, reason, requestId))

    /** The parameter had no effect: another one is looked for, once a walk, where that is wished for. */
    const distrust = (error: ClientError): Effect.Effect<Page<A>, ClientError> => {
      const search = searchOf(walk, options)
      if (search === null) return stop(error)
      return Effect.matchEffect(search([parameter]), {
        onFailure: () => stop(error),
        onSuccess: (finding) => {
          if (finding._tag !== "Verified") return stop(error)
          walk.useCursorParam(finding.parameter, finding.evidence)
          return request(ask)
        },
      })
    }
    const accept = (answered: Answer<RawPage<A>>): Effect.Effect<Page<A>, ClientError> => {
      const step = walk.accept(answered, ask)
      const { requestId } = answered
      switch (step._tag) {
        case "Stopped": {
          const error = stopped(asked, step.reason, requestId)
          if (walk.summary().complete) return proceed(error, ask)
          return step.reason._tag === "CursorIgnored" ? distrust(error) : stop(error)
        }
        case "Doubtful":
          return Effect.matchEffect(lookInto(walk, options), {
            onFailure: stop,
            onSuccess: (reason) => {
              if (reason !== null) return stopAs(reason, requestId)
              return walk.verification.current.parameter === parameter
                ? accept(again(answered))
                : request(ask)
            },
          })
        case "AskFirstAgain":
          return Effect.matchEffect(call(listRequest({ ...ask, cursor: null })), {
            onFailure: (error) => {
              walk.count(attemptedOf(error))
              walk.verification.accept("the first page could not be asked for again")
              return accept(again(answered))
            },
            onSuccess: (first) => {
              walk.count(first)
              const reason = walk.judgeByFirstAgain(answered.value, first.value)
              return reason === null ? accept(again(answered)) : distrust(stopped(asked, reason, requestId))
            },
          })
        default:
          return finish(step, false)!
      }
    }
    const recover = (error: ClientError): Effect.Effect<Page<A>, ClientError> => {
      const { reason } = error
      walk.count(attemptedOf(error))
      const isRefused = reason._tag === "Rejected" && (reason.status === 400 || reason.status === 422)
      if (walk.summary().complete || (ask.back > 0 && refusals.has(reason._tag))) {
        return proceed(error, ask)
      }
      if (isRefused && ask.cursor === null && walk.limit !== null) {
        walk.dropLimit(reason.status)
        return request({ ...ask, limit: null })
      }
      if (isRefused && ask.cursor !== null && walk.verification.current.state !== "verified") {
        const rejected = { ...reason, _tag: "CursorRejected", cursorParam: parameter } as const
        return distrust(new ClientError({ ...fieldsOf(error), reason: rejected }))
      }
      return stop(error)
    }
    return Effect.matchEffect(call(asked), { onSuccess: accept, onFailure: recover })
  }

  /** After a request for the proof that failed: what is asked instead, or the end. */
  const proceed = (error: ClientError, failed: Ask): Effect.Effect<Page<A>, ClientError> => {
    walk.survive(failed)
    if (walk.ask !== null) return request(walk.ask)
    return given(caller, collection, walk.last(error.requestId))
  }

  /** A page that is there already passes the same guards; it is believed no more than one that was asked for. */
  const replay = (recorded: RecordedPage): Effect.Effect<Page<A>, ClientError> => {
    const { body, requestId, wellEncoded = true } = recorded
    const plain = ServiceRequest.list(collection, {})
    const stopAs = (reason: Reason) => stop(stopped(plain, reason, requestId))
    if (!walk.catchUp(recorded)) return stopAs({ _tag: "CheckpointRefused", mismatch: { field: "version" } })
    const ask = walk.ask!
    const response = { status: 200, header: () => null, text: body, wellEncoded }
    const reading = answer.read(response, plain, origin, caller.redact)
    const checked =
      reading._tag === "Body"
        ? readList(collection, model)(reading.body, reading.exact, body, wellEncoded)
        : reading
    if (checked._tag === "Failed") return stopAs(checked.reason)
    const accept = (): Effect.Effect<Page<A>, ClientError> => {
      const { answeredAt, serviceDate, tookMillis } = recorded
      const { value } = checked
      const step = walk.accept(
        { value, requestId, attempts: 0, waitedMillis: 0, answeredAt, serviceDate, tookMillis },
        ask,
      )
      switch (step._tag) {
        case "Stopped":
          return stopAs(step.reason)
        case "Doubtful":
          return Effect.matchEffect(lookInto(walk, options), {
            onFailure: stop,
            onSuccess: (reason) => (reason === null ? accept() : stopAs(reason)),
          })
        case "AskFirstAgain":
          // It was asked for then, and decided for this page: the recording holds it.
          walk.verification.believe("as it was recorded")
          return accept()
        default:
          return finish(step, true)!
      }
    }
    return accept()
  }
  return { request, replay }
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
