/**
 * One walk over the pages of a collection: whether the next page may be believed. Works on values that have arrived; requests are made
 * by `Pagination`.
 */
import type { Checkpoint } from "../Checkpoint.ts"
import * as Cursor from "../Cursor.ts"
import type { Page } from "../Page.ts"
import type { RecordedPage } from "../Recording.ts"
import type { Reason } from "../Reason.ts"
import type { Collection } from "../ServiceRequest.ts"
import type { WalkSummary } from "../WalkSummary.ts"
import type { Answer, Emit } from "./Caller.ts"
import { idOf } from "./envelope.ts"
import type { RawPage } from "./envelope.ts"
import { Tally } from "./Tally.ts"

export interface WalkOptions {
  readonly collection: Collection
  readonly cursorParam: string
  readonly limit: number | null
  readonly onInvalid: "fail" | "collect"
  readonly maxPages: number
  readonly origin: string
  readonly keyFingerprint: string
  /** ISO 8601 UTC. */
  readonly startedAt: string
  readonly from: Checkpoint | null
  readonly record: boolean
  readonly emit: Emit
}

/** A page that may be given out, or the reason why the walk ends here. */
export type Step<A> =
  | { readonly _tag: "Page"; readonly page: Page<A> }
  | { readonly _tag: "Stopped"; readonly reason: Reason }
  /** Whether the cursor had an effect cannot be seen on this page. To be accepted again once it was looked for, or cannot be. */
  | { readonly _tag: "Doubtful" }

const emptyPagesInARow = 3

const stalled = (kind: Cursor.StallEvidence["kind"], text: string): Reason => ({
  _tag: "PaginationStalled",
  evidence: { kind, text },
})

export class Walk<A extends { readonly id: number }> {
  readonly #options: WalkOptions
  readonly #tally: Tally<A>
  readonly #cursors = new Set<string>()
  #first: ReadonlyArray<number> | null = null
  #isDoubtAccepted = false
  #verification: Cursor.CursorVerification
  #emptyInARow = 0
  #complete = false
  /** The limit to send; a server that rejects it is asked without. */
  limit: number | null

  constructor(options: WalkOptions) {
    const { collection, cursorParam, emit, from, limit, startedAt } = options
    this.#options = options
    const before = from?.summary ?? null
    this.limit = before?.anomalies["limit-rejected"] === undefined ? limit : null
    this.#tally = new Tally(collection.name, limit, startedAt, before, from?.recent ?? [], emit)
    this.#verification =
      before?.cursor.parameter === cursorParam && before.cursor.state === "verified"
        ? before.cursor
        : { parameter: cursorParam, state: "unverified", evidence: null }
    if (from === null || from.next === null) return
    this.#first = from.recent.length === 0 ? null : from.recent
    this.#cursors.add(`${from.next.type} ${from.next.text}`)
  }

  /** The walk up to now. */
  summary(): WalkSummary {
    return this.#tally.summary(this.#verification, this.#complete)
  }

  /** The query parameter that takes the cursor, and how far it is known to work. */
  get verification(): Cursor.CursorVerification {
    return this.#verification
  }

  /** Goes on with another parameter, which the next page must confirm like the first one. */
  useCursorParam(parameter: string, evidence: string): void {
    this.#tally.note("cursor-param-found", evidence)
    this.#verification = { parameter, state: "unverified", evidence: null }
  }

  /** Says that the parameter works, by evidence from elsewhere. */
  believe(evidence: string): void {
    this.#first = null
    this.#verification = { ...this.#verification, state: "verified", evidence }
  }

  /** Takes a second page without records for the end, though nothing shows that it is. */
  acceptDoubt(): void {
    this.#isDoubtAccepted = true
  }

  /** Records of the first page. */
  get firstSize(): number {
    return this.#first?.length ?? 0
  }

  /** Says that the parameter had no effect. */
  disbelieve(text: string): Reason {
    const evidence = { kind: "no-records", text } as const
    return { _tag: "CursorIgnored", cursorParam: this.#verification.parameter, evidence }
  }

  /** Goes on without a limit, because the server refused it. */
  dropLimit(status: number): void {
    this.#tally.note(
      "limit-rejected",
      `a limit of ${this.limit} was refused with ${status}; asked again without`,
    )
    this.limit = null
  }

  /** Goes on as the walk that was recorded stood with this page. */
  catchUp({ cursorParam, limit, requests, retries, waitedMillis }: RecordedPage): void {
    if (cursorParam !== this.#verification.parameter) this.useCursorParam(cursorParam, "as it was recorded")
    if (limit === null && this.limit !== null) {
      this.#tally.note("limit-rejected", `a limit of ${this.limit} was refused, as it was recorded`)
      this.limit = null
    }
    Object.assign(this.#tally.totals, { requests, retries, waitedMillis })
  }

  /** Counts the attempts of a call that brought no page. */
  count(calls: { readonly attempts: number; readonly waitedMillis: number }): void {
    this.#tally.count(calls)
  }

  /** Takes the answer to the request with the cursor `sent` (null for the first page). */
  accept(answer: Answer<RawPage<A>>, sent: Cursor.Cursor | null): Step<A> {
    const tally = this.#tally
    tally.count(answer)
    const { next, valid } = answer.value
    const size = valid.length + answer.value.invalid.length
    const [first] = answer.value.invalid
    if (first !== undefined && this.#options.onInvalid === "fail") {
      return { _tag: "Stopped", reason: { _tag: "RecordInvalid", id: first.id, issues: first.issues } }
    }
    const cursor = next._tag === "More" ? next.cursor : null
    const judged = this.#judge(answer.value, sent, cursor)
    if (judged === "Doubtful") return { _tag: "Doubtful" }
    const stopped = judged ?? this.#guard(size, cursor)
    if (stopped !== null) return { _tag: "Stopped", reason: stopped }
    if (next._tag === "End" && next.sentinel !== "null") {
      tally.note("end-sentinel", `next_before_id was ${next.sentinel} where null is documented`)
    }
    tally.totals.pages += 1
    tally.observeSize(size, this.limit, cursor !== null)
    const invalid = tally.setAside(answer.value)
    const records = tally.give(answer.value)
    this.#complete = cursor === null
    const summary = this.summary()
    const checkpoint = this.#checkpoint(cursor, idsOf(answer.value), summary)
    const page = { records, invalid, next: cursor, requestId: answer.requestId, checkpoint, summary }
    return {
      _tag: "Page",
      page: this.#options.record ? { ...page, recorded: this.#recorded(answer, summary) } : page,
    }
  }

  #recorded({ requestId, value }: Answer<RawPage<A>>, summary: WalkSummary): RecordedPage {
    const { requests, retries, waitedMillis } = summary
    const { text: body, wellEncoded } = value
    const cursorParam = this.#verification.parameter
    const { limit } = this
    return { body, wellEncoded, requestId, cursorParam, limit, requests, retries, waitedMillis }
  }

  /** The first page is remembered, the second is judged by it; later pages have the guard against cycles. */
  #judge(
    page: RawPage<A>,
    sent: Cursor.Cursor | null,
    next: Cursor.Cursor | null,
  ): Reason | "Doubtful" | null {
    const { parameter, state } = this.#verification
    if (state !== "unverified") return null
    const ids = idsOf(page)
    if (ids.length === 0 && next !== null) return null
    if (sent === null && next === null) {
      this.#verification = { parameter, state: "single-page", evidence: null }
    } else if (sent === null || (this.#first === null && next !== null)) {
      this.#first = ids
    } else {
      const first = this.#first ?? []
      const verdict = Cursor.judgeSecondPage({ first, sent, second: ids, next })
      if (verdict._tag === "Inconclusive") {
        if (!this.#isDoubtAccepted) return "Doubtful"
        this.#verification = { parameter, state, evidence: verdict.evidence }
        return null
      }
      if (verdict._tag === "Ignored") {
        return { _tag: "CursorIgnored", cursorParam: parameter, evidence: verdict.evidence }
      }
      if (verdict.inclusive) {
        this.#tally.note("inclusive-cursor", "the record that the cursor names came again on the next page")
      }
      this.#first = null
      this.#verification = { parameter, state: "verified", evidence: verdict.evidence }
    }
    return null
  }

  #guard(size: number, next: Cursor.Cursor | null): Reason | null {
    this.#emptyInARow = size === 0 ? this.#emptyInARow + 1 : 0
    if (next === null) return null
    const page = this.#tally.totals.pages + 1
    const name = `${typeOf(next)} ${Cursor.toText(next)}`
    if (this.#cursors.has(name)) {
      return stalled("cursor-repeated", `page ${page} named a cursor that an earlier page had named`)
    }
    this.#cursors.add(name)
    if (size === 0) this.#tally.note("empty-page", "a page without records named a further page")
    if (this.#emptyInARow > emptyPagesInARow) {
      return stalled(
        "empty-pages",
        `${this.#emptyInARow} pages in a row had no records and named a further page`,
      )
    }
    return page >= this.#options.maxPages
      ? stalled("too-many-pages", `there are more than ${this.#options.maxPages} pages`)
      : null
  }

  #checkpoint(next: Cursor.Cursor | null, recent: ReadonlyArray<number>, summary: WalkSummary): Checkpoint {
    const { collection, keyFingerprint, origin } = this.#options
    return {
      version: 1,
      origin,
      keyFingerprint,
      collection: collection.name,
      next: next === null ? null : { type: typeOf(next), text: Cursor.toText(next) },
      recent,
      summary,
    }
  }
}

const typeOf = (cursor: Cursor.Cursor): "integer" | "string" =>
  typeof cursor === "string" ? "string" : "integer"

/** The ids of a page's records in their order; those that were set aside count where their id can be read. */
const idsOf = <A extends { readonly id: number }>({ invalid, items, valid }: RawPage<A>): Array<number> =>
  invalid.length === 0 ? valid.map(({ id }) => id) : items.map(idOf).filter((id) => id !== null)
