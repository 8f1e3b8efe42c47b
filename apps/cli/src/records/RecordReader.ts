/**
 * Reads the records of a query, page by page, and passes them on as soon as possible: after the last page if there is a sort order, otherwise after
 * every page.
 */
import type { ClientError, RejectedRecord, Page } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Query } from "./RecordQuery.ts"
import type { Failure } from "../failure/Failure.ts"
import type { SourceList } from "../session/RecordSource.ts"

/** The result of a read. */
export interface ReadList<A> {
  /** Number of records passed on. */
  readonly given: number
  /** Number of records on the pages that were read, matching or not. */
  readonly read: number
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** The last page that was read. */
  readonly last: Page<A> | null
  /** Whether the limit omitted matching records, or may have. */
  readonly isCut: boolean
  /** Whether every record of the query was passed on. */
  readonly isComplete: boolean
}

/** Reads the list and passes on the matching records in order. */
export const reading = <A extends { readonly id: number }, E>(
  records: SourceList<A>,
  { filter, limit, pageSize, readsAll, sort }: Query<A>,
  give: (records: ReadonlyArray<A>) => Effect.Effect<void, E>,
): Effect.Effect<ReadList<A>, ClientError.ClientError | Failure | E> =>
  Effect.suspend(() => {
    const kept: Array<A> = []
    const rejected: Array<RejectedRecord> = []
    let given = 0
    let read = 0
    let isCut = false
    let last: Page<A> | null = null

    const onPage = (page: Page<A>): Effect.Effect<boolean, E> => {
      last = page
      read += page.records.length
      rejected.push(...page.rejected)
      const wanted = page.records.filter(filter.keeps)
      if (sort !== null) {
        kept.push(...wanted)
        return Effect.succeed(true)
      }
      const now = wanted.slice(0, limit - given)
      given += now.length
      isCut = now.length < wanted.length || (given >= limit && page.next !== null)
      return Effect.as(give(now), readsAll && !isCut)
    }
    const giveSorted = Effect.suspend(() => {
      if (sort === null) return Effect.void
      const now = sort.order(kept).slice(0, limit)
      given = now.length
      isCut = given < kept.length
      return give(now)
    })
    // If the first page or a few records are enough, reading ahead would be one request too many.
    const readAhead = readsAll && limit === Infinity ? 1 : 0
    return records.pages({ limit: pageSize, onRejected: "collect", readAhead }).pipe(
      Stream.mapEffect(onPage),
      Stream.takeWhile((continues) => continues),
      Stream.runDrain,
      Effect.andThen(giveSorted),
      Effect.map(() => ({
        given,
        read,
        rejected,
        last,
        isCut,
        isComplete: !isCut && (last?.summary.complete ?? false),
      })),
    )
  })
