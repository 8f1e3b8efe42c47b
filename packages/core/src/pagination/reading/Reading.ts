/**
 * One read of a collection: whether the next page is accepted, and what is requested after it. Works on answers; `PageReader` makes the
 * requests.
 */
import type { Checkpoint } from "../Checkpoint.ts"
import * as Cursor from "../Cursor.ts"
import type { Page } from "../Page.ts"
import type { RecordedPage } from "../Recording.ts"
import type { Reason } from "../../error/Reason.ts"
import type { Collection } from "../../model/ServiceRequest.ts"
import type { ReadSummary } from "../ReadSummary.ts"
import type { Answer } from "../../call/Caller.ts"
import type { Emit } from "../../events/ClientEvent.ts"
import { idOf } from "../../answer/envelope.ts"
import type { Model, RawPage } from "../../answer/envelope.ts"
import type { Ask } from "../proof/Pass.ts"
import type { Found } from "../proof/Proof.ts"
import { Proof } from "../proof/Proof.ts"
import { millisOf, ReadTime } from "./ReadTime.ts"
import { Stats } from "./Stats.ts"
import { Verification } from "./Verification.ts"

export interface ReadingOptions {
  readonly collection: Collection
  readonly cursorParam: string
  readonly limit: number | null
  readonly onRejected: "fail" | "collect"
  /** `Infinity` for no limit. */
  readonly maxPages: number
  readonly origin: string
  readonly keyFingerprint: string
  /** ISO 8601 UTC. */
  readonly startedAt: string
  readonly from: Checkpoint | null
  /** The ids of all records that were returned before `from`; null where only the last ones are known. */
  readonly known: Iterable<number> | null
  readonly record: boolean
  readonly prove: boolean
  readonly emit: Emit
}

/** A page to return, or what has to be done first. */
export type Step<A> =
  | { readonly _tag: "Page"; readonly page: Page<A> }
  | { readonly _tag: "Stopped"; readonly reason: Reason }
  /** The page does not show whether the cursor had an effect. Accept it again after `confirmCursor`. */
  | { readonly _tag: "Inconclusive" }
  /** The first page, requested again, decides whether this is another one. */
  | { readonly _tag: "AskFirstAgain" }
  /** Records to request by id: they may contradict the page, or explain a difference between two readings. */
  | { readonly _tag: "Check"; readonly ids: ReadonlyArray<number>; readonly about: "page" | "difference" }

/** A page whose records are counted, and the part of it that is returned. */
interface Accepted<A extends { readonly id: number }> {
  readonly answer: Answer<RawPage<A>>
  readonly ask: Ask
  readonly given: Pick<Page<A>, "records" | "superseded" | "rejected">
}

const emptyPagesInARow = 3

export class Reading<A extends { readonly id: number }> {
  readonly #options: ReadingOptions
  readonly #stats: Stats<A>
  readonly #proof: Proof<A>
  readonly #time: ReadTime
  readonly verification: Verification
  #emptyInARow = 0
  /** The page that was accepted last, while a request is needed before it is returned. */
  #pending: Accepted<A> | null = null
  /** The limit to send; null after the server has rejected it. */
  limit: number | null

  constructor(options: ReadingOptions, model: Model<A>) {
    const { collection, cursorParam, emit, from, known, limit, prove, startedAt } = options
    this.#options = options
    const before = from?.summary ?? null
    this.limit = before?.anomalies["limit-rejected"] === undefined ? limit : null
    this.#stats = new Stats(collection.name, limit, startedAt, before, from?.recent ?? [], emit)
    for (const id of known ?? []) this.#stats.seen.add(id)
    const mayRepeat = known === null
    this.#proof = new Proof({ model, proves: prove, limit, from, mayRepeat, given: this.#stats.seen })
    this.#time = new ReadTime(startedAt, from)
    this.verification = new Verification(cursorParam, from, {
      onVerified: () => this.#proof.verifyParameter(),
      onInclusive: () =>
        this.#stats.note("inclusive-cursor", "the record that the cursor names came again on the next page"),
    })
    if (from === null || from.next === null) return
    // The checkpoint holds ids of records that were not as specified, too.
    const { rejected, records } = from.summary
    this.pause(startedAt, mayRepeat && records + rejected > new Set(from.recent).size)
  }

  /** The next request; null at the end. */
  get ask(): Ask | null {
    const { ask } = this.#proof
    // No limit is sent to a service that refused one.
    return ask === null || this.limit === this.#options.limit ? ask : { ...ask, limit: null }
  }

  /** The summary of the read so far. */
  summary(): ReadSummary {
    const proof = this.#proof
    return {
      ...this.#stats.summary(),
      endedAt: this.#time.endedAt,
      resumed: this.#time.resumed,
      cursor: this.verification.current,
      cursorMeaning: proof.meaning,
      orderedBy: proof.orderedBy,
      complete: proof.isRead,
      completeness: proof.completeness,
    }
  }

  /** Resumes the read after a pause. `mayRepeat`: not all ids that were returned are still known. */
  pause(resumedAt: string, mayRepeat: boolean): void {
    this.#time.pause(resumedAt, this.#stats.totals.records, mayRepeat)
  }

  /** Continues with another parameter, which the next page must confirm like the first one. */
  useCursorParam(parameter: string, evidence: string): void {
    this.#stats.note("cursor-param-found", evidence)
    this.verification.replace(parameter)
  }

  /** Verifies the second page by the first one, requested again. Returns the reason to stop, if there is one. */
  judgeByFirstAgain(second: RawPage<A>, firstAgain: RawPage<A>): Reason | null {
    return this.verification.judgeByFirstAgain(idsOf(second), idsOf(firstAgain))
  }

  /** Continues without a limit, because the server refused it. */
  dropLimit(status: number): void {
    this.#stats.note(
      "limit-rejected",
      `a limit of ${this.limit} was refused with ${status}; asked again without`,
    )
    this.limit = null
  }

  /** Handles a failed request for the proof. Returns whether the read continues without it. */
  survive(ask: Ask): boolean {
    return this.#proof.survive(ask)
  }

  /** Takes the state of the recorded read at this page. False when this read would request something else. */
  catchUp({ cursorParam, limit, requests, resumedAt, retries, sent, waitedMillis }: RecordedPage): boolean {
    if (resumedAt !== null && resumedAt !== this.#time.resumed?.resumedAt) this.pause(resumedAt, false)
    if (cursorParam !== this.verification.current.parameter)
      this.useCursorParam(cursorParam, "as it was recorded")
    const isMain = this.ask?.limit === this.#options.limit
    if (limit === null && this.limit !== null && isMain) {
      this.#stats.note("limit-rejected", `a limit of ${this.limit} was refused, as it was recorded`)
      this.limit = null
    }
    const isRecorded = ({ ask }: this): boolean =>
      ask !== null && ask.limit === limit && (ask.cursor === null ? null : Cursor.toText(ask.cursor)) === sent
    // A request that is not in the recording was sent and failed.
    let survives = true
    while (survives && this.ask !== null && !isRecorded(this)) survives = this.#proof.survive(this.ask)
    Object.assign(this.#stats.totals, { requests, retries, waitedMillis })
    return isRecorded(this)
  }

  /** Counts the attempts of a call that brought no page. */
  count(calls: { readonly attempts: number; readonly waitedMillis: number }): void {
    this.#stats.count(calls)
  }

  /** Takes the answer to a request. */
  accept(answer: Answer<RawPage<A>>, ask: Ask): Step<A> {
    const stats = this.#stats
    stats.count(answer)
    const { next, valid } = answer.value
    const size = valid.length + answer.value.rejected.length
    const [first] = answer.value.rejected
    if (first !== undefined && this.#options.onRejected === "fail") {
      return { _tag: "Stopped", reason: { _tag: "RecordInvalid", id: first.id, issues: first.issues } }
    }
    const cursor = next._tag === "More" ? next.cursor : null
    const judged = this.verification.judge(() => idsOf(answer.value), ask.cursor, cursor)
    if (judged === "Inconclusive" || judged === "AskFirstAgain") return { _tag: judged }
    if (judged !== null) return { _tag: "Stopped", reason: judged }
    this.#time.take(answer)
    if (stats.totals.pages === 0) stats.startAt(millisOf(answer.serviceDate), answer.tookMillis)
    const stuck = this.#guard(size, cursor)
    if (stuck !== null) return stalled(stuck)
    const isFirstReading = !this.#proof.isRead
    const isOnPurpose = !isFirstReading || ask.back > 0 || ask.isRetry
    const before = { ...stats.totals }
    const given = stats.give(answer.value, isOnPurpose)
    const stall = this.#take(answer, ask, given.repeated, size, cursor)
    if (stall !== null) {
      Object.assign(stats.totals, before)
      return stalled(stall)
    }
    if (next._tag === "End" && next.sentinel !== "null") {
      stats.note("end-sentinel", `next_before_id was ${next.sentinel} where null is documented`)
    }
    stats.totals.pages += 1
    if (isFirstReading) stats.observeSize(size, this.limit, cursor !== null)
    const rejected = stats.reject(answer.value)
    const { records, superseded } = given
    this.#pending = { answer, ask, given: { records, superseded, rejected } }
    return this.next()
  }

  /** The next step for the page that was accepted last: the page itself, once no request is needed any more. */
  next(): Step<A> {
    const { about, ids } = this.#proof.checks
    if (ids.length > 0) return { _tag: "Check", ids, about }
    const page = this.#page(this.#pending!)
    this.#pending = null
    return { _tag: "Page", page }
  }

  /** A page without records, with the final summary: a failed request has ended the proof. */
  last(requestId: string | null): Page<A> {
    const summary = this.summary()
    const checkpoint = this.#checkpoint(null, [], summary)
    return { records: [], superseded: [], rejected: [], next: null, requestId, checkpoint, summary }
  }

  /** Takes the results of requests by id. */
  settle(found: ReadonlyMap<number, Found<A>>, isLater: boolean): void {
    this.#proof.settle(found, isLater)
  }

  #page({ answer, ask, given }: Accepted<A>): Page<A> {
    const summary = this.summary()
    const next = this.#proof.cursor
    const checkpoint = this.#checkpoint(next, idsOf(answer.value), summary)
    const page = { ...given, next, requestId: answer.requestId, checkpoint, summary }
    return this.#options.record ? { ...page, recorded: this.#recorded(answer, ask, summary) } : page
  }

  #recorded(
    { answeredAt, requestId, serviceDate, tookMillis, value }: Answer<RawPage<A>>,
    { cursor, limit }: Ask,
    { requests, retries, waitedMillis }: ReadSummary,
  ): RecordedPage {
    const { text: body, wellEncoded } = value
    const cursorParam = this.verification.current.parameter
    const sent = cursor === null ? null : Cursor.toText(cursor)
    return {
      body,
      wellEncoded,
      requestId,
      cursorParam,
      sent,
      limit,
      answeredAt,
      tookMillis,
      serviceDate,
      resumedAt: this.#time.resumed?.resumedAt ?? null,
      requests,
      retries,
      waitedMillis,
    }
  }

  #take(
    { serviceDate, tookMillis, value }: Answer<RawPage<A>>,
    ask: Ask,
    repeated: ReadonlyArray<A>,
    size: number,
    next: Cursor.Cursor | null,
  ): Cursor.StallEvidence | null {
    return this.#proof.take(ask, {
      records: value.valid,
      repeated,
      size,
      lastId: idOf(value.items.at(-1)),
      next,
      serviceMillis: millisOf(serviceDate),
      tookMillis,
    })
  }

  #guard(size: number, next: Cursor.Cursor | null): Cursor.StallEvidence | null {
    this.#emptyInARow = size === 0 ? this.#emptyInARow + 1 : 0
    if (next === null) return null
    if (size === 0) this.#stats.note("empty-page", "a page without records named a further page")
    if (this.#emptyInARow > emptyPagesInARow) {
      const text = `${this.#emptyInARow} pages in a row had no records and named a further page`
      return { kind: "empty-pages", text }
    }
    const { maxPages } = this.#options
    return this.#stats.totals.pages + 1 >= maxPages
      ? { kind: "too-many-pages", text: `there are more than ${maxPages} pages` }
      : null
  }

  #checkpoint(next: Cursor.Cursor | null, ids: ReadonlyArray<number>, summary: ReadSummary): Checkpoint {
    const { collection, keyFingerprint, origin, prove } = this.#options
    const state = prove && next !== null ? this.#proof.state : { proof: null, recent: [] }
    const { proof } = state
    // The first ids are those of `proof.versions`; not all ids of the last page are among them.
    const held = new Set(state.recent)
    const recent = [...state.recent, ...ids.filter((id) => !held.has(id))]
    return {
      version: 1,
      origin,
      keyFingerprint,
      collection: collection.name,
      next: next === null ? null : Cursor.save(next),
      recent,
      proof,
      summary,
    }
  }
}

const stalled = (evidence: Cursor.StallEvidence): Step<never> => ({
  _tag: "Stopped",
  reason: { _tag: "PaginationStalled", evidence },
})

/** The ids of a page's records in their order; rejected ones included if their id can be read. */
const idsOf = <A extends { readonly id: number }>({ items }: RawPage<A>): Array<number> =>
  items.map(idOf).filter((id) => id !== null)
