/**
 * What a walk has seen so far, counted: pages, records, duplicates, changes, order, limits, anomalies. Gives out each id once, and
 * sets it aside once. Judges nothing.
 */
import type { CursorVerification } from "../Cursor.ts"
import type { InvalidRecord } from "../Page.ts"
import type { CollectionName } from "../ServiceRequest.ts"
import { toEpochMillis } from "../Timestamp.ts"
import type { Anomaly, Ordering, WalkSummary } from "../WalkSummary.ts"
import type { Emit } from "./Caller.ts"
import type { RawPage } from "./envelope.ts"
import { SeenIds } from "./SeenIds.ts"

/** A timestamp in the form in which texts sort like moments. Nearly all are in it already. */
const inUtc = (timestamp: string): string =>
  timestamp.endsWith("Z") || timestamp === "" ? timestamp : new Date(toEpochMillis(timestamp)).toISOString()

type Totals = {
  -readonly [Name in keyof WalkSummary as WalkSummary[Name] extends number ? Name : never]: number
}

export class Tally<A extends { readonly id: number }> {
  readonly totals: Totals = {
    pages: 0,
    records: 0,
    duplicates: 0,
    supersededDuplicates: 0,
    invalid: 0,
    changedDuringWalk: 0,
    requests: 0,
    retries: 0,
    waitedMillis: 0,
  }
  readonly #collection: CollectionName
  readonly #limit: number | null
  readonly #emit: Emit
  readonly #startedAt: string
  readonly #seen = new SeenIds()
  readonly #updates = new Map<number, string>()
  /** Ids of records that were set aside. */
  readonly #setAside = new Set<number>()
  #anomalies: WalkSummary["anomalies"] = {}
  #ordering: Ordering = "unknown"
  #lastId: number | null = null
  #clampedTo: number | null = null

  /** `before` is the summary of the walk that goes on, `recent` the ids that it gave out last. */
  constructor(
    collection: CollectionName,
    limit: number | null,
    startedAt: string,
    before: WalkSummary | null,
    recent: ReadonlyArray<number>,
    emit: Emit,
  ) {
    this.#collection = collection
    this.#limit = limit
    this.#startedAt = before?.startedAt ?? startedAt
    this.#emit = emit
    for (const id of recent) {
      this.#seen.add(id)
      this.#setAside.add(id)
    }
    if (before === null) return
    for (const name of Object.keys(this.totals) as Array<keyof Totals>) this.totals[name] = before[name]
    this.#anomalies = before.anomalies
    this.#clampedTo = before.clampedTo
    this.#ordering = before.ordering
  }

  summary(cursor: CursorVerification, complete: boolean): WalkSummary {
    const { totals } = this
    return {
      collection: this.#collection,
      startedAt: this.#startedAt,
      pages: totals.pages,
      records: totals.records,
      duplicates: totals.duplicates,
      supersededDuplicates: totals.supersededDuplicates,
      invalid: totals.invalid,
      changedDuringWalk: totals.changedDuringWalk,
      requests: totals.requests,
      retries: totals.retries,
      waitedMillis: totals.waitedMillis,
      limit: this.#limit,
      clampedTo: this.#clampedTo,
      ordering: this.#ordering,
      anomalies: this.#anomalies,
      cursor,
      complete,
    }
  }

  /** Counts the attempts of a call, answered or not. */
  count(calls: { readonly attempts: number; readonly waitedMillis: number }): void {
    this.totals.requests += calls.attempts
    this.totals.retries += Math.max(0, calls.attempts - 1)
    this.totals.waitedMillis += calls.waitedMillis
  }

  /** Notes something that the specification leaves open; the first of its kind is an event. */
  readonly note = (anomaly: Anomaly, detail: string): void => {
    const before = this.#anomalies[anomaly] ?? 0
    this.#anomalies = { ...this.#anomalies, [anomaly]: before + 1 }
    if (before === 0) this.#emit({ _tag: "AnomalySeen", collection: this.#collection, anomaly, detail })
  }

  /** Fewer records than asked for, and more to come: the server gives no larger pages. */
  observeSize(size: number, limit: number | null, hasMore: boolean): void {
    if (limit === null || !hasMore || size === 0 || size >= limit || this.#clampedTo !== null) return
    this.#clampedTo = size
    this.note("limit-clamped", `${limit} records a page were asked for and ${size} came, with more to come`)
  }

  /** Sets aside what is not as specified: once, where its id can be read. */
  setAside({ invalid }: RawPage<A>): ReadonlyArray<InvalidRecord> {
    const fresh = invalid.filter(({ id }) => {
      if (id === null) return true
      const isNew = !this.#setAside.has(id)
      this.#setAside.add(id)
      return isNew
    })
    this.totals.invalid += fresh.length
    this.totals.duplicates += invalid.length - fresh.length
    return fresh.length === invalid.length ? invalid : fresh
  }

  /** Gives out each id once, and looks at what the records show by the way. */
  give({ model, open, valid }: RawPage<A>): ReadonlyArray<A> {
    const startedAt = this.#startedAt
    let fresh: Array<A> | null = null
    for (let index = 0; index < valid.length; index++) {
      const record = valid[index]!
      model.observe(record, this.note, open)
      const updated = inUtc(model.updatedAt(record))
      const changed = updated > startedAt
      if (changed) this.totals.changedDuringWalk += 1
      this.#order(record.id)
      if (this.#seen.add(record.id)) {
        fresh?.push(record)
        if (changed) this.#updates.set(record.id, updated)
        continue
      }
      fresh ??= valid.slice(0, index)
      this.totals.duplicates += 1
      if (changed && updated > (this.#updates.get(record.id) ?? "")) this.totals.supersededDuplicates += 1
    }
    const given = fresh ?? valid
    this.totals.records += given.length
    return given
  }

  #order(id: number): void {
    const last = this.#lastId
    this.#lastId = id
    if (last === null || last === id || this.#ordering === "mixed") return
    const step: Ordering = id < last ? "descending" : "ascending"
    this.#ordering = this.#ordering === "unknown" || this.#ordering === step ? step : "mixed"
  }
}
