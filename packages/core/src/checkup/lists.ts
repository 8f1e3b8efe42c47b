/**
 * The stage about lists: page sizes, limit, cursor, order, end, from a few pages. Each of these is open in the specification
 * (Spec: Endpoints 5, 6; Limits 2).
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Records } from "../client/Records.ts"
import type { ClientError } from "../error/ClientError.ts"
import type { Cursor } from "../pagination/Cursor.ts"
import type { IdOrder } from "../pagination/ReadSummary.ts"
import type { AnyPage, Session, Stage } from "./Checkup.ts"
import type { Finding } from "./Finding.ts"
import type { Observer } from "./ObservedAnswers.ts"
import * as Trial from "./Trial.ts"

const largeLimit = 500

type List = Records<{ readonly id: number }, {}>

/** The options of the stage. */
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
export const listOf = ({ client, trials }: Session): List | null => {
  if (Trial.works(trials, "contracts")) return client.contracts
  return Trial.works(trials, "api-keys") ? client.apiKeys : null
}

/** How many records a page had, rejected ones included. */
export const sizeOf = ({ records, rejected }: AnyPage): number => records.length + rejected.length

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

/** Reads a few pages of a list. */
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
