/**
 * One reading of a list from its first page, or from a checkpoint, to its end: the next request, whether every page is connected with an
 * earlier one, and whether the list ends at all.
 *
 * Where the cursor's meaning is known, each page starts a few records before the end of the previous one, so that pages overlap. The service
 * never named such a cursor: it is inferred, and the answer to it has to confirm it. If it does not, the service's cursors are sent unchanged.
 */
import type { Cursor, StallEvidence } from "../Cursor.ts"
import type { PassState } from "../ProofState.ts"
import type { Model } from "../../answer/envelope.ts"
import type { Evidence, PageSeen } from "./Evidence.ts"
import { likeCursor, numberOf } from "./Evidence.ts"
import type { PageLinks } from "./PageLinks.ts"
import { nameOf, Progress } from "./Progress.ts"
import type { Asking } from "./Progress.ts"
import { Window } from "./Window.ts"

/** A request for a page. */
export interface Ask {
  /** The cursor to send; null for the first page. */
  readonly cursor: Cursor | null
  readonly limit: number | null
  /** How many records before the end of the previous page the requested page starts; 0 for a cursor that the service named. */
  readonly back: number
  /** Whether it is a second request for the same boundary. */
  readonly isRetry: boolean
}

export interface PassPage<A> extends Omit<PageSeen<A>, "sent" | "limit"> {
  /** The records that this reading had seen before the page. */
  readonly known: ReadonlyArray<A>
  /** Whether no further page is needed, although this page names one. */
  readonly isEnough: boolean
  /** A `Timestamp.sortKey`: a record updated later may be updated once more with the same `updated_at`. Null where the service's clock is unknown. */
  readonly settledAt: string | null
}

export interface PassOptions<A extends { readonly id: number }> {
  readonly model: Model<A>
  readonly evidence: Evidence
  readonly limit: number | null
  /** Whether the pages are used for a proof. */
  readonly observes: boolean
  /** Whether to request overlapping pages, where that is possible. */
  readonly overlaps: boolean
  /** Connects pages of several readings, for opaque cursors. Null where only this reading counts. */
  readonly links: PageLinks | null
  /** Where to resume, how many records came before, and the ids of those that lie beyond the cursor. */
  readonly from: {
    readonly cursor: Cursor
    readonly window: Window
    readonly state: PassState
    readonly records: number
    readonly ahead: ReadonlyArray<number>
  } | null
}

/** A 32-bit FNV-1a hash of a text: distinguishes two versions of a record. Not for texts that an attacker can choose. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value | 0
}

/**
 * The range of ids that the pages of one reading have covered. In a list by id every new record lies outside of it. This detects a list in
 * another order whose single pages are sorted by id.
 */
class Span {
  #low = Infinity
  #high = -Infinity

  /** Takes a page. Returns whether a new record lies within the range of the previous pages. */
  add<A extends { readonly id: number }>(records: ReadonlyArray<A>, known: ReadonlyArray<A>): boolean {
    const [low, high] = [this.#low, this.#high]
    const repeated = new Set(known)
    let isWithin = false
    for (const record of records) {
      const { id } = record
      isWithin ||= id > low && id < high && !repeated.has(record)
      this.#low = Math.min(this.#low, id)
      this.#high = Math.max(this.#high, id)
    }
    return isWithin
  }
}

/** The number of records by which pages of a size overlap, and how far back the overlap can start when records there were removed. */
const overlapOf = (size: number): number => (size < 2 ? 0 : Math.max(1, Math.min(5, Math.floor(size / 5))))
const furthest = 200

/** The most pages in a row without a new record before inferred cursors are given up. */
const mostIdle = 8

/** The version of a record whose next version can look the same. */
const unsettled = ""

export class Pass<A extends { readonly id: number }> {
  readonly #options: PassOptions<A>
  readonly #window: Window
  /** Ids that came only on unconnected pages. */
  readonly #aside = new Set<number>()
  readonly #span = new Span()
  readonly #progress: Progress<A>
  #overlaps: boolean
  #links: PageLinks | null
  #largest = 0
  /** The cursor that the service named last, and the end of the page that named it among the records of this reading. */
  #named: Cursor | null = null
  #size = 0
  /** The cursor that the last page with a new record named; null if that page was the end. */
  #frontier: Cursor | null = null
  #boundary = 0
  #back = 0
  #isRetry = false
  #pages = 0
  #isConnected = true
  #isContradicted = false
  #isEnded = false
  /** Ids of omitted records, which contradict the cursor's meaning if they exist unchanged. */
  #suspects: ReadonlyArray<number> = []
  /** Whether inferred cursors can be sent. Not before the parameter is verified. */
  mayShift = false

  constructor(options: PassOptions<A>) {
    const { from } = options
    this.#options = options
    this.#overlaps = options.overlaps
    this.#links = options.links
    this.#window = from?.window ?? new Window()
    this.#progress = new Progress(options.model, from === null ? null : { ...from, pages: from.state.pages })
    if (from === null) return
    this.#named = from.cursor
    this.#frontier = from.cursor
    this.#boundary = this.#window.end - from.state.behind
    this.#isConnected = from.state.isConnected
    this.#isContradicted = from.state.isContradicted
    this.#overlaps = from.state.overlaps
    this.#pages = from.state.pages
    this.#largest = from.state.largest
    this.#size = from.state.largest
  }

  get state(): PassState {
    return {
      isConnected: this.#isConnected,
      isContradicted: this.#isContradicted,
      overlaps: this.#overlaps,
      pages: this.#pages,
      largest: this.#largest,
      behind: this.#window.end - this.#boundary,
    }
  }

  /** Records requested per page; null for no limit. */
  get limit(): number | null {
    return this.#options.limit
  }
  get isEnded(): boolean {
    return this.#isEnded
  }
  get pages(): number {
    return this.#pages
  }
  /** Records of the largest page. */
  get largest(): number {
    return this.#largest
  }
  /** Whether the pages from the first to the last one are connected, once the reading has ended. */
  get isGapless(): boolean {
    return this.#links === null ? this.#isConnected : this.#links.isGapless
  }
  get isContradicted(): boolean {
    return this.#isContradicted
  }
  get suspects(): ReadonlyArray<number> {
    return this.#suspects
  }
  get aside(): Iterable<number> {
    return this.#aside
  }
  /** The records of the last pages, for a checkpoint. */
  get window(): Window {
    return this.#window
  }
  /** The service's cursor of the next page; null before the second page and at the end. */
  get cursor(): Cursor | null {
    return this.#isEnded ? null : this.#named
  }

  /** The next request; null at the end. */
  get ask(): Ask | null {
    if (this.#isEnded) return null
    const { limit } = this.#options
    const named = this.#named
    const back = this.mayShift ? Math.min(this.#back, this.#boundary) : 0
    const cursor = back === 0 ? named : this.#shifted(named!, back)
    return { cursor, limit, back, isRetry: this.#isRetry }
  }

  /** Continues with the cursors that the service names, because it refused an inferred one. */
  stopOverlapping(): void {
    this.#overlaps = false
    this.#back = 0
  }

  /** Takes the result for the suspects: whether one exists unchanged. */
  settleSuspects(isContradicted: boolean): void {
    this.#suspects = []
    this.#isContradicted ||= isContradicted
  }

  /** Takes the answer to `ask`. Returns the evidence if the pages do not end. */
  take(ask: Ask, page: PassPage<A>): StallEvidence | null {
    const { evidence, model, observes } = this.#options
    const isFirst = this.#pages === 0
    this.#pages += 1
    this.#largest = Math.max(this.#largest, page.size)
    const fresh = page.records.length - page.known.length
    const next = page.isEnough ? null : page.next
    const stall = this.#progress.take(this.#asking(ask), { ...page, next })
    if (stall !== null) return stall
    if (fresh > 0 || isFirst) this.#frontier = next
    const isConnected = !observes || this.#connects(page, isFirst)
    if (observes) {
      this.#contradict(ask, page, isConnected)
      evidence.add({ ...page, sent: ask.cursor, limit: ask.limit }, model.updatedAt)
      if (this.#overlapped && !isFirst) this.#links = null
      // Records of a page that is not connected show nothing about the next one.
      if (!isConnected && this.#stepBack(ask)) {
        for (const { id } of page.records) if (this.#window.placeOf(id) < 0) this.#aside.add(id)
        return null
      }
      for (const { id } of page.records) this.#aside.delete(id)
      if (this.#span.add(page.records, page.known)) evidence.denyIdOrder()
      this.#window.add(page.records, page.known, (record) => this.#versionOn(page, record))
    }
    this.#isConnected &&= isConnected
    if (next === null) this.#isEnded = true
    else this.#continue(ask, page, next, fresh)
    return null
  }

  #versionOn({ settledAt }: PassPage<A>, record: A): string {
    const { updatedAt, version } = this.#options.model
    return settledAt === null || updatedAt(record) <= settledAt ? version(record) : unsettled
  }

  /** Whether the cursor's meaning allows overlapping pages. */
  get #overlapped(): boolean {
    if (!this.#overlaps) return false
    const { meaning } = this.#options.evidence
    return (
      meaning === "position" || meaning === "position-or-id" || meaning === "last-id" || meaning === "next-id"
    )
  }

  /** Whether the page has an unchanged record in common with an earlier one. */
  #connects(page: PassPage<A>, isFirst: boolean): boolean {
    const { version } = this.#options.model
    // Most pages need no links; then none of this is computed.
    const byLinks = this.#links?.add(
      page.records
        .map((record) => ({ id: record.id, version: this.#versionOn(page, record) }))
        .filter((record) => record.version !== unsettled)
        .map((record) => ({ id: record.id, version: hash(record.version) })),
      isFirst,
    )
    const isKept = (record: A): boolean =>
      this.#window.versionAt(this.#window.placeOf(record.id)) === version(record)
    return isFirst || byLinks === true || page.known.some(isKept)
  }

  /** A cursor that names a record is a place in the list, unless the service filters by id and orders by something else. */
  #contradict(ask: Ask, page: PassPage<A>, isConnected: boolean): void {
    const { evidence, model } = this.#options
    if (evidence.meaning !== "last-id") return
    // If cursors are ids, all of them are numbers. The first page has no cursor, and so no place.
    const place = this.#window.placeOf(numberOf(ask.cursor)!)
    if (place < 0) return
    const isBefore = (record: A): boolean => {
      const at = this.#window.placeOf(record.id)
      return at < place && this.#window.versionAt(at) === model.version(record)
    }
    if (page.known.some(isBefore)) this.#isContradicted = true
    if (!isConnected || this.#isContradicted || evidence.orderedBy === "id") return
    const came = new Set(page.records.map(({ id }) => id))
    this.#suspects = this.#window.idsFrom(place + 1, page.records.length).filter((id) => !came.has(id))
  }

  /** The version of a suspect. */
  versionOf(id: number): string | null {
    return this.#window.versionAt(this.#window.placeOf(id))
  }

  /** How the page was requested. Inferred cursors lead to known records on purpose, until the service's are sent again. */
  #asking({ cursor, isRetry }: Ask): Asking {
    if (this.#overlapped) return "own"
    if (cursor === null) return "first"
    return isRetry ? "retry" : "verbatim"
  }

  /** Requests the same boundary from further back, where that is possible. */
  #stepBack(ask: Ask): boolean {
    const overlap = this.#overlap
    const further = ask.back === 0 ? overlap : ask.back * 4
    if (overlap === 0 || further > overlap * furthest || ask.back >= this.#boundary) return false
    // The first page counts as connected, so by now a page has named a cursor.
    if (!this.#canShift(this.#named!, further)) return false
    this.#back = further
    this.#isRetry = true
    return true
  }

  #continue(ask: Ask, page: PassPage<A>, next: Cursor, fresh: number): void {
    // The request from further back brought nothing new, and its page names the same cursor again.
    const isFutile = this.#named !== null && fresh === 0 && nameOf(next) === nameOf(this.#named)
    if (this.#overlapped && ((ask.back > 0 && isFutile) || this.#progress.idle > mostIdle)) {
      this.stopOverlapping()
      this.#named = this.#frontier
      this.#isEnded = this.#frontier === null
      this.#isConnected = false
      this.#isRetry = true
      this.#progress.idle = 0
      return
    }
    this.#size = page.size
    this.#named = next
    this.#isRetry = false
    this.#back = this.#overlap
    const last = page.records.at(-1)
    if (last !== undefined) this.#boundary = this.#window.placeOf(last.id) + 1
  }

  /** The records by which the next page overlaps. A page that is no larger than the overlap would bring nothing new. */
  get #overlap(): number {
    if (!this.#overlapped) return 0
    const overlap = overlapOf(this.#largest)
    return overlap < this.#size ? overlap : overlapOf(this.#size)
  }

  #canShift(named: Cursor, back: number): boolean {
    return this.mayShift && this.#shifted(named, back) !== named
  }

  /** A cursor that leads `back` records further back; null for the first page. */
  #shifted(named: Cursor, back: number): Cursor | null {
    const { meaning } = this.#options.evidence
    const value = numberOf(named)
    if (value === null) return named
    const asCursor = (number: number | null): Cursor | null =>
      number === null || number <= 0 ? null : likeCursor(named, number)
    if (meaning === "position" || meaning === "position-or-id") return asCursor(value - back)
    const at = this.#boundary - back - (meaning === "next-id" ? 0 : 1)
    if (at < this.#window.start) return this.#window.start === 0 && this.#options.from === null ? null : named
    return asCursor(this.#window.idAt(at))
  }
}
