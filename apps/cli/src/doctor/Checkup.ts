/**
 * The checkup of a server: at most 25 small requests through the client and its rate limiter, turned into findings stage by stage. An error of
 * the service is part of the result; the checkup fails only when `onStage` does.
 */
import type { ClientError, Page, PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as AnswerFindings from "./AnswerFindings.ts"
import type { Finding } from "./Finding.ts"
import * as KeyFindings from "./KeyFindings.ts"
import * as KeyTrial from "../account/KeyTrial.ts"
import * as ListFindings from "./ListFindings.ts"
import type { AnyPage } from "./ListFindings.ts"
import type { Observer } from "./ObservedAnswers.ts"
import { isUsedUp } from "./ObservedAnswers.ts"
import * as RecordFindings from "./RecordFindings.ts"

/** The most requests of a checkup. */
export const mostRequests = 25

const largeLimit = 500
/** Within 31 bits, because a server may refuse a longer id for its length alone. */
const unlikelyId = 2_000_000_011

export interface Checkup {
  readonly findings: ReadonlyArray<Finding>
  readonly requests: number
  /** The most severe error; null when the service can be used. */
  readonly failure: ClientError.ClientError | null
}

export interface CheckupOptions<E> {
  readonly client: PropertyClient.Service
  readonly observer: Observer
  /** Whether reads of the client search for another cursor parameter by themselves. */
  readonly searches: boolean
  /** The key as it may be shown. */
  readonly lastFour: string | null
  /** Is called after each stage. */
  readonly onStage: (findings: ReadonlyArray<Finding>) => Effect.Effect<void, E>
}

interface Part {
  readonly findings: ReadonlyArray<Finding>
  readonly failure: ClientError.ClientError | null
}

type Records = PropertyClient.Records<{ readonly id: number }, {}>
type Failed = ClientError.ClientError

const pagesOf = (
  records: Records,
  number: number,
  limit?: number,
): Effect.Effect<Result.Result<ReadonlyArray<AnyPage>, Failed>> => {
  const reading: Stream.Stream<Page<{ readonly id: number }>, Failed> = records.pages({
    limit,
    onRejected: "collect",
    readAhead: 0,
  })
  return Effect.result(Stream.runCollect(Stream.take(reading, number)))
}

interface Assumed {
  readonly parameter: string
  readonly searches: boolean
  /** Whether no further request is allowed. */
  readonly isCutShort: () => boolean
}

/** Reads two pages, to verify the second. If that fails and the client does not search, searches for another cursor parameter. */
const reading = Effect.fnUntraced(function* (records: Records, assumed: Assumed, limit: number | undefined) {
  const pages = yield* pagesOf(records, 2, limit)
  if (Result.isSuccess(pages)) {
    const last = pages.success.at(-1)
    const findings = last === undefined ? [] : [ListFindings.cursorParameter(last, assumed.parameter)]
    return { pages: pages.success, findings, failure: null }
  }
  const failure = pages.failure
  const search =
    ListFindings.isAboutCursor(failure) && !assumed.searches
      ? yield* Effect.result(records.probeCursor)
      : null
  const found = search !== null && Result.isSuccess(search) ? search.success : null
  const finding = ListFindings.cursorFailed(failure, assumed.parameter, found, assumed.isCutShort())
  return { pages: [], findings: [finding], failure }
})

const lists = Effect.fnUntraced(function* (records: Records, assumed: Assumed) {
  const plain = yield* pagesOf(records, 1)
  if (Result.isFailure(plain)) return { pages: [], findings: [], failure: plain.failure }
  const [first] = plain.success
  if (first === undefined) return { pages: [], findings: [], failure: null }
  const findings: Array<Finding> = [ListFindings.defaultSize(first)]
  const pages: Array<AnyPage> = [first]

  const small = yield* pagesOf(records, 1, 1)
  const [one] = Result.isSuccess(small) ? small.success : []
  if (one !== undefined) findings.push(ListFindings.smallLimit(one))
  const obeysLimit = one !== undefined && ListFindings.sizeOf(one) === 1

  if (first.next !== null) {
    const large = yield* pagesOf(records, 1, largeLimit)
    const [many] = Result.isSuccess(large) ? large.success : []
    if (many !== undefined) {
      findings.push(ListFindings.largeLimit(many, largeLimit))
      pages.push(many)
    }
  }

  const limit = obeysLimit ? (ListFindings.sizeOf(first) > 6 ? 3 : 1) : undefined
  const readList = yield* reading(records, assumed, limit)
  pages.push(...readList.pages)
  findings.push(
    ...readList.findings,
    ListFindings.cursorType(first.next ?? one?.next ?? readList.pages[0]?.next ?? null),
    ListFindings.ordering(pages),
  )
  const failure = readList.failure ?? (Result.isFailure(small) ? small.failure : null)
  return { pages, findings, failure }
})

/**
 * Reads a list to its end where that takes few requests. Most accounts have few keys. Without a working cursor one page is read.
 */
const endOf = Effect.fnUntraced(function* (
  records: Records | null,
  seen: ReadonlyArray<AnyPage>,
  mostPages: number,
) {
  const ended = seen.find(({ summary }) => summary.complete)
  if (ended !== undefined || records === null) return { last: ended ?? null, failure: null }
  const pages = yield* pagesOf(records, mostPages, 100)
  return Result.isSuccess(pages)
    ? { last: pages.success.at(-1) ?? null, failure: null }
    : { last: null, failure: ListFindings.isAboutCursor(pages.failure) ? null : pages.failure }
})

const one = Effect.fnUntraced(function* (records: Records, id: number | undefined) {
  const asked = id === undefined ? null : yield* Effect.result(records.get(id))
  const unknown = yield* Effect.result(records.get(unlikelyId))
  const error = asked !== null && Result.isFailure(asked) ? asked.failure : null
  const findings = [
    ...(asked === null ? [] : [RecordFindings.byId(error)]),
    RecordFindings.unknownId(Result.isFailure(unknown) ? unknown.failure : null),
  ]
  return { findings, failure: error }
})

/** Runs the stages one after the other. */
export const run = <E>({
  client,
  lastFour,
  observer,
  onStage,
  searches,
}: CheckupOptions<E>): Effect.Effect<Checkup, E> =>
  Effect.gen(function* () {
    const parts: Array<Part> = []
    const done = (findings: ReadonlyArray<Finding>, failure: Failed | null = null) => {
      parts.push({ findings, failure: failure !== null && isUsedUp(failure) ? null : failure })
      return onStage(findings)
    }
    const ended = (): Checkup => ({
      findings: parts.flatMap(({ findings }) => findings),
      requests: observer.requests(),
      failure: parts.find(({ failure }) => failure !== null)?.failure ?? null,
    })
    const isCutShort = (): boolean => observer.requests() >= mostRequests
    let oddEnd: string | null = null
    client.listen((event) => {
      if (event._tag === "AnomalySeen" && event.anomaly === "end-sentinel") oddEnd = event.detail
    })

    const tried = yield* Effect.result(KeyTrial.run(client))
    if (Result.isFailure(tried)) {
      const { failure } = tried
      yield* done(KeyFindings.notReached(client.config, failure), failure)
      return ended()
    }
    const trials = tried.success
    yield* done([...KeyFindings.reached(client.config, trials), AnswerFindings.clock(observer.answers)])
    yield* done(KeyFindings.ofKey(trials, lastFour), KeyTrial.failure(trials) ?? KeyTrial.unexpected(trials))

    const works = (what: KeyTrial.Trial["what"]): boolean =>
      trials.some((trial) => trial.what === what && trial.error === null)
    const keys: Records | null = works("API keys") ? client.apiKeys : null
    const records: Records | null = works("contracts") ? client.contracts : keys
    if (records !== null) {
      const part = yield* lists(records, { parameter: client.config.cursorParam, searches, isCutShort })
      const readings = part.failure === null || !ListFindings.isAboutCursor(part.failure)
      const end = yield* endOf(keys, part.pages, readings ? 3 : 1)
      yield* done(
        [...part.findings, ListFindings.end(end.last, end.failure, oddEnd)],
        part.failure ?? end.failure,
      )
      const single = yield* one(records, part.pages[0]?.records[0]?.id)
      yield* done([ListFindings.conformity(part.pages), ...single.findings], single.failure)
    }
    yield* done(AnswerFindings.all(observer.answers))
    return ended()
  })
