/**
 * Records of one kind in the order in which they are served, found by id and by index without sorting again.
 * Serves Endpoints 2 and 6. A change makes a new array, so that a holder of the old one sees no change.
 */
import type { Assumptions } from "./Assumptions.ts"
import { mix } from "./Random.ts"

/** The members by which a record can be ordered. */
export interface Orderable {
  readonly id: number
  readonly created_at?: string
  readonly updated_at?: string
}

/** An ordered set of records. */
export interface Collection<R extends Orderable> {
  /** All records, in the order in which lists serve them. */
  readonly records: () => ReadonlyArray<R>
  readonly get: (id: number) => R | undefined
  /** Index of the record, or of the first record after the place that it would have; undefined if that place is unknown. */
  readonly place: (id: number) => number | undefined
  /** Adds the record, or replaces the one with the same id. */
  readonly put: (record: R) => void
  readonly remove: (id: number) => R | undefined
  /** An id above every id that was ever in the collection. */
  readonly nextId: () => number
}

/** Whether ascending items come newest page first: the records are kept descending, and each page is reversed. */
export const newestFirst = (assumptions: Assumptions): boolean =>
  assumptions.ordering === "ascending" && assumptions.ascendingPages === "newest-first"

type Compare = (left: Orderable, right: Orderable) => number

/** Makes a collection of records with ascending ids. */
export const make = <R extends Orderable>(
  ascending: ReadonlyArray<R>,
  assumptions: Assumptions,
  seed: number,
): Collection<R> => {
  const ordering = newestFirst(assumptions) ? "descending" : assumptions.ordering
  const compare = compareBy(ordering, seed)
  let records: ReadonlyArray<R> =
    ordering === "ascending"
      ? ascending
      : ordering === "descending"
        ? ascending.toReversed()
        : ascending.toSorted(compare)
  const byId = new Map(ascending.map((record) => [record.id, record]))
  const gone = new Map<number, R>()
  let highest = ascending.at(-1)?.id ?? 0

  const lowerBound = (wanted: Orderable): number => {
    let low = 0
    let high = records.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(records[middle] as R, wanted) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  const place = (id: number) => {
    const known = byId.get(id) ?? gone.get(id)
    return known === undefined && ordering === "updated" ? undefined : lowerBound(known ?? { id })
  }

  const remove = (id: number) => {
    const record = byId.get(id)
    if (record === undefined) return undefined
    records = records.toSpliced(lowerBound(record), 1)
    byId.delete(id)
    gone.set(id, record)
    return record
  }

  const put = (record: R) => {
    const known = byId.get(record.id)
    if (known !== undefined && compare(known, record) === 0) {
      records = records.with(lowerBound(known), record)
    } else {
      remove(record.id)
      records = records.toSpliced(lowerBound(record), 0, record)
    }
    gone.delete(record.id)
    byId.set(record.id, record)
    highest = Math.max(highest, record.id)
  }

  return { records: () => records, get: (id) => byId.get(id), place, put, remove, nextId: () => highest + 1 }
}

const compareBy = (ordering: Assumptions["ordering"], seed: number): Compare => {
  switch (ordering) {
    case "ascending":
      return (left, right) => left.id - right.id
    case "descending":
      return (left, right) => right.id - left.id
    case "random":
      return (left, right) => mix(left.id ^ seed) - mix(right.id ^ seed) || left.id - right.id
    case "updated":
      return (left, right) => {
        const [one, other] = [
          left.updated_at ?? left.created_at ?? "",
          right.updated_at ?? right.created_at ?? "",
        ]
        return one < other ? 1 : one > other ? -1 : right.id - left.id
      }
  }
}
