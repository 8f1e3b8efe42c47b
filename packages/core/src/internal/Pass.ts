/**
 * One reading of a list from its first page to its end, or on from a checkpoint: what is asked for next, whether every page is connected with
 * an earlier one, and whether the list comes to an end at all.
 *
 * Where the cursor's meaning is known, pages are asked for from a little before the end of the one before, so that they overlap. Such a cursor
 * was never sent by the service: an inference, which its own result has to confirm. Where it does not, the service's cursors are sent as
 * they came.
 */
import type { Cursor, StallEvidence } from "../Cursor.ts"
import { toText } from "../Cursor.ts"
import type { Model } from "./envelope.ts"
import type { Evidence, PageSeen } from "./Evidence.ts"
import { likeCursor, numberOf } from "./Evidence.ts"
import { hash } from "./hash.ts"
import type { PageLinks } from "./PageLinks.ts"
import { Window } from "./Window.ts"

/** What is asked for. */
export interface Ask {
  /** The cursor to send; null for the first page. */
  readonly cursor: Cursor | null
  readonly limit: number | null
  /** How many records before the end of the page before; 0 for a cursor as the service named it. */
  readonly back: number
  /** Whether the same boundary was asked for already. */
  readonly isRetry: boolean
}

/** Plain JSON, so that a checkpoint can hold it. */
export interface PassState {
  readonly isConnected: boolean
  readonly isContradicted: boolean
  readonly overlaps: boolean
  readonly pages: number
  readonly largest: number
  /** Records of the window that stand after the end of the page that named the cursor. */
  readonly behind: number
}

export interface PassPage<A> extends Omit<PageSeen<A>, "sent" | "limit"> {
  /** Those of the records that this reading had seen before the page. */
  readonly known: ReadonlyArray<A>
  /** Whether it is the last one wanted, though it names another one. */
  readonly isEnough: boolean
}

export interface PassOptions<A extends { readonly id: number }> {
  readonly model: Model<A>
  readonly evidence: Evidence
  readonly limit: number | null
  /** Whether to look at the pages for a proof at all. */
  readonly observes: boolean
  /** Whether to ask for pages that overlap, where that can be done. */
  readonly overlaps: boolean
  /** Connects pages of several readings, where cursors say nothing. Null where only this reading counts. */
  readonly links: PageLinks | null
  /** Where to go on, and how many records came before. */
  readonly from: {
    readonly cursor: Cursor
    readonly window: Window
    readonly state: PassState
    readonly records: number
  } | null
}

/** Records that pages overlap by, of a hundred; and how far back is asked for when records there were removed. */
const overlapOf = (size: number): number => (size < 2 ? 0 : Math.max(1, Math.min(5, Math.floor(size / 5))))
const furthest = 200

/** So many pages without a new record, and cursors of our own lead in a circle. */
const mostIdle = 8

const nameOf = (cursor: Cursor): string =>
  `${typeof cursor === "string" ? "string" : "integer"} ${toText(cursor)}`

export class Pass<A extends { readonly id: number }> {
  readonly #options: PassOptions<A>
  readonly #window: Window
  readonly #names = new Set<string>()
  #firstId: number | null = null
  #rounds = 0
  /** Pages in a row without a new record: those at new boundaries, and all of them. */
  #withoutNews = 0
  #idle = 0
  /** Records that came for the first time, and those that came again though nobody asked for them. */
  #fresh = 0
  #again = 0
  #overlaps: boolean
  #links: PageLinks | null
  #largest = 0
  /** The cursor that the service named last, and the end of the page that named it among the records of this reading. */
  #named: Cursor | null = null
  #boundary = 0
  #back = 0
  #isRetry = false
  #pages = 0
  #isConnected = true
  #isContradicted = false
  #isEnded = false
  /** Records that should have come, and would contradict the cursor's meaning if they are there unchanged. */
  #suspects: ReadonlyArray<number> = []
  /** Whether cursors of our own may be sent. Not before the parameter is known to work. */
  mayShift = false

  constructor(options: PassOptions<A>) {
    const { from } = options
    this.#options = options
    this.#overlaps = options.overlaps
    this.#links = options.links
    this.#window = from?.window ?? new Window()
    if (from === null) return
    this.#named = from.cursor
    this.#fresh = from.records
    this.#names.add(nameOf(from.cursor))
    this.#boundary = this.#window.end - from.state.behind
    this.#isConnected = from.state.isConnected
    this.#isContradicted = from.state.isContradicted
    this.#overlaps = from.state.overlaps
    this.#pages = from.state.pages
    this.#largest = from.state.largest
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
  /** Whether the pages from the first to the last one are connected. */
  get isGapless(): boolean {
    return this.#isEnded && (this.#links === null ? this.#isConnected : this.#links.isGapless)
  }
  get isContradicted(): boolean {
    return this.#isContradicted
  }
  get suspects(): ReadonlyArray<number> {
    return this.#suspects
  }
  /** The records of the last page, for a checkpoint. */
  get window(): Window {
    return this.#window
  }
  /** The service's cursor that the reading goes on from; null before the second page and at the end. */
  get cursor(): Cursor | null {
    return this.#isEnded ? null : this.#named
  }

  /** What to ask for next; null at the end. */
  get ask(): Ask | null {
    if (this.#isEnded) return null
    const { limit } = this.#options
    const named = this.#named
    if (named === null) return { cursor: null, limit, back: 0, isRetry: false }
    const back = this.#back === 0 || !this.mayShift ? 0 : Math.min(this.#back, this.#boundary)
    const cursor = back === 0 ? named : this.#shifted(named, back)
    return { cursor, limit, back, isRetry: this.#isRetry }
  }

  /** Goes on with cursors as the service names them, because it refused another one. */
  stopOverlapping(): void {
    this.#overlaps = false
    this.#back = 0
  }

  /** What is known of the suspects: whether one is there as it was. */
  settleSuspects(isContradicted: boolean): void {
    this.#suspects = []
    this.#isContradicted ||= isContradicted
  }

  /** Takes the answer to `ask`. Gives the evidence where the pages lead nowhere. */
  take(ask: Ask, page: PassPage<A>): StallEvidence | null {
    const { evidence, model, observes } = this.#options
    const isEnd = page.next === null || page.isEnough
    const isFirst = this.#pages === 0
    this.#pages += 1
    this.#largest = Math.max(this.#largest, page.size)
    const fresh = page.records.length - page.known.length
    const stall = this.#stall(ask, page, fresh)
    if (stall !== null) return stall
    const isConnected = observes ? this.#connects(page, ask, isFirst, isEnd) : isFirst
    if (observes) {
      this.#contradict(ask, page, isConnected)
      this.#window.add(page.records, page.known, model.version)
      evidence.add({ ...page, sent: ask.cursor, limit: ask.limit }, model.updatedAt)
      if (this.#overlapped && this.#pages > 1) this.#links = null
    }
    this.#plan(ask, page, isConnected, isEnd, fresh)
    return null
  }

  /** Whether the cursor's meaning allows to ask for pages that overlap. */
  get #overlapped(): boolean {
    if (!this.#overlaps) return false
    const { meaning } = this.#options.evidence
    return (
      meaning === "position" || meaning === "position-or-id" || meaning === "last-id" || meaning === "next-id"
    )
  }

  #connects(page: PassPage<A>, ask: Ask, isFirst: boolean, isEnd: boolean): boolean {
    const { version } = this.#options.model
    const byLinks =
      this.#links?.add(
        page.records.map((record) => ({ id: record.id, version: hash(version(record)) })),
        isFirst,
        isEnd,
      ) ?? false
    // A page that is asked for again must reach back to before the boundary; what came after it, from the first answer, shows nothing.
    const byOverlap = page.known.some((record) => {
      const place = this.#window.placeOf(record.id)
      return place < this.#boundary && this.#window.versionAt(place) === version(record)
    })
    return isFirst || byOverlap || (byLinks && !ask.isRetry)
  }

  /** A cursor that names a record is a place in the list, unless the service filters by id and orders by something else. */
  #contradict(ask: Ask, page: PassPage<A>, isConnected: boolean): void {
    const { evidence, model } = this.#options
    if (evidence.meaning !== "last-id" || ask.cursor === null) return
    const named = numberOf(ask.cursor)
    const place = named === null ? -1 : this.#window.placeOf(named)
    if (place < 0) return
    const isBefore = (record: A): boolean => {
      const at = this.#window.placeOf(record.id)
      return at >= 0 && at < place && this.#window.versionAt(at) === model.version(record)
    }
    if (page.known.some(isBefore)) this.#isContradicted = true
    if (ask.back === 0 || !isConnected || this.#isContradicted || evidence.order === "id") return
    const came = new Set(page.records.map(({ id }) => id))
    this.#suspects = this.#window.idsFrom(place + 1, page.records.length).filter((id) => !came.has(id))
  }

  /** What a suspect looked like. */
  versionOf(id: number): string | null {
    return this.#window.versionAt(this.#window.placeOf(id))
  }

  #stall(ask: Ask, page: PassPage<A>, fresh: number): StallEvidence | null {
    this.#firstId ??= page.records[0]?.id ?? null
    this.#idle = fresh > 0 ? 0 : this.#idle + 1
    if (!ask.isRetry && page.size > 0) this.#withoutNews = fresh > 0 ? 0 : this.#withoutNews + 1
    this.#fresh += fresh
    if (ask.cursor !== null && ask.back === 0 && !ask.isRetry) {
      this.#again += page.known.length
      if (page.records.some(({ id }) => id === this.#firstId)) this.#rounds += 1
    }
    const text =
      this.#rounds > 1
        ? `the first record came again on page ${this.#pages}, for the second time`
        : this.#withoutNews > 4 && this.#withoutNews > this.#pages / 2
          ? `${this.#withoutNews} pages in a row had no new record and named a further page`
          : this.#again > 2 * this.#fresh
            ? `${this.#again} records came again, and ${this.#fresh} once`
            : null
    if (text !== null) return { kind: "no-new-records", text }
    if (page.next === null || page.isEnough) return null
    const name = nameOf(page.next)
    if (this.#names.has(name) && ask.back === 0 && !ask.isRetry) {
      const text = `page ${this.#pages} named a cursor that an earlier page had named`
      return { kind: "cursor-repeated", text }
    }
    this.#names.add(name)
    return null
  }

  #plan(ask: Ask, page: PassPage<A>, isConnected: boolean, isEnd: boolean, fresh: number): void {
    const overlap = this.#overlapped ? overlapOf(this.#largest) : 0
    if (!isConnected && overlap > 0 && this.#named !== null) {
      const further = ask.back === 0 ? overlap : ask.back * 4
      if (
        further <= overlap * furthest &&
        ask.back < this.#boundary &&
        this.#canShift(this.#named, further)
      ) {
        this.#back = further
        this.#isRetry = true
        return
      }
    }
    this.#isConnected &&= isConnected
    if (isEnd) {
      this.#isEnded = true
      return
    }
    const next = page.next!
    // What was asked for from further back brought nothing, and leads to where it was asked from, or nowhere.
    const isFutile = this.#named !== null && fresh === 0 && nameOf(next) === nameOf(this.#named)
    if (ask.back > 0 && (isFutile || this.#idle > mostIdle)) {
      this.stopOverlapping()
      this.#isConnected = false
      this.#isRetry = true
      return
    }
    this.#named = next
    this.#isRetry = false
    this.#back = overlap
    const last = page.records.at(-1)
    if (last !== undefined) this.#boundary = this.#window.placeOf(last.id) + 1
  }

  #canShift(named: Cursor, back: number): boolean {
    return this.mayShift && this.#shifted(named, back) !== named
  }

  /** A cursor for what comes so many records earlier; null for the first page. */
  #shifted(named: Cursor, back: number): Cursor | null {
    const { meaning } = this.#options.evidence
    const value = numberOf(named)
    if (value === null) return named
    const asCursor = (number: number | null): Cursor | null =>
      number === null || number <= 0 ? null : likeCursor(named, number)
    if (meaning === "position" || meaning === "position-or-id") return asCursor(value - back)
    const at = this.#boundary - back - (meaning === "next-id" ? 0 : 1)
    if (at < this.#window.start) return this.#window.start === 0 ? null : named
    return asCursor(this.#window.idAt(at))
  }
}
