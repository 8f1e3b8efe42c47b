/**
 * Reads the records that a query asks for, page by page, and hands them on as soon as they are known to be wanted: with an order that is
 * when all are there, else with every page. Knows nothing of screens.
 */
import type { ClientError, RejectedRecord, Page, PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Query } from "./RecordQuery.ts"

/** How a read went. */
export interface ReadList<A> {
  /** Records handed on. */
  readonly given: number
  /** Records of the pages that were read, wanted or not. */
  readonly read: number
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** The last page that was read. */
  readonly last: Page<A> | null
  /** Whether wanted records were left out, or may have been, because there were enough. */
  readonly isCut: boolean
  /** Whether everything that the query asks for was handed on. */
  readonly isComplete: boolean
}

/** Reads, and gives the wanted records out in their order. */
export const reading = <A extends { readonly id: number }, E>(
  records: PropertyClient.Records<A, PropertyClient.GetContractOptions>,
  { filter, limit, max, sort, readings }: Query<A>,
  give: (records: ReadonlyArray<A>) => Effect.Effect<void, E>,
): Effect.Effect<ReadList<A>, ClientError.ClientError | E> =>
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
      const now = wanted.slice(0, max - given)
      given += now.length
      isCut = now.length < wanted.length || (given >= max && page.next !== null)
      return Effect.as(give(now), readings && !isCut)
    }
    const giveSorted = Effect.suspend(() => {
      if (sort === null) return Effect.void
      const now = sort.order(kept).slice(0, max)
      given = now.length
      isCut = given < kept.length
      return give(now)
    })
    // What is read ahead would be a request too many where the first page, or a few records, are enough.
    const readAhead = readings && max === Infinity ? 1 : 0
    return records.pages({ limit, onRejected: "collect", readAhead }).pipe(
      Stream.mapEffect(onPage),
      Stream.takeWhile((goesOn) => goesOn),
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
