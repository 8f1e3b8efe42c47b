/**
 * The checkup of a server: small requests through a client, its retries and its rate limiter, stage by stage. A surface chooses the stages and
 * gets the findings of each when they are known, as facts for words of its own. An error of the service is a finding, so no stage fails. No finding
 * holds a key, a body or a value of a record.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { requestIdHeaders } from "../internal/answer.ts"
import type { Service } from "../PropertyClient.ts"
import type { Records } from "../Records.ts"
import type { ClientError } from "../ClientError.ts"
import type { Cursor } from "../internal/cursor.ts"
import type { Page, IdOrder, ReadSummary } from "../Page.ts"
import type { Observer, ObservedAnswer } from "./ObservedAnswers.ts"
import { rateLimitHeaders } from "./ObservedAnswers.ts"
import * as Trial from "./Trial.ts"
import type { Issue } from "../internal/check.ts"
import type { CollectionName } from "../internal/serviceRequest.ts"

export interface Facts {
  /** What answers at the address, and the result of each endpoint that was tried. */
  readonly Address: { readonly base: string; readonly trials: ReadonlyArray<Trial.Trial> }
  /** The encryption. Not encrypted: the address is on this machine. The error is about the connection. */
  readonly Tls: { readonly isEncrypted: boolean }
  /** How far the server's clock is ahead, in milliseconds: the least that its answers allow. Null: it sends no `Date`. */
  readonly Clock: { readonly aheadMillis: number | null }
  /** Whether the key can read anything. */
  readonly Key: {}
  /** Whether the key can read an endpoint. `scope` is the one that it needs, null where that is not specified. */
  readonly Scope: { readonly endpoint: Trial.Endpoint; readonly scope: string | null }
  /** One page, requested with this limit, null for none. `size` is null if the limit was refused. `isLast`: no page follows. */
  readonly PageSize: {
    readonly collection: CollectionName | null
    readonly limit: number | null
    readonly size: number | null
    readonly isLast: boolean
  }
  /**
   * The query parameter that takes the cursor. `assumed` was tried first; `found` is what a read or a search then found, null for nothing.
   * `isCutShort`: not every name was tried, because no request was left.
   */
  readonly CursorParameter: {
    readonly assumed: string
    readonly found: Found | null
    readonly isCutShort: boolean
  }
  /** The type of `next_before_id`; null if no cursor came. */
  readonly CursorType: { readonly type: "integer" | "long-integer" | "digits" | "text" | null }
  /** The order of ids on the pages of the checkup. */
  readonly Order: { readonly order: IdOrder }
  /** The end of the list that was read to its end; null for none. `oddity`: an end other than null, described in a sentence. */
  readonly End: { readonly read: ReadSummary | null; readonly oddity: string | null }
  /** How many records came, and how many of them were rejected. `issue` is the first issue. */
  readonly Conformity: { readonly records: number; readonly rejected: number; readonly issue: Issue | null }
  /** One record by an id that a list has just named. */
  readonly ById: {}
  /** One record by an id that should not exist. No error: a record came. */
  readonly UnknownId: {}
  /** Status and shape of the bodies of errors, each once: `404 {error: string}`. */
  readonly ErrorBodies: { readonly shapes: ReadonlyArray<string> }
  /** The header with the ids of answers, null for none of `tried`, and how many of the answers had it. */
  readonly RequestId: {
    readonly header: string | null
    readonly tried: ReadonlyArray<string>
    readonly having: number
    readonly answers: number
  }
  /** How often 429 came, and whether `Retry-After` came with it. */
  readonly RateLimited: { readonly times: number; readonly hasRetryAfter: boolean }
  /** The headers about the rate limit, with their newest values; empty for none. */
  readonly RateLimitHeaders: { readonly values: { readonly [name: string]: string } }
}

/** The result of the search for the cursor's parameter: one that works, too few records to tell, or none that works. */
export type Found =
  | { readonly _tag: "Verified"; readonly parameter: string; readonly evidence: string | null }
  | { readonly _tag: "CannotTell" | "NoneWorks" }

/** One finding. `error`: why it failed, or why it is unknown; null if nothing failed. */
export type Finding<Tag extends keyof Facts = keyof Facts> = {
  [Each in Tag]: Facts[Each] & { readonly _tag: Each; readonly error: ClientError | null }
}[Tag]

type AnyPage = Page<{ readonly id: number }>

/** A checkup in progress: its client, and what its stages have tried and read so far. */
export interface Session {
  readonly client: Service
  readonly trials: Array<Trial.Trial>
  readonly pages: Array<AnyPage>
}

/** A part of a checkup. It has no findings if an earlier stage has shown that it cannot be judged. */
export type Stage = (session: Session) => Effect.Effect<ReadonlyArray<Finding>>

/** Begins a checkup. Sends nothing. */
export const begin = (client: Service): Session => ({ client, trials: [], pages: [] })

/** Runs stages one after the other, and calls `onFindings` after each. Fails only when `onFindings` does. */
export const run = <E>(
  session: Session,
  stages: ReadonlyArray<Stage>,
  onFindings: (findings: ReadonlyArray<Finding>) => Effect.Effect<void, E>,
): Effect.Effect<void, E> =>
  Effect.forEach(stages, (stage) => Effect.flatMap(stage(session), onFindings), { discard: true })

// Address, encryption, key, scopes and cursor: one small request for each endpoint that is tried, and a few for the name of the cursor's query
// parameter (Spec: Endpoints 5 does not show it).

/** Tries every endpoint: what answers at the address, and the encryption. */
export const connection: Stage = ({ client, trials }) =>
  Effect.map(Trial.run(client), (tried) => {
    trials.push(...tried)
    const { base, origin } = client.config
    const error = Trial.failure(tried)
    const isAnswered = error === null || Trial.about(error) !== "connection"
    const isEncrypted = origin.startsWith("https:")
    const address: Finding = { _tag: "Address", base, trials: tried, error }
    // Without encryption, there is no finding about it until the service answers.
    return isEncrypted || Trial.ending(tried) === null
      ? [address, { _tag: "Tls", isEncrypted, error: isAnswered ? null : error }]
      : [address]
  })

const ofTrial = (trial: Trial.Trial): Finding => ({ _tag: "Scope", ...trial })

/** The key, and which of the tried endpoints it can read. */
export const key: Stage = ({ trials }) => {
  const error = Trial.failure(trials)
  const isRefused = error !== null && Trial.about(error) === "key"
  return Effect.succeed([{ _tag: "Key", error }, ...(isRefused ? [] : trials.map(ofTrial))])
}

/** Tries one endpoint, unless an earlier one failed for a reason other than its scope. */
export const endpoint =
  (tried: Trial.Endpoint): Stage =>
  ({ client, trials }) =>
    trials.every(({ error }) => error === null || Trial.about(error) === "scope")
      ? Effect.map(Trial.one(client, tried), (trial) => {
          trials.push(trial)
          return [ofTrial(trial)]
        })
      : Effect.succeed([])

/** Searches for the cursor's parameter in the list of contracts, if the key can read it. */
export const cursor: Stage = ({ client, trials }) => {
  const facts = { _tag: "CursorParameter", assumed: client.config.cursorParam, isCutShort: false } as const
  return Trial.works(trials, "contracts")
    ? Effect.match(client.contracts.probeCursor, {
        onFailure: (error) => [{ ...facts, found: null, error }],
        onSuccess: (found) => [{ ...facts, found, error: null }],
      })
    : Effect.succeed([])
}

// Lists: page sizes, limit, cursor, order, end, from a few pages. Each of these is open in the specification (Spec: Endpoints 5, 6; Limits 2).

const largeLimit = 500

type List = Records<{ readonly id: number }, {}>

export interface ListsOptions {
  readonly observer: Observer
  /** Whether reads of the client search for another cursor parameter by themselves. */
  readonly searches: boolean
}

interface Reading {
  readonly pages: ReadonlyArray<AnyPage>
  readonly error: ClientError | null
}

/** The list that a checkup reads: contracts, or API keys if the key cannot read contracts; null if it can read neither. */
const listOf = ({ client, trials }: Session): List | null => {
  if (Trial.works(trials, "contracts")) return client.contracts
  return Trial.works(trials, "api-keys") ? client.apiKeys : null
}

/** How many records a page had, rejected ones included. */
const sizeOf = ({ records, rejected }: AnyPage): number => records.length + rejected.length

const pagesOf = (list: List, number: number, limit?: number): Effect.Effect<Reading> => {
  const reading: Stream.Stream<AnyPage, ClientError> = list.pages({
    limit,
    onRejected: "collect",
    readAhead: 0,
  })
  return Effect.match(Stream.runCollect(Stream.take(reading, number)), {
    onFailure: (error) => ({ pages: [], error }),
    onSuccess: (pages) => ({ pages, error: null }),
  })
}

const pageSize = (limit: number | null, { error, pages: [page] }: Reading): Finding => {
  const isRefused = page === undefined || (page.summary.anomalies["limit-rejected"] ?? 0) > 0
  const collection = page?.summary.collection ?? null
  const isLast = page?.next === null
  return { _tag: "PageSize", collection, limit, size: isRefused ? null : sizeOf(page), isLast, error }
}

const isAboutCursor = ({ reason }: ClientError): boolean =>
  reason._tag === "CursorIgnored" || reason._tag === "CursorRejected"

/** Judges two pages, of which the client has verified the second. If they failed and the client did not search, searches for another parameter. */
const cursorParameter = Effect.fnUntraced(function* (
  list: List,
  assumed: string,
  { error, pages }: Reading,
  { observer, searches }: ListsOptions,
) {
  if (error === null) {
    const { state, ...cursor } = pages.at(-1)!.summary.cursor
    const found = { _tag: state === "verified" ? "Verified" : "CannotTell", ...cursor } as const
    return { _tag: "CursorParameter", assumed, found, isCutShort: false, error } satisfies Finding
  }
  const found =
    isAboutCursor(error) && !searches
      ? yield* Effect.match(list.probeCursor, { onFailure: () => null, onSuccess: (finding) => finding })
      : null
  const isCutShort = observer.isUsedUp()
  return { _tag: "CursorParameter", assumed, found, isCutShort, error } satisfies Finding
})

const typeOf = (cursor: Cursor): Finding<"CursorType">["type"] => {
  if (typeof cursor === "number") return "integer"
  if (typeof cursor === "bigint") return "long-integer"
  return /^\d+$/.test(cursor) ? "digits" : "text"
}

const ordering = (pages: ReadonlyArray<AnyPage>): IdOrder => {
  const [only = "unknown", ...others] = new Set(
    pages.map(({ summary }) => summary.idOrder).filter((each) => each !== "unknown"),
  )
  return others.length > 0 ? "mixed" : only
}

/** A list that was read to its end. If there is none yet, API keys are read where possible, because most accounts have few of them. */
const ended = ({ client, pages, trials }: Session, isCursorWrong: boolean): Effect.Effect<Reading> => {
  const whole = pages.find(({ summary }) => summary.complete)
  return whole !== undefined || !Trial.works(trials, "api-keys")
    ? Effect.succeed({ error: null, pages: whole === undefined ? [] : [whole] })
    : pagesOf(client.apiKeys, isCursorWrong ? 1 : 3, 100)
}

const end = ({ error, pages }: Reading, oddity: string | null): Finding => {
  const summary = pages.at(-1)?.summary
  const read = summary?.complete === true ? summary : null
  return { _tag: "End", read, oddity, error: error !== null && isAboutCursor(error) ? null : error }
}

export const lists =
  (options: ListsOptions): Stage =>
  (session) =>
    Effect.gen(function* () {
      const { client, pages } = session
      const list = listOf(session)
      if (list === null) return []
      let oddity: string | null = null
      const stopListening = client.listen((event) => {
        if (event._tag === "AnomalySeen" && event.anomaly === "end-sentinel") oddity = event.detail
      })
      yield* Effect.addFinalizer(() => Effect.sync(stopListening))
      const found: Array<Finding> = []
      const sized = (limit: number | null) =>
        Effect.map(pagesOf(list, 1, limit ?? undefined), (reading) => {
          found.push(pageSize(limit, reading))
          return reading.pages[0] ?? null
        })
      const first = yield* sized(null)
      let isCursorWrong = false
      if (first !== null) {
        const one = yield* sized(1)
        const many = first.next === null ? null : yield* sized(largeLimit)
        const obeysLimit = one !== null && sizeOf(one) === 1
        const two = yield* pagesOf(list, 2, obeysLimit ? (sizeOf(first) > 6 ? 3 : 1) : undefined)
        isCursorWrong = two.error !== null && isAboutCursor(two.error)
        pages.push(first, ...(many === null ? [] : [many]), ...two.pages)
        const cursor = first.next ?? one?.next ?? two.pages[0]?.next ?? null
        found.push(
          yield* cursorParameter(list, client.config.cursorParam, two, options),
          { _tag: "CursorType", type: cursor === null ? null : typeOf(cursor), error: null },
          { _tag: "Order", order: ordering(pages), error: null },
        )
      }
      const reading = yield* ended(session, isCursorWrong)
      return [...found, end(reading, oddity)]
    }).pipe(Effect.scoped)

// Single records: whether those of the pages are as specified, whether the retrieve form gives the requested one (Spec: Endpoints 1), and the answer
// to an id that does not exist, which is not shown (Spec: Errors 3).

/** Within 31 bits, because a server may refuse a longer id only because of its length. */
const unlikelyId = 2_000_000_011

/** Judges the records of the stage `lists`, and asks for the first of them and for one that should not exist. */
export const records: Stage = (session) =>
  Effect.gen(function* () {
    const { pages } = session
    const list = listOf(session)
    if (list === null) return []
    const errorOf = (id: number) =>
      Effect.match(list.get(id), { onFailure: (error) => error, onSuccess: () => null })
    const rejected = pages.flatMap((page) => page.rejected)
    const conformity: Finding = {
      _tag: "Conformity",
      records: pages.reduce((sum, page) => sum + sizeOf(page), 0),
      rejected: rejected.length,
      issue: rejected.flatMap(({ issues }) => issues)[0] ?? null,
      error: null,
    }
    const id = pages[0]?.records[0]?.id
    const byId: ReadonlyArray<Finding> = id === undefined ? [] : [{ _tag: "ById", error: yield* errorOf(id) }]
    return [conformity, ...byId, { _tag: "UnknownId", error: yield* errorOf(unlikelyId) }]
  })

// The answers of a checkup: the server's clock, bodies of errors, request ids, rate limits (Spec: Errors 2, Events, Limits 1). These stages send
// nothing.

/**
 * The values by which the clock is judged: when an answer was requested and when it had arrived, in epoch milliseconds of this machine, and its
 * header `date`.
 */
export interface DatedAnswer {
  readonly sentAt: number
  readonly receivedAt: number
  readonly headers: { readonly [name: string]: string | null }
}

/** How far the server's clock is ahead, in milliseconds: the least that its answers allow, because `Date` has whole seconds only. */
export const clockDifference = (answers: ReadonlyArray<DatedAnswer>): number | null => {
  const dated = answers.flatMap(({ headers, receivedAt, sentAt }) => {
    const date = Date.parse(headers["date"] ?? "")
    // The server read its clock between sending and receiving, and dropped the fraction of the second.
    return Number.isNaN(date) ? [] : { least: date - receivedAt, most: date + 1_000 - sentAt }
  })
  if (dated.length === 0) return null
  const least = Math.max(...dated.map((each) => each.least))
  return least > 0 ? least : Math.min(0, ...dated.map(({ most }) => most))
}

export const clock =
  (answers: ReadonlyArray<DatedAnswer>): Stage =>
  () =>
    Effect.sync(() => [{ _tag: "Clock", aheadMillis: clockDifference(answers), error: null }])

/** Error bodies, request ids and rate limits, over all observed answers. */
export const answers =
  (observed: ReadonlyArray<ObservedAnswer>): Stage =>
  () =>
    Effect.sync(() => {
      const error = null
      const having = (name: string | null) =>
        observed.filter(({ headers }) => name !== null && name in headers).length
      const failed = observed.filter(({ errorShape }) => errorShape !== null)
      const shapes = [...new Set(failed.map(({ errorShape, status }) => `${status} ${errorShape}`))]
      const tried = requestIdHeaders
      const header = tried.find((name) => having(name) > 0) ?? null
      const limited = observed.filter(({ status }) => status === 429)
      const hasRetryAfter = limited.some(({ headers }) => "retry-after" in headers)
      const limits = rateLimitHeaders.filter((name) => having(name) > 0)
      const newest = observed.findLast(({ headers }) => limits.some((name) => name in headers))
      const values = Object.fromEntries(limits.map((name) => [name, newest?.headers[name] ?? "?"]))
      return [
        { _tag: "ErrorBodies", shapes, error },
        { _tag: "RequestId", header, tried, having: having(header), answers: observed.length, error },
        { _tag: "RateLimited", times: limited.length, hasRetryAfter, error },
        { _tag: "RateLimitHeaders", values, error },
      ]
    })
