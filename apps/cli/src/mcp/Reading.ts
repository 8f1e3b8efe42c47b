/**
 * Reads a bounded part of a list: the records of one call, from a limited number of pages, and the place where the next call resumes. The rest of a
 * page is kept for the next call, so nothing is requested twice or lost.
 */
import type { Checkpoint, ClientError, RejectedRecord } from "@deedkit/core"
import type { Sort } from "@deedkit/export"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Failure } from "../failure/Failure.ts"
import type { SourceList } from "../session/RecordSource.ts"

/** Where a read resumes: records that were read but not yet returned, and the next page. */
export interface Place<A> {
  readonly rest: ReadonlyArray<A>
  /** Null before the first page. */
  readonly after: Checkpoint | null
  /** Why no more pages are read: the last page was read, or the records of some pages were sorted. */
  readonly end: "last page" | "sorted" | null
}

/** Before the first page. */
export const start: Place<never> = { rest: [], after: null, end: null }

interface Selection<A> {
  readonly keeps: (record: A) => boolean
  /** An order needs all records, so as many pages as allowed are read for it. */
  readonly sort?: Sort.Sort<A> | undefined
}

interface Bounds {
  readonly records: number
  readonly pages: number
}

interface Part<A> {
  readonly records: ReadonlyArray<A>
  /** Records on the pages read that do not match the specification. */
  readonly rejected: ReadonlyArray<RejectedRecord>
  readonly pagesRead: number
  readonly recordsRead: number
  /** Where to resume; null at the end. */
  readonly next: Place<A> | null
  /** Whether every page was read and every record returned, with this call or an earlier one. */
  readonly isComplete: boolean
}

/** Reports the number of records that a call has read so far. */
export const Progress = Context.Reference<(records: number) => Effect.Effect<void>>("deedkit/mcp/Progress", {
  defaultValue: () => (_records) => Effect.void,
})

/** Records per page. Pages of a mirror cost no request. */
const perPage = { service: 100, mirror: 1_000 } as const

export const read = Effect.fnUntraced(function* <A extends { readonly id: number }>(
  list: SourceList<A>,
  { keeps, sort }: Selection<A>,
  from: Place<A>,
  bounds: Bounds,
): Effect.fn.Return<Part<A>, ClientError.ClientError | Failure> {
  const progress = yield* Progress
  let wanted = [...from.rest]
  const rejected: Array<RejectedRecord> = []
  let { after, end } = from
  let pagesRead = 0
  let recordsRead = 0
  const isEnough = () => end !== null || (sort === undefined && wanted.length >= bounds.records)
  if (!isEnough()) {
    const limit = list.stored === undefined ? perPage.service : perPage.mirror
    yield* list.pages({ limit, onRejected: "collect", readAhead: 0, from: after ?? undefined }).pipe(
      Stream.mapEffect((page) => {
        after = page.checkpoint
        if (page.next === null) end = "last page"
        pagesRead += 1
        recordsRead += page.records.length
        for (const record of page.records) if (keeps(record)) wanted.push(record)
        for (const record of page.rejected) rejected.push(record)
        return Effect.as(progress(recordsRead), !isEnough() && pagesRead < bounds.pages)
      }),
      Stream.takeWhile((continues) => continues),
      Stream.runDrain,
    )
    if (sort !== undefined) {
      wanted = [...sort.order(wanted)]
      end ??= "sorted"
    }
  }
  const rest = wanted.slice(bounds.records)
  const next: Place<A> | null = rest.length === 0 && end !== null ? null : { rest, after, end }
  return {
    records: wanted.slice(0, bounds.records),
    rejected,
    pagesRead,
    recordsRead,
    next,
    isComplete: next === null && end === "last page",
  }
})
