/** Recorded answers: those that a read with `record` adds to its pages, and how a later read takes them again. */
import * as Answers from "../answer/answer.ts"
import type { Check } from "../answer/answer.ts"
import type { RawPage } from "../answer/envelope.ts"
import type { Answer } from "./call.ts"
import type { Redact } from "../error/redaction.ts"
import type { Reason } from "../error/Reason.ts"
import type { ServiceRequest } from "../model/ServiceRequest.ts"
import type { RecordedPage } from "../Recording.ts"
import { toText } from "./cursor.ts"
import type { PageRequest, Read } from "./readList.ts"
import { dropLimit, nextRequest, pause, summaryOf, survive, useCursorParam } from "./readList.ts"

/** The answer to a request, as a recording holds it. */
export const recordedPage = <A extends { readonly id: number }>(
  read: Read<A>,
  { cursor, limit }: PageRequest,
  { answeredAt, requestId, serviceDate, tookMillis, value }: Answer<RawPage<A>>,
): RecordedPage => {
  const { requests, retries, waitedMillis } = summaryOf(read)
  return {
    body: value.text,
    wellEncoded: value.wellEncoded,
    requestId,
    cursorParam: read.cursor.current.parameter,
    sent: cursor === null ? null : toText(cursor),
    limit,
    answeredAt,
    tookMillis,
    serviceDate,
    resumedAt: read.time.resumed?.resumedAt ?? null,
    requests,
    retries,
    waitedMillis,
  }
}

/** Takes the state of the recorded read at this page. Returns the request for it; null when this read would request something else. */
export const catchUp = <A extends { readonly id: number }>(
  read: Read<A>,
  { cursorParam, limit, requests, resumedAt, retries, sent, waitedMillis }: RecordedPage,
): PageRequest | null => {
  if (resumedAt !== null && resumedAt !== read.time.resumed?.resumedAt) pause(read, resumedAt, false)
  if (cursorParam !== read.cursor.current.parameter) useCursorParam(read, cursorParam, "as it was recorded")
  const isMain = nextRequest(read)?.limit === read.options.limit
  if (limit === null && read.limit !== null && isMain) dropLimit(read, ", as it was recorded")
  const isRecorded = ({ cursor, limit: asked }: PageRequest): boolean =>
    asked === limit && (cursor === null ? null : toText(cursor)) === sent
  Object.assign(read.figures.totals, { requests, retries, waitedMillis })
  for (;;) {
    const request = nextRequest(read)
    if (request === null || isRecorded(request)) return request
    // A request that is not in the recording was sent and failed.
    if (!survive(read, request)) return null
  }
}

/** The answer of a recorded page, or why it cannot be read. */
export const answerOf = <A extends { readonly id: number }>(
  { answeredAt, body, requestId, serviceDate, tookMillis, wellEncoded = true }: RecordedPage,
  request: ServiceRequest,
  origin: string,
  redact: Redact,
  check: Check<RawPage<A>>,
):
  | { readonly _tag: "Answer"; readonly answer: Answer<RawPage<A>> }
  | { readonly _tag: "Failed"; readonly reason: Reason } => {
  const response = { status: 200, header: () => null, text: body, wellEncoded }
  const read = Answers.read(response, request, origin, redact)
  if (read._tag === "Failed") return read
  const checked = check(read.body, read.exact, body, wellEncoded, response)
  if (checked._tag === "Failed") return checked
  const { value } = checked
  const answer = { value, requestId, attempts: 0, waitedMillis: 0, answeredAt, serviceDate, tookMillis }
  return { _tag: "Answer", answer }
}
