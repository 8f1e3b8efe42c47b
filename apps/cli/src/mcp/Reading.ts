/**
 * Reads a bounded part of a collection: the records of one call, from a limited number of pages, and the place where the next call resumes. The rest
 * of a page is kept for the next call, so nothing is requested twice or lost.
 */
import type { Checkpoint, ClientError, RejectedRecord, Page, PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Where a read resumes: records that were read but not yet returned, and the next page. */
export interface Place<A> {
  readonly rest: ReadonlyArray<A>
  /** Null before the first page. */
  readonly after: Checkpoint | null
  /** Whether the last page was read. */
  readonly isEnd: boolean
}

export interface Bounds {
  readonly records: number
  readonly pages: number
  /** Records per page. */
  readonly limit: number
}

export interface Part<A> {
  readonly records: ReadonlyArray<A>
  /** Records on the pages read that do not match the specification. */
  readonly rejected: ReadonlyArray<RejectedRecord>
  readonly pagesRead: number
  readonly recordsRead: number
  /** Where to resume; null at the end. */
  readonly next: Place<A> | null
}

/** Before the first page. */
export const start: Place<never> = { rest: [], after: null, isEnd: false }

export const read = <A extends { readonly id: number }>(
  records: PropertyClient.Records<A, PropertyClient.GetContractOptions>,
  keeps: (record: A) => boolean,
  from: Place<A>,
  bounds: Bounds,
): Effect.Effect<Part<A>, ClientError.ClientError> =>
  Effect.suspend(() => {
    const wanted = [...from.rest]
    const rejected: Array<RejectedRecord> = []
    let { after, isEnd } = from
    let pagesRead = 0
    let recordsRead = 0
    const onPage = (page: Page<A>): boolean => {
      after = page.checkpoint
      isEnd = page.next === null
      pagesRead += 1
      recordsRead += page.records.length
      for (const record of page.records.filter(keeps)) wanted.push(record)
      for (const record of page.rejected) rejected.push(record)
      return wanted.length < bounds.records && pagesRead < bounds.pages
    }
    const readPages = Effect.suspend(() =>
      isEnd || wanted.length >= bounds.records
        ? Effect.void
        : records
            .pages({ limit: bounds.limit, onRejected: "collect", readAhead: 0, from: after ?? undefined })
            .pipe(
              Stream.map(onPage),
              Stream.takeWhile((continues) => continues),
              Stream.runDrain,
            ),
    )
    return Effect.map(readPages, () => {
      const rest = wanted.slice(bounds.records)
      return {
        records: wanted.slice(0, bounds.records),
        rejected,
        pagesRead,
        recordsRead,
        next: rest.length === 0 && isEnd ? null : { rest, after, isEnd },
      }
    })
  })

const most = 100

/**
 * The cursors of this server: short tokens such as `c1` for places, kept in memory while this process runs. A token can be reused, so that a lost call
 * can be repeated. The oldest tokens expire.
 */
export class Positions<P> {
  readonly #places = new Map<string, P>()
  readonly #prefix: string
  #last = 0

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Stores a place and returns its token. */
  keep(place: P): string {
    this.#last += 1
    const token = `${this.#prefix}${this.#last}`
    this.#places.set(token, place)
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= most) break
      this.#places.delete(oldest)
    }
    return token
  }

  /** The place of a token; undefined when it is unknown or has expired. */
  find(token: string): P | undefined {
    return this.#places.get(token)
  }
}
