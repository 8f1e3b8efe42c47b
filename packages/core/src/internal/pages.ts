/**
 * Gets the pages of a list, one at a time, when the consumer asks for them. While the consumer works on a page, the next one is requested. Both
 * entries read with this: the Effect entry as a stream, the promise entry as an async iterator. `readState.ts` says what is requested, and
 * what an answer shows.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { Identified, Model, RawPage } from "./answer.ts"
import { parsePage, parseRecord } from "./answer.ts"
import type { Answer, Caller } from "./call.ts"
import { attemptedOf, ClientError } from "../ClientError.ts"
import type { ClientErrorFields, Reason, ReasonTag } from "../ClientError.ts"
import * as ServiceRequest from "./serviceRequest.ts"
import type { Page } from "../Page.ts"
import * as Cursors from "./cursor.ts"
import type { CursorFinding } from "./probe.ts"
import { isRefusal } from "./probe.ts"
import * as State from "./readState.ts"

export interface PagesOptions extends Omit<State.ReadOptions, "startedAt" | "emit"> {
  /** Probes for the cursor's parameter, except the names in `excluded`; null where the options do not allow it. */
  readonly probe:
    | ((
        excluded: ReadonlyArray<string>,
        count: (calls: ReturnType<typeof attemptedOf>) => void,
      ) => Effect.Effect<CursorFinding, ClientError>)
    | null
  /** Whether pages have their answers as `recorded`. */
  readonly record: boolean
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
export const open = <A extends Identified>(
  caller: Caller,
  model: Model<A>,
  options: PagesOptions,
): Effect.Effect<PagePuller<A>> =>
  Effect.clockWith((clock) => {
    const now = (): string => new Date(clock.currentTimeMillisUnsafe()).toISOString()
    const startedAt = now()
    const read = State.begin({ ...options, startedAt, emit: caller.emit }, model)
    const nextPage = pageReader(caller, model, options, read)
    let ahead: Fiber.Fiber<Page<A>, ClientError> | null = null

    // Yielding to the event loop lets the next request be sent before a busy consumer continues.
    const goAhead = Effect.flatMap(Effect.forkDetach(nextPage, { startImmediately: true }), (fiber) => {
      ahead = fiber
      return Effect.yieldNow
    })
    const next = Effect.suspend((): Effect.Effect<Page<A> | null, ClientError> => {
      if (ahead === null && read.phase === "done") return Effect.succeed(null)
      return Effect.flatMap(ahead === null ? nextPage : Fiber.join(ahead), (page) => {
        ahead = null
        return options.readsAhead && read.phase !== "done" ? Effect.as(goAhead, page) : Effect.succeed(page)
      })
    })
    const close = Effect.suspend(() => (ahead === null ? Effect.void : Fiber.interrupt(ahead)))
    return Effect.succeed({ next, close })
  })

/** The reasons with which a service can refuse a cursor that it did not name itself. */
const refusals: ReadonlySet<ReasonTag> = new Set([
  "Rejected",
  "NotFound",
  "ServerFault",
  "NotOk",
  "NotTheApi",
  "EnvelopeInvalid",
  "ShapeMismatch",
])

/**
 * The effect that gets the next page. Not run beyond the end. The records of a page are the objects of its answer, unchanged, without those that an
 * earlier page had.
 */
const pageReader = <A extends Identified>(
  caller: Caller,
  model: Model<A>,
  options: PagesOptions,
  read: State.ReadState<A>,
): Effect.Effect<Page<A>, ClientError> => {
  const { collection } = options
  const { figures } = read
  const checkList = parsePage(collection, model)

  const listRequest = ({ cursor, limit }: Pick<State.PageRequest, "cursor" | "limit">) =>
    ServiceRequest.list(collection, {
      limit: limit ?? undefined,
      cursor: cursor === null ? undefined : [read.cursor.current.parameter, Cursors.toText(cursor)],
    })

  const stop = (error: ClientError) => Effect.fail(having(error, { reading: State.summaryOf(read) }))

  const emitPage = (page: Page<A>): Page<A> => {
    const { records, rejected, summary } = page
    caller.emit({
      _tag: "PageRead",
      collection: collection.name,
      records: records.length,
      rejected: rejected.length,
      summary,
    })
    return page
  }

  /** Requests records by id that only an earlier reading had. One whose request fails is `not-readable`. */
  const settleMissing = Effect.suspend(() =>
    Effect.map(
      Effect.forEach(
        read.missing,
        (id) =>
          Effect.match(
            caller.call(
              ServiceRequest.retrieve(collection, id),
              parseRecord(collection, model, id),
              "background",
            ),
            {
              onSuccess: (answer) => {
                figures.count(answer)
                return [id, "found"] as const
              },
              onFailure: (error) => {
                figures.count(attemptedOf(error))
                return [id, error.reason._tag === "NotFound" ? "not-found" : "not-readable"] as const
              },
            },
          ),
        { concurrency: 4 },
      ),
      (found) => State.settleMissing(read, new Map(found)),
    ),
  )

  /** Probes for another name, once per read. Null where that is not allowed, was done, or failed. */
  const search = (excluded: ReadonlyArray<string>): Effect.Effect<CursorFinding | null, ClientError> =>
    options.probe === null || read.cursor.current.parameter !== options.cursorParam
      ? Effect.succeed(null)
      : options.probe(excluded, (calls) => figures.count(calls))

  /** Continues with another name, or stops with the error for the one that had no effect. */
  const findCursorParam = (error: ClientError): Effect.Effect<void, ClientError> =>
    Effect.matchEffect(search([read.cursor.current.parameter]), {
      onFailure: () => stop(error),
      onSuccess: (finding) => {
        if (finding?._tag !== "Verified") return stop(error)
        State.useCursorParam(read, finding.parameter, finding.evidence)
        return Effect.void
      },
    })

  /**
   * Handles an empty second page that is also the last: checks whether this parameter, or another one, leads to other records. Returns the
   * reason to stop if there are more records and no name leads to them. If that cannot be found out, the page is the end.
   */
  const confirmCursor: Effect.Effect<Reason | null, ClientError> = Effect.suspend(() =>
    Effect.map(search([]), (finding) => {
      const { current, first } = read.cursor
      if (finding?._tag === "Verified") {
        if (finding.parameter === current.parameter) {
          read.cursor = Cursors.believe(read.cursor, finding.evidence)
        } else State.useCursorParam(read, finding.parameter, finding.evidence)
        return null
      }
      if (finding?._tag === "NoneWorks" && finding.records === 1 && (first?.length ?? 0) > 1) {
        return State.ignored(read, {
          kind: "no-records",
          text: "the second page was empty, and no name of the parameter leads from the first record to the next one",
        })
      }
      read.cursor = Cursors.acceptUnverified(read.cursor, "the second page was empty and the last")
      return null
    }),
  )

  /** Requests the first page again, to see whether the second one is another page. Returns the reason to stop. */
  const judgeByFirstAgain = (request: State.PageRequest, second: RawPage<A>): Effect.Effect<Reason | null> =>
    Effect.match(caller.call(listRequest({ ...request, cursor: null }), checkList, "background"), {
      onFailure: (error) => {
        figures.count(attemptedOf(error))
        const evidence = "the first page could not be asked for again"
        read.cursor = Cursors.acceptUnverified(read.cursor, evidence)
        return null
      },
      onSuccess: (answer) => {
        figures.count(answer)
        const pages = { first: read.cursor.first ?? [], second: State.idsOf(second) }
        const verdict = Cursors.judgeByFirstAgain(pages, State.idsOf(answer.value))
        if (verdict._tag === "Ignored") return State.ignored(read, verdict.evidence)
        read.cursor = (verdict._tag === "Obeyed" ? Cursors.believe : Cursors.acceptUnverified)(
          read.cursor,
          verdict.evidence,
        )
        return null
      },
    })

  /** Takes an answer. Null if the page has to be requested again, or another one instead. */
  const accept = Effect.fnUntraced(function* (request: State.PageRequest, answer: Answer<RawPage<A>>) {
    const { parameter } = read.cursor.current
    const { method, path, subject } = listRequest(request)
    const { requestId } = answer
    const stopped = (reason: Reason) =>
      new ClientError({ reason, request: { method, path, subject }, requestId, attempts: [], reading: null })
    for (;;) {
      const step = State.takeAnswer(read, request, answer)
      switch (step._tag) {
        case "Taken": {
          if (read.missing.length > 0) yield* settleMissing
          const page = State.pageOf(read, step)
          const { text: body, wellEncoded } = answer.value
          return emitPage(options.record ? { ...page, recorded: { body, wellEncoded } } : page)
        }
        case "Inconclusive": {
          const reason = yield* Effect.catch(confirmCursor, stop)
          if (reason !== null) return yield* stop(stopped(reason))
          if (read.cursor.current.parameter !== parameter) return null
          break
        }
        case "Ambiguous": {
          const reason = yield* judgeByFirstAgain(request, answer.value)
          if (reason === null) break
          yield* findCursorParam(stopped(reason))
          return null
        }
        case "Stopped": {
          const error = stopped(step.reason)
          if (State.isRead(read)) return yield* proceed(error, request)
          if (step.reason._tag !== "CursorIgnored") return yield* stop(error)
          yield* findCursorParam(error)
          return null
        }
      }
    }
  })

  /** After a failed request that only showed completeness: the last page, or null if the read continues without it. */
  const proceed = (error: ClientError, request: State.PageRequest) =>
    Effect.sync((): Page<A> | null => {
      State.skipFailed(read, request)
      return read.phase === "done" ? emitPage(State.lastPage(read, error.requestId)) : null
    })

  const recover = (
    error: ClientError,
    request: State.PageRequest,
  ): Effect.Effect<Page<A> | null, ClientError> => {
    const { reason } = error
    if (State.isRead(read) || (request.back > 0 && refusals.has(reason._tag))) return proceed(error, request)
    const { parameter, state } = read.cursor.current
    const refuses = isRefusal(reason) || reason._tag === "NotFound"
    // The service named this cursor itself, before the read was interrupted.
    if (refuses && state === "verified" && figures.totals.pages === options.from?.summary.pages) {
      return stop(having(error, { reason: { _tag: "CheckpointRefused", mismatch: { field: "cursor" } } }))
    }
    if (!isRefusal(reason)) return stop(error)
    if (request.cursor === null && read.limit !== null) {
      State.dropLimit(read, ` with ${reason.status}; asked again without`)
      return Effect.succeed(null)
    }
    if (request.cursor === null || state === "verified") return stop(error)
    if (reason._tag === "NotOk") return Effect.as(findCursorParam(error), null)
    const rejected = { ...reason, _tag: "CursorRejected", cursorParam: parameter } as const
    return Effect.as(findCursorParam(having(error, { reason: rejected })), null)
  }

  return Effect.gen(function* () {
    for (;;) {
      const request = State.nextRequest(read)
      if (request === null) return emitPage(State.lastPage(read, null))
      const result = yield* Effect.result(caller.call(listRequest(request), checkList, "background"))
      figures.count(Result.isSuccess(result) ? result.success : attemptedOf(result.failure))
      const page = yield* Result.isSuccess(result)
        ? accept(request, result.success)
        : recover(result.failure, request)
      if (page !== null) return page
    }
  })
}

/** The same error with other fields. */
const having = (
  { attempts, reading, reason, request, requestId }: ClientError,
  other: Partial<ClientErrorFields>,
): ClientError => new ClientError({ attempts, reading, reason, request, requestId, ...other })
