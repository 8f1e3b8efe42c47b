/**
 * The figures of a read: pages, records, duplicates, changes, order, limits, anomalies, and when it took place. Returns each id once, and rejects
 * it once. Decides nothing else.
 */
import type { Identified, Model, RawPage } from "./answer.ts"
import type { Answer } from "./call.ts"
import type { Emit } from "../ClientEvent.ts"
import type { CollectionName } from "./serviceRequest.ts"
import { sortKey, sortKeyOf } from "../Timestamp.ts"
import type { Anomaly, Checkpoint, IdOrder, ReadSummary, RejectedRecord, Resumption } from "../Page.ts"

type Totals = {
  -readonly [Name in keyof ReadSummary as ReadSummary[Name] extends number ? Name : never]: number
}

/** The valid records of a page, grouped by how they are handled. */
interface Separated<A> {
  readonly records: ReadonlyArray<A>
  /** The records that were returned before, and those of them in a newer version. */
  readonly repeated: ReadonlyArray<A>
  readonly superseded: ReadonlyArray<A>
}

type Counted = Omit<
  ReadSummary,
  "cursor" | "cursorMeaning" | "orderedBy" | "complete" | "completeness" | "resumed" | "endedAt"
>

export class Stats<A extends Identified> {
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
  readonly seen = new SeenIds()
  /** The returned version of records that can come again in a newer one: the time of the update, or else the version. */
  readonly #versions = new Map<number, string>()
  /** Records updated before this time cannot have changed since they were returned. By the service's clock where it is known. */
  #changesSince: string
  readonly #rejectedIds = new Set<number>()
  #anomalies: ReadSummary["anomalies"] = {}
  #idOrder: IdOrder = "unknown"
  #lastId: number | null = null
  #clampedTo: number | null = null

  /** `before` is the summary of the resumed read, `recent` the last ids that it returned. */
  constructor(
    collection: CollectionName,
    limit: number | null,
    startedAt: string,
    before: ReadSummary | null,
    recent: ReadonlyArray<number>,
    emit: Emit,
  ) {
    this.#collection = collection
    this.#limit = limit
    this.#startedAt = before?.startedAt ?? startedAt
    this.#changesSince = sortKey(before?.endedAt ?? startedAt)
    this.#emit = emit
    for (const id of recent) this.seen.add(id)
    if (before === null) return
    for (const name of Object.keys(this.totals) as Array<keyof Totals>) this.totals[name] = before[name]
    this.#anomalies = before.anomalies
    this.#clampedTo = before.clampedTo
    this.#idOrder = before.idOrder
  }

  /** Whether a record with this id came before, as specified or not. */
  readonly hasSeen = (id: number): boolean => this.seen.has(id) || this.#rejectedIds.has(id)

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

  /** Sets the start by the service's clock at the first answer, in epoch milliseconds, and how long that answer took. */
  startAt(serviceMillis: number | null, tookMillis: number): void {
    if (serviceMillis === null) return
    const start = sortKeyOf(serviceMillis - tookMillis - 1_000)
    if (start < this.#changesSince) this.#changesSince = start
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

  /** Rejects records that are not as specified: each id once, and none that was returned before. */
  reject({ rejected }: RawPage<A>): ReadonlyArray<RejectedRecord> {
    const fresh = rejected.filter(({ id }) => {
      if (id === null) return true
      // A record that was returned already is not lost when it comes again in an invalid form.
      const isNew = !this.#rejectedIds.has(id) && !this.seen.has(id)
      this.#rejectedIds.add(id)
      return isNew
    })
    this.totals.rejected += fresh.length
    this.totals.duplicates += rejected.length - fresh.length
    return fresh
  }

  /**
   * Separates records that come for the first time from repeated ones, and counts and observes them. `isOnPurpose`: the page was requested to see records again.
   */
  separate({ model, open, valid }: RawPage<A>, isOnPurpose: boolean): Separated<A> {
    const startedAt = sortKey(this.#startedAt)
    let fresh: Array<A> | null = null
    const repeated: Array<A> = []
    const superseded: Array<A> = []
    for (let index = 0; index < valid.length; index++) {
      const record = valid[index]!
      model.observe(record, this.note, open)
      const updated = model.updatedAt(record)
      const isNew = this.seen.add(record.id)
      if (updated > startedAt && (isNew || !isOnPurpose)) this.totals.changedDuringRead += 1
      if (isNew) {
        fresh?.push(record)
        this.#order(record.id)
        if (updated >= this.#changesSince) this.#versions.set(record.id, updated)
        else if (updated === "") this.#versions.set(record.id, model.version(record))
        continue
      }
      fresh ??= valid.slice(0, index)
      repeated.push(record)
      if (this.#isNewer(record, updated, model)) superseded.push(record)
    }
    const records = fresh ?? valid
    this.totals.records += records.length
    this.totals[isOnPurpose ? "repeats" : "duplicates"] += repeated.length
    this.totals.supersededDuplicates += superseded.length
    return { records, repeated, superseded }
  }

  #isNewer(record: A, updated: string, model: RawPage<A>["model"]): boolean {
    const known = this.#versions.get(record.id)
    const version = updated === "" ? model.version(record) : updated
    const isNewer =
      updated === ""
        ? known !== undefined && known !== version
        : updated >= this.#changesSince && updated > (known ?? "")
    if (isNewer) this.#versions.set(record.id, version)
    return isNewer
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

/** Small, because most lists are short and a sync reads those of thousands of accounts. */
const blockSize = 512

/** Ids in order, each as its distance from the block's first. */
interface Block {
  readonly base: number
  readonly distances: Int32Array
}

const fits = (distance: number): boolean => (distance | 0) === distance

export class SeenIds {
  readonly #log: Array<Block> = []
  #length = 0
  #last = 0
  /** 1 ascending, -1 descending, 0 not known yet. */
  #direction = 0
  readonly #others = new Set<number>()

  /** Adds an id; false when it was there already. */
  add(id: number): boolean {
    const step = this.#length === 0 ? 0 : Math.sign(id - this.#last)
    if (this.#length < 2 && step !== 0) this.#direction = step
    if (this.#length > 0 && (step === 0 || step !== this.#direction)) {
      return !this.#isLogged(id) && this.#addOther(id)
    }
    if (this.#others.size > 0 && this.#others.has(id)) return false
    const at = this.#length % blockSize
    if (at === 0) this.#log.push({ base: id, distances: new Int32Array(blockSize) })
    const { base, distances } = this.#log[this.#log.length - 1]!
    if (!fits(id - base)) return this.#addOther(id)
    distances[at] = id - base
    this.#length += 1
    this.#last = id
    return true
  }

  has(id: number): boolean {
    return (this.#length > 0 && this.#isLogged(id)) || this.#others.has(id)
  }

  forEach(visit: (id: number) => void): void {
    for (let at = 0; at < this.#length; at++) {
      const { base, distances } = this.#log[Math.floor(at / blockSize)]!
      visit(base + distances[at % blockSize]!)
    }
    this.#others.forEach(visit)
  }

  #addOther(id: number): boolean {
    const before = this.#others.size
    return this.#others.add(id).size > before
  }

  #isLogged(id: number): boolean {
    let low = 0
    let high = this.#length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const { base, distances } = this.#log[Math.floor(middle / blockSize)]!
      const there = base + distances[middle % blockSize]!
      if (there === id) return true
      if ((there - id) * this.#direction < 0) low = middle + 1
      else high = middle - 1
    }
    return false
  }
}
