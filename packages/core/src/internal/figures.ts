/** The figures of a read: pages, records, duplicates, changes, order, limits, anomalies, and when it took place. Decides nothing. */
import type { Identified, Model, RawPage } from "./answer.ts"
import type { Answer } from "./call.ts"
import type { Emit } from "../ClientEvent.ts"
import type { CollectionName } from "./serviceRequest.ts"
import { sortKey, sortKeyOf } from "../Timestamp.ts"
import type { Separated } from "./seenRecords.ts"
import type { Anomaly, Checkpoint, IdOrder, ReadSummary, Resumption } from "../Page.ts"

type Totals = {
  -readonly [Name in keyof ReadSummary as ReadSummary[Name] extends number ? Name : never]: number
}

type Counted = Omit<
  ReadSummary,
  "cursor" | "cursorMeaning" | "orderedBy" | "complete" | "completeness" | "resumed" | "endedAt"
>

export class Figures<A extends Identified> {
  readonly totals: Totals = {
    pages: 0,
    records: 0,
    duplicates: 0,
    repeats: 0,
    supersededDuplicates: 0,
    rejected: 0,
    changedDuringRead: 0,
    requests: 0,
    retries: 0,
    waitedMillis: 0,
  }
  readonly #collection: CollectionName
  readonly #limit: number | null
  readonly #emit: Emit
  readonly #startedAt: string
  /** Records updated later than this have changed during the read. By the service's clock where it is known. */
  #changesAfter: string
  readonly #changed = new Set<number>()
  #anomalies: ReadSummary["anomalies"] = {}
  #idOrder: IdOrder = "unknown"
  #lastId: number | null = null
  #clampedTo: number | null = null

  /** `before` is the summary of the resumed read. */
  constructor(
    collection: CollectionName,
    limit: number | null,
    startedAt: string,
    before: ReadSummary | null,
    emit: Emit,
  ) {
    this.#collection = collection
    this.#limit = limit
    this.#startedAt = before?.startedAt ?? startedAt
    this.#changesAfter = sortKey(this.#startedAt)
    this.#emit = emit
    if (before === null) return
    for (const name of Object.keys(this.totals) as Array<keyof Totals>) this.totals[name] = before[name]
    this.#anomalies = before.anomalies
    this.#clampedTo = before.clampedTo
    this.#idOrder = before.idOrder
  }

  summary(): Counted {
    return {
      collection: this.#collection,
      startedAt: this.#startedAt,
      ...this.totals,
      limit: this.#limit,
      clampedTo: this.#clampedTo,
      idOrder: this.#idOrder,
      anomalies: this.#anomalies,
    }
  }

  /** Sets how far the service's clock is ahead of the client's, in milliseconds. */
  setClock(aheadMillis: number): void {
    this.#changesAfter = sortKeyOf(Date.parse(this.#startedAt) + aheadMillis)
  }

  /** Counts the attempts of a call, answered or not. */
  count(calls: { readonly attempts: number; readonly waitedMillis: number }): void {
    this.totals.requests += calls.attempts
    this.totals.retries += Math.max(0, calls.attempts - 1)
    this.totals.waitedMillis += calls.waitedMillis
  }

  /** Counts an anomaly, and emits an event for the first of its kind. */
  readonly note = (anomaly: Anomaly, detail: string): void => {
    const before = this.#anomalies[anomaly] ?? 0
    this.#anomalies = { ...this.#anomalies, [anomaly]: before + 1 }
    if (before === 0) this.#emit({ _tag: "AnomalySeen", collection: this.#collection, anomaly, detail })
  }

  /** Detects a limit on the page size: a page has fewer records than requested, and more are to come. */
  observeSize(size: number, limit: number | null, hasMore: boolean): void {
    if (!hasMore || size === 0 || size >= (limit ?? 0) || this.#clampedTo !== null) return
    this.#clampedTo = size
    this.note("limit-clamped", `${limit} records a page were asked for and ${size} came, with more to come`)
  }

  /** Counts and observes the valid records of a page. `isOnPurpose`: it was requested to see records again. */
  add(
    { model, open, valid }: RawPage<A>,
    { records, repeated, superseded }: Separated<A>,
    isOnPurpose: boolean,
  ): void {
    for (const record of valid) model.observe(record, this.note, open)
    const before = this.#changed.size
    for (const record of superseded.length === 0 ? records : [...records, ...superseded]) {
      if (model.updatedAt(record) > this.#changesAfter) this.#changed.add(record.id)
    }
    this.totals.changedDuringRead += this.#changed.size - before
    for (const { id } of records) this.#order(id)
    this.totals.records += records.length
    this.totals[isOnPurpose ? "repeats" : "duplicates"] += repeated.length
    this.totals.supersededDuplicates += superseded.length
  }

  /** Counts the records of a page that are not as specified, and those of them that are reported. */
  addRejected(rejected: number, reported: number): void {
    this.totals.rejected += reported
    this.totals.duplicates += rejected - reported
  }

  #order(id: number): void {
    const last = this.#lastId
    this.#lastId = id
    if (last === null) return
    const step: IdOrder = id < last ? "descending" : "ascending"
    this.#idOrder = this.#idOrder === "unknown" || this.#idOrder === step ? step : "mixed"
  }
}

// When the read took place: from its first request to its last answer, and the pause before it was resumed. Times of records are compared with the
// service's clock where its answers have one.

/**
 * Epoch milliseconds of a `Date` header; null if it is absent or unreadable, or 1,900 years off: the times that it is compared with have years
 * of four digits.
 */
export const millisOf = (date: string | null): number | null => {
  // `Date.parse` reads null as the text `null`, which is not a date.
  const millis = Date.parse(date!)
  return Math.abs(millis) < 6e13 ? millis : null
}

export class ReadTime {
  /** The last answer, ISO 8601 UTC. */
  endedAt: string
  resumed: Resumption | null

  constructor(startedAt: string, from: Checkpoint | null) {
    this.endedAt = from?.summary.endedAt ?? startedAt
    this.resumed = from?.summary.resumed ?? null
  }

  /** Resumes the read. `records`: those returned before. `mayRepeat`: not all ids that were returned are still known. */
  pause(resumedAt: string, records: number, mayRepeat: boolean): void {
    const before = this.resumed
    this.resumed = {
      pausedAt: before?.pausedAt ?? this.endedAt,
      resumedAt,
      records,
      changed: before?.changed ?? 0,
      mayRepeat: mayRepeat || (before?.mayRepeat ?? false),
    }
  }

  /** Counts those records of an answer that were created or updated during a pause. */
  take<A extends Identified>(
    { answeredAt, serviceDate }: Pick<Answer<unknown>, "answeredAt" | "serviceDate">,
    records: ReadonlyArray<A>,
    { createdAt, updatedAt }: Pick<Model<A>, "createdAt" | "updatedAt">,
  ): void {
    const { resumed } = this
    if (resumed === null) return
    const service = millisOf(serviceDate)
    const skew = service === null ? 0 : service - Date.parse(answeredAt)
    const shifted = (at: string): number => Date.parse(at) + skew
    // Services give the time to the second, in `Date` and often in records, so the whole first and last seconds count as part of the pause.
    const from = sortKeyOf(Math.floor(shifted(resumed.pausedAt) / 1_000) * 1_000)
    const to = sortKeyOf(shifted(resumed.resumedAt) + 999)
    const isBetween = (at: string): boolean => at >= from && at <= to
    const changed = records.filter((record) => isBetween(updatedAt(record)) || isBetween(createdAt(record)))
    this.resumed = { ...resumed, changed: resumed.changed + changed.length }
  }
}
