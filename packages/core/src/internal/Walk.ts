/**
 * The state of one walk over the pages of a collection: what has come so far, and whether the next page may be believed. Pure
 * bookkeeping on values that have arrived; requests are made by `Pagination`.
 */
import type { Checkpoint } from "../Checkpoint.ts"
import type { Reason } from "../ClientError.ts"
import type { ClientEvent } from "../ClientEvent.ts"
import * as Cursor from "../Cursor.ts"
import type { InvalidRecord, Page } from "../Page.ts"
import type { Collection } from "../ServiceRequest.ts"
import type { Anomaly, Ordering, WalkSummary } from "../WalkSummary.ts"
import type { Answer } from "./Caller.ts"
import type { RawPage } from "./envelope.ts"
import { SeenIds } from "./SeenIds.ts"

export interface WalkOptions {
  readonly collection: Collection
  readonly cursorParam: string
  readonly limit: number | null
  readonly onInvalid: "fail" | "collect"
  readonly maxPages: number
  readonly origin: string
  readonly keyFingerprint: string
  readonly startedAt: number
  readonly from: Checkpoint | null
  readonly emit: (event: ClientEvent) => void
}

/** A page that may be given out, or the reason why the walk ends here. */
export type Step<A> =
  | { readonly _tag: "Page"; readonly page: Page<A> }
  | { readonly _tag: "Stopped"; readonly reason: Reason }

type Totals = {
  -readonly [Name in keyof WalkSummary as WalkSummary[Name] extends number ? Name : never]: number
}

const emptyPagesInARow = 3

export class Walk<A extends { readonly id: number }> {
  readonly #options: WalkOptions
  readonly #seen = new SeenIds()
  readonly #cursors = new Set<string>()
  readonly #updates = new Map<number, string>()
  #anomalies: WalkSummary["anomalies"] = {}
  readonly #startedIso: string
  #first: ReadonlyArray<number> | null = null
  #verification: Cursor.CursorVerification
  #ordering: Ordering = "unknown"
  #lastId: number | null = null
  #emptyInARow = 0
  readonly #totals: Totals = {
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
  #clampedTo: number | null = null
  #complete = false
  /** The limit to send; a server that rejects it is asked without. */
  limit: number | null

  constructor(options: WalkOptions) {
    this.#options = options
    this.#startedIso = new Date(options.startedAt).toISOString()
    this.limit = options.limit
    this.#verification = { parameter: options.cursorParam, state: "unverified", evidence: null }
    const before = options.from?.summary
    if (before === undefined) return
    this.#startedIso = before.startedAt
    for (const name of Object.keys(this.#totals) as Array<keyof Totals>) this.#totals[name] = before[name]
    this.#anomalies = before.anomalies
    this.#clampedTo = before.clampedTo
    this.#ordering = before.ordering
    if (before.cursor.parameter === options.cursorParam && before.cursor.state === "verified") {
      this.#verification = before.cursor
    }
  }

  /** The walk up to now. */
  summary(): WalkSummary {
    const totals = this.#totals
    return {
      collection: this.#options.collection.name,
      startedAt: this.#startedIso,
      pages: totals.pages,
      records: totals.records,
      duplicates: totals.duplicates,
      supersededDuplicates: totals.supersededDuplicates,
      invalid: totals.invalid,
      changedDuringWalk: totals.changedDuringWalk,
      requests: totals.requests,
      retries: totals.retries,
      waitedMillis: totals.waitedMillis,
      limit: this.#options.limit,
      clampedTo: this.#clampedTo,
      ordering: this.#ordering,
      anomalies: this.#anomalies,
      cursor: this.#verification,
      complete: this.#complete,
    }
  }

  /** The query parameter that takes the cursor. */
  get cursorParam(): string {
    return this.#verification.parameter
  }

  /** Goes on with another parameter, which the next page must confirm like the first one. */
  useCursorParam(parameter: string, detail: string): void {
    this.note("cursor-param-found", detail)
    this.#verification = { parameter, state: "unverified", evidence: null }
  }

  /** Counts the attempts of a call, answered or not. */
  count(calls: { readonly attempts: number; readonly waitedMillis: number }): void {
    this.#totals.requests += calls.attempts
    this.#totals.retries += Math.max(0, calls.attempts - 1)
    this.#totals.waitedMillis += calls.waitedMillis
  }

  readonly #noteOf = (anomaly: Anomaly, detail: string): void => this.note(anomaly, detail)

  /** Notes something that the specification leaves open; the first of its kind is an event. */
  note(anomaly: Anomaly, detail: string): void {
    const before = this.#anomalies[anomaly] ?? 0
    this.#anomalies = { ...this.#anomalies, [anomaly]: before + 1 }
    if (before > 0) return
    const at = new Date().toISOString()
    this.#options.emit({
      _tag: "AnomalySeen",
      at,
      collection: this.#options.collection.name,
      anomaly,
      detail,
    })
  }

  /** Takes the answer to the request with the cursor `sent` (null for the first page). */
  accept(answer: Answer<RawPage<A>>, sent: Cursor.Cursor | null): Step<A> {
    this.count(answer)
    const { invalid, next, valid } = answer.value
    const size = valid.length + invalid.length
    if (invalid.length > 0 && this.#options.onInvalid === "fail") {
      const { id, issues } = invalid[0]!
      return { _tag: "Stopped", reason: { _tag: "RecordInvalid", id, issues } }
    }
    const cursor = next._tag === "More" ? next.cursor : null
    const stopped = this.#judge(valid, sent, cursor) ?? this.#guard(size, cursor)
    if (stopped !== null) return { _tag: "Stopped", reason: stopped }
    if (next._tag === "End" && next.sentinel !== "null") {
      this.note("end-sentinel", `next_before_id was ${next.sentinel} where null is documented`)
    }
    this.#totals.pages += 1
    this.#totals.invalid += invalid.length
    this.#observeLimit(size, cursor)
    const records = this.#give(answer.value)
    this.#totals.records += records.length
    this.#complete = cursor === null
    if (this.#complete && sent === null && this.#verification.state === "unverified") {
      this.#verification = { ...this.#verification, state: "single-page" }
    }
    return { _tag: "Page", page: this.#page(records, invalid, cursor, answer.requestId) }
  }

  #judge(valid: ReadonlyArray<A>, sent: Cursor.Cursor | null, next: Cursor.Cursor | null): Reason | null {
    if (this.#verification.state === "verified" || valid.length === 0) return null
    const ids = valid.map((record) => record.id)
    if (sent === null || this.#first === null) {
      this.#first = ids
      return null
    }
    const verdict = Cursor.judgeSecondPage({ first: this.#first, sent, second: ids, next })
    const cursorParam = this.#verification.parameter
    if (verdict._tag === "Ignored") return { _tag: "CursorIgnored", cursorParam, evidence: verdict.evidence }
    if (verdict.inclusive)
      this.note("inclusive-cursor", "the record that the cursor names came again on the next page")
    this.#first = null
    this.#verification = { parameter: cursorParam, state: "verified", evidence: verdict.evidence }
    return null
  }

  #guard(items: number, next: Cursor.Cursor | null): Reason | null {
    this.#emptyInARow = items === 0 ? this.#emptyInARow + 1 : 0
    if (next === null) return null
    const stalled = (kind: Cursor.StallEvidence["kind"], text: string): Reason => ({
      _tag: "PaginationStalled",
      evidence: { kind, text },
    })
    const text = `${typeof next === "string" ? "text" : "number"} ${Cursor.toText(next)}`
    if (this.#cursors.has(text)) {
      return stalled(
        "cursor-repeated",
        `page ${this.#totals.pages + 1} named a cursor that an earlier page had named`,
      )
    }
    this.#cursors.add(text)
    if (items === 0) this.note("empty-page", "a page without records named a further page")
    if (this.#emptyInARow > emptyPagesInARow) {
      return stalled(
        "empty-pages",
        `${this.#emptyInARow} pages in a row had no records and named a further page`,
      )
    }
    if (this.#totals.pages + 1 >= this.#options.maxPages) {
      return stalled("too-many-pages", `there are more than ${this.#options.maxPages} pages`)
    }
    return null
  }

  #observeLimit(items: number, next: Cursor.Cursor | null): void {
    if (
      this.limit === null ||
      next === null ||
      items === 0 ||
      items >= this.limit ||
      this.#clampedTo !== null
    )
      return
    this.#clampedTo = items
    this.note(
      "limit-clamped",
      `${this.limit} records a page were asked for and ${items} came, with more to come`,
    )
  }

  /** Gives out each id once, and looks at what the records show by the way. */
  #give({ model, open, valid }: RawPage<A>): ReadonlyArray<A> {
    const startedAt = this.#startedIso
    let fresh: Array<A> | null = null
    for (let index = 0; index < valid.length; index++) {
      const record = valid[index]!
      model.observe(record, this.#noteOf, open)
      const updated = model.updatedAt(record)
      const changed = updated > startedAt
      if (changed) this.#totals.changedDuringWalk += 1
      this.#order(record.id)
      if (this.#seen.add(record.id)) {
        fresh?.push(record)
        if (changed) this.#updates.set(record.id, updated)
        continue
      }
      fresh ??= valid.slice(0, index)
      this.#totals.duplicates += 1
      if (changed && updated > (this.#updates.get(record.id) ?? "")) this.#totals.supersededDuplicates += 1
    }
    return fresh ?? valid
  }

  #order(id: number): void {
    const last = this.#lastId
    this.#lastId = id
    if (last === null || last === id || this.#ordering === "mixed") return
    const step: Ordering = id < last ? "descending" : "ascending"
    this.#ordering = this.#ordering === "unknown" || this.#ordering === step ? step : "mixed"
  }

  #page(
    records: ReadonlyArray<A>,
    invalid: ReadonlyArray<InvalidRecord>,
    next: Cursor.Cursor | null,
    requestId: string | null,
  ): Page<A> {
    const { collection, keyFingerprint, origin } = this.#options
    const summary = this.summary()
    const checkpoint: Checkpoint = {
      version: 1,
      origin,
      keyFingerprint,
      collection: collection.name,
      next:
        next === null
          ? null
          : { type: typeof next === "string" ? "string" : "integer", text: Cursor.toText(next) },
      summary,
    }
    return { records, invalid, next, requestId, checkpoint, summary }
  }
}
