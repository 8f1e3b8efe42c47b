/**
 * Gets the pages of a list, one at a time, from requests or from recorded answers. Handles requests that are refused and pages that are
 * inconclusive. `Reading` decides what is requested next and whether a page is accepted.
 */
import * as Effect from "effect/Effect"
import { attemptedOf, ClientError } from "../../error/ClientError.ts"
import { toText } from "../Cursor.ts"
import type { Page } from "../Page.ts"
import type { RecordedPage } from "../Recording.ts"
import type { Reason, ReasonTag } from "../../error/Reason.ts"
import * as ServiceRequest from "../../model/ServiceRequest.ts"
import * as answer from "../../answer/answer.ts"
import type { Answer, Caller } from "../../call/Caller.ts"
import { checkById } from "./checkById.ts"
import { confirmCursor, searchOf } from "./confirmation.ts"
import type { Searching } from "./confirmation.ts"
import type { Model, RawPage } from "../../answer/envelope.ts"
import { readList } from "../../answer/envelope.ts"
import type { Ask } from "../proof/Pass.ts"
import type { Step, Reading } from "./Reading.ts"

interface PageReaderOptions extends Searching {
  readonly collection: ServiceRequest.Collection
  readonly origin: string
}

/** The same answer for a second time, when its requests are already counted. */
const again = <A>(answer: Answer<A>): Answer<A> => ({ ...answer, attempts: 0, waitedMillis: 0 })

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

/** Makes the reader of pages, from requests and from recorded answers. */
export const make = <A extends { readonly id: number }>(
  caller: Caller,
  model: Model<A>,
  reading: Reading<A>,
  options: PageReaderOptions,
) => {
  const { collection, origin } = options

  const call = (request: ServiceRequest.ServiceRequest) =>
    caller.call(request, readList(collection, model), "background")

  const listRequest = ({ cursor, limit }: Ask): ServiceRequest.ServiceRequest =>
    ServiceRequest.list(collection, {
      limit: limit ?? undefined,
      cursor: cursor === null ? undefined : [reading.verification.current.parameter, toText(cursor)],
    })

  const stop = (error: ClientError): Effect.Effect<never, ClientError> =>
    Effect.fail(new ClientError({ ...fieldsOf(error), reading: reading.summary() }))

  /** Makes the remaining requests for a page, and returns it. */
  const finish = (step: Step<A>, isReplayed: boolean): Effect.Effect<Page<A>, ClientError> | null => {
    if (step._tag === "Page") return given(caller, collection, step.page)
    if (step._tag !== "Check") return null
    const settled = (found: Parameters<typeof reading.settle>[0]) => {
      reading.settle(found, isReplayed)
      return finish(reading.next(), isReplayed)!
    }
    // The state of a record at the time of the page can no longer be requested.
    return isReplayed && step.about === "page"
      ? settled(new Map())
      : Effect.flatMap(checkById(caller, collection, model, step.ids, reading), settled)
  }

  const request = (ask: Ask): Effect.Effect<Page<A>, ClientError> => {
    const { parameter } = reading.verification.current
    const asked = listRequest(ask)
    const stopAs = (reason: Reason, requestId: string | null) => stop(stopped(asked, reason, requestId))

    /** The parameter had no effect: probes for another one, once per read, if the options allow it. */
    const findCursorParam = (error: ClientError): Effect.Effect<Page<A>, ClientError> => {
      const search = searchOf(reading, options)
      if (search === null) return stop(error)
      return Effect.matchEffect(search([parameter]), {
        onFailure: () => stop(error),
        onSuccess: (finding) => {
          if (finding._tag !== "Verified") return stop(error)
          reading.useCursorParam(finding.parameter, finding.evidence)
          return request(ask)
        },
      })
    }
    const accept = (answered: Answer<RawPage<A>>): Effect.Effect<Page<A>, ClientError> => {
      const step = reading.accept(answered, ask)
      const { requestId } = answered
      switch (step._tag) {
        case "Stopped": {
          const error = stopped(asked, step.reason, requestId)
          if (reading.summary().complete) return proceed(error, ask)
          return step.reason._tag === "CursorIgnored" ? findCursorParam(error) : stop(error)
        }
        case "Inconclusive":
          return Effect.matchEffect(confirmCursor(reading, options), {
            onFailure: stop,
            onSuccess: (reason) => {
              if (reason !== null) return stopAs(reason, requestId)
              return reading.verification.current.parameter === parameter
                ? accept(again(answered))
                : request(ask)
            },
          })
        case "AskFirstAgain":
          return Effect.matchEffect(call(listRequest({ ...ask, cursor: null })), {
            onFailure: (error) => {
              reading.count(attemptedOf(error))
              reading.verification.accept("the first page could not be asked for again")
              return accept(again(answered))
            },
            onSuccess: (first) => {
              reading.count(first)
              const reason = reading.judgeByFirstAgain(answered.value, first.value)
              return reason === null
                ? accept(again(answered))
                : findCursorParam(stopped(asked, reason, requestId))
            },
          })
        default:
          return finish(step, false)!
      }
    }
    const recover = (error: ClientError): Effect.Effect<Page<A>, ClientError> => {
      const { reason } = error
      reading.count(attemptedOf(error))
      const isRefused = reason._tag === "Rejected" && (reason.status === 400 || reason.status === 422)
      if (reading.summary().complete || (ask.back > 0 && refusals.has(reason._tag))) {
        return proceed(error, ask)
      }
      if (isRefused && ask.cursor === null && reading.limit !== null) {
        reading.dropLimit(reason.status)
        return request({ ...ask, limit: null })
      }
      if (isRefused && ask.cursor !== null && reading.verification.current.state !== "verified") {
        const rejected = { ...reason, _tag: "CursorRejected", cursorParam: parameter } as const
        return findCursorParam(new ClientError({ ...fieldsOf(error), reason: rejected }))
      }
      return stop(error)
    }
    return Effect.matchEffect(call(asked), { onSuccess: accept, onFailure: recover })
  }

  /** After a failed request for the proof: sends the next request instead, or ends the read. */
  const proceed = (error: ClientError, failed: Ask): Effect.Effect<Page<A>, ClientError> => {
    reading.survive(failed)
    if (reading.ask !== null) return request(reading.ask)
    return given(caller, collection, reading.last(error.requestId))
  }

  /** Replays a recorded page through the same checks as a requested one. */
  const replay = (recorded: RecordedPage): Effect.Effect<Page<A>, ClientError> => {
    const { body, requestId, wellEncoded = true } = recorded
    const plain = ServiceRequest.list(collection, {})
    const stopAs = (reason: Reason) => stop(stopped(plain, reason, requestId))
    if (!reading.catchUp(recorded))
      return stopAs({ _tag: "CheckpointRefused", mismatch: { field: "version" } })
    const ask = reading.ask!
    const response = { status: 200, header: () => null, text: body, wellEncoded }
    const answered = answer.read(response, plain, origin, caller.redact)
    const checked =
      answered._tag === "Body"
        ? readList(collection, model)(answered.body, answered.exact, body, wellEncoded)
        : answered
    if (checked._tag === "Failed") return stopAs(checked.reason)
    const accept = (): Effect.Effect<Page<A>, ClientError> => {
      const { answeredAt, serviceDate, tookMillis } = recorded
      const { value } = checked
      const step = reading.accept(
        { value, requestId, attempts: 0, waitedMillis: 0, answeredAt, serviceDate, tookMillis },
        ask,
      )
      switch (step._tag) {
        case "Stopped":
          return stopAs(step.reason)
        case "Inconclusive":
          return Effect.matchEffect(confirmCursor(reading, options), {
            onFailure: stop,
            onSuccess: (reason) => (reason === null ? accept() : stopAs(reason)),
          })
        case "AskFirstAgain":
          // The recorded read has verified this page; otherwise the recording would not hold it.
          reading.verification.believe("as it was recorded")
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
  const { records, rejected, summary } = page
  caller.emit({
    _tag: "PageRead",
    collection: collection.name,
    records: records.length,
    rejected: rejected.length,
    summary,
  })
  return Effect.succeed(page)
}

const stopped = (
  { method, path, subject }: ServiceRequest.ServiceRequest,
  reason: Reason,
  requestId: string | null,
): ClientError =>
  new ClientError({ reason, request: { method, path, subject }, requestId, attempts: [], reading: null })

const fieldsOf = ({ attempts, reason, request, requestId, reading }: ClientError) => ({
  attempts,
  reason,
  request,
  requestId,
  reading,
})
