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
import type { Answer, Caller } from "./internal/Caller.ts"
import type { Model, RawPage } from "./internal/envelope.ts"
import { readList } from "./internal/envelope.ts"
import { Walk } from "./internal/Walk.ts"
import type { WalkOptions } from "./internal/Walk.ts"
import type { Page } from "./Page.ts"
import type { CursorFinding } from "./Probe.ts"
import * as ServiceRequest from "./ServiceRequest.ts"

type Attempted = ReturnType<typeof attemptedOf>

export interface PaginationOptions extends Omit<WalkOptions, "startedAt" | "emit"> {
  /** Looks for another name of the cursor's parameter after `tried` had no effect. */
  readonly probe:
    | ((tried: string, count: (calls: Attempted) => void) => Effect.Effect<CursorFinding, ClientError>)
    | null
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
          startedAt: clock.currentTimeMillisUnsafe(),
          emit: caller.emit,
        })
        const read = (cursor: Cursor | null) => readPage(caller, model, walk, options, cursor)
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

const readPage = <A extends { readonly id: number }>(
  caller: Caller,
  model: Model<A>,
  walk: Walk<A>,
  options: PaginationOptions,
  cursor: Cursor | null,
): Effect.Effect<Page<A>, ClientError> => {
  const { collection } = options
  const request = ServiceRequest.list(collection, {
    limit: walk.limit ?? undefined,
    cursor: cursor === null ? undefined : [walk.verification.parameter, toText(cursor)],
  })
  const again = () => readPage(caller, model, walk, options, cursor)
  const stop = (error: ClientError): Effect.Effect<never, ClientError> =>
    Effect.fail(new ClientError({ ...fieldsOf(error), walk: walk.summary() }))

  /** The parameter had no effect: another one is looked for, once a walk, where that is wished for. */
  const distrust = (error: ClientError): Effect.Effect<Page<A>, ClientError> => {
    if (options.probe === null || walk.verification.parameter !== options.cursorParam) return stop(error)
    return Effect.matchEffect(
      options.probe(walk.verification.parameter, (calls) => walk.count(calls)),
      {
        onFailure: () => stop(error),
        onSuccess: (finding) => {
          if (finding._tag !== "Verified") return stop(error)
          walk.useCursorParam(finding.parameter, finding.evidence)
          return again()
        },
      },
    )
  }
  const accept = (answer: Answer<RawPage<A>>): Effect.Effect<Page<A>, ClientError> => {
    const step = walk.accept(answer, cursor)
    if (step._tag === "Stopped") {
      const { method, path, subject } = request
      const error = new ClientError({
        reason: step.reason,
        request: { method, path, subject },
        requestId: answer.requestId,
        attempts: [],
        walk: null,
      })
      return step.reason._tag === "CursorIgnored" ? distrust(error) : stop(error)
    }
    if (caller.isObserved()) {
      caller.emit({ _tag: "PageRead", collection: collection.name, summary: step.page.summary })
    }
    return Effect.succeed(step.page)
  }
  const recover = (error: ClientError): Effect.Effect<Page<A>, ClientError> => {
    const { reason } = error
    walk.count(attemptedOf(error))
    const isRefused = reason._tag === "Rejected" && (reason.status === 400 || reason.status === 422)
    if (isRefused && cursor === null && walk.limit !== null) {
      walk.dropLimit(reason.status)
      return again()
    }
    if (isRefused && cursor !== null && walk.verification.state !== "verified") {
      const rejected = {
        ...reason,
        _tag: "CursorRejected",
        cursorParam: walk.verification.parameter,
      } as const
      return distrust(new ClientError({ ...fieldsOf(error), reason: rejected }))
    }
    return stop(error)
  }
  const called = caller.call(request, readList(collection, model), "background")
  return Effect.matchEffect(called, { onSuccess: accept, onFailure: recover })
}

const fieldsOf = ({ attempts, reason, request, requestId, walk }: ClientError) => ({
  attempts,
  reason,
  request,
  requestId,
  walk,
})
